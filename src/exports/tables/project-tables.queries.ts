import { isAfter } from '../../kernel/lists/pagination.ts';
import { toTimestamp } from '../../kernel/operation/schema.ts';
import { readRows } from '../../kernel/sql/database.ts';
import { aliasTable, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { meetings, meetingTasks } from '../../schema/cell/meetings.ts';
import { projectMembers, projects } from '../../schema/cell/projects.ts';
import { activeMembers } from '../../schema/cell/workspaces.ts';
import { canReachProject } from '../../tasks/visibility/project-visibility.queries.ts';
import { ROWS_MAX } from './limits.queries.ts';
import { defineTable, toUserId } from './table.ts';

const g = aliasTable(meetings, 'g');
const k = aliasTable(meetingTasks, 'k');
const n = aliasTable(projectMembers, 'n');
const m = aliasTable(activeMembers, 'm');
const p = aliasTable(projects, 'p');

/** Projects and meetings can have long descriptions. */
const DESCRIBED_ROWS_MAX = 100;

const projectColumns = selectColumns({
  id: p.id,
  name: p.name,
  description: p.description,
  status: p.status,
  owner: p.owner,
  created_at: p.created_at,
  columns: p.task_columns,
  fields: p.field_ids,
});

export const projectsTable = defineTable({
  name: 'projects',
  description:
    'Projects. `columns` has the label, visibility and limit of each status on the board, or is null if the project uses the defaults. `customFieldIds` lists the custom fields that the project uses.',
  read: ({ ws, after }) =>
    readRows(sql`
      SELECT ${projectColumns} FROM ${p} INDEXED BY projects_by_workspace
      WHERE ${p.ws} = ${ws} AND ${isAfter({ after }, [{ column: p.id }])} ORDER BY ${p.id} LIMIT ${DESCRIBED_ROWS_MAX}`),
  key: ({ id }) => [id],
  show: ({ id, name, description, status, owner, created_at, columns, fields }, lookups) => ({
    ...{ id, name, description, status },
    ownerId: toUserId(lookups, owner),
    createdAt: toTimestamp(created_at),
    columns: columns === null ? null : JSON.parse(columns),
    customFieldIds: (JSON.parse(fields ?? '[]') as number[])
      .map((field) => `cf_${field}`)
      .filter((field) => lookups.fields.has(field)),
  }),
});

const projectMemberColumns = selectColumns({ project: n.project, member: n.member });

export const projectMembersTable = defineTable({
  name: 'project-members',
  description: 'Who is a member of which project.',
  read: ({ ws, after }) =>
    readRows(sql`
      SELECT ${projectMemberColumns} FROM ${p} INDEXED BY projects_by_workspace
        CROSS JOIN ${n} ON ${n.project} = ${p.id}
      WHERE ${p.ws} = ${ws} AND ${isAfter({ after }, [{ column: p.id }, { column: n.member }])}
      ORDER BY ${p.id}, ${n.member} LIMIT ${ROWS_MAX}`),
  key: ({ project, member }) => [project, member],
  show: ({ project, member }, lookups) => ({ projectId: project, userId: toUserId(lookups, member) }),
  isOwn: (row, member) => row.member === member,
});

const selectMeetingColumns = (person: number) =>
  selectColumns({
    id: g.id,
    project: g.project,
    name: g.name,
    description: g.description,
    link: g.link,
    location: g.location,
    minutes: g.duration_minutes,
    recurrence: g.recurrence,
    first_date: g.first_date,
    first_time: g.first_time,
    occurrence: g.occurrence,
    date: g.date,
    time: g.time,
    creator: g.created_by,
    created_at: g.created_at,
    cancelled_at: g.cancelled_at,
    participants: withType<string>(sql`(
    SELECT json_group_array(json_array(${k.member}, ${k.task}) ORDER BY ${k.member}) FROM ${k}
    WHERE ${k.meeting} = ${g.id} AND ${k.occurrence} = ${g.occurrence})`),
    is_own: withType<0 | 1>(sql`(${g.created_by} = ${person} AND EXISTS (
      SELECT 1 FROM ${m} WHERE ${m.no} = ${person} AND ${canReachProject(m, 'seeMeetings', g.project)}))`),
  });

export const meetingsTable = defineTable({
  name: 'meetings',
  description:
    "Meetings, including canceled ones. `date` and `time` are the latest occurrence's, in the workspace's time zone. `participants` lists its people and their tasks.",
  read: ({ ws, person, after }) =>
    readRows(sql`
      SELECT ${selectMeetingColumns(person)} FROM ${p} INDEXED BY projects_by_workspace
        CROSS JOIN ${g} INDEXED BY meetings_of_project ON ${g.project} = ${p.id}
      WHERE ${p.ws} = ${ws} AND ${isAfter({ after }, [{ column: p.id }, { column: g.id }])}
      ORDER BY ${p.id}, ${g.id} LIMIT ${DESCRIBED_ROWS_MAX}`),
  key: ({ project, id }) => [project, id],
  show: (row, lookups) => ({
    id: row.id,
    projectId: row.project,
    name: row.name,
    description: row.description,
    meetingLink: row.link,
    location: row.location,
    durationMinutes: row.minutes,
    recurrence: row.recurrence,
    firstDate: row.first_date,
    firstTime: row.first_time,
    occurrence: row.occurrence,
    date: row.date,
    time: row.time,
    createdById: toUserId(lookups, row.creator),
    createdAt: toTimestamp(row.created_at),
    canceledAt: row.cancelled_at === null ? null : toTimestamp(row.cancelled_at),
    participants: (JSON.parse(row.participants) as [number, number][]).map(([member, task]) => ({
      userId: toUserId(lookups, member),
      taskId: task,
    })),
  }),
  isOwn: ({ is_own }) => is_own === 1,
});
