import { and, eq } from 'drizzle-orm';
import type { Actor, Caller } from '../../kernel/access/access.ts';
import { getReach } from '../../kernel/access/capabilities.ts';
import type { WriteContext } from '../../kernel/operation/operation.ts';
import {
  assertUnchanged,
  buildInList,
  readFirstRow,
  readRows,
  type Statement,
  write,
} from '../../kernel/sql/database.ts';
import { type Argument, hasRow, prepared, query } from '../../kernel/sql/prepared.ts';
import {
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { meetings, meetingTasks } from '../../schema/cell/meetings.ts';
import { projectMembers, projects } from '../../schema/cell/projects.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { activeMembers, members } from '../../schema/cell/workspaces.ts';
import { hasJoinedProject, isProjectVisible } from '../../tasks/visibility/project-visibility.queries.ts';

const a = aliasTable(activeMembers, 'a');
const am = aliasTable(activeMembers, 'am');
const m = aliasTable(meetings, 'm');
const mn = aliasTable(activeMembers, 'mn');
const mt = aliasTable(meetingTasks, 'mt');
const o = aliasTable(members, 'o');
const p = aliasTable(projects, 'p');
const pm = aliasTable(projectMembers, 'pm');
const t = aliasTable(tasks, 't');

export type ParticipantRow = [userId: string, name: string, email: string, taskId: number, status: number];

/** Statements with these columns must use the aliases `m` for meetings, `p` for projects and `o` for creators. */
export const meetingColumns = selectColumns({
  id: m.id,
  name: m.name,
  description: m.description,
  project_id: p.id,
  project_name: p.name,
  date: m.date,
  time: m.time,
  duration_minutes: m.duration_minutes,
  link: m.link,
  location: m.location,
  recurrence: m.recurrence,
  occurrence: m.occurrence,
  due_at: m.due_at,
  version: m.version,
  creator_id: o.user_id,
  creator_name: o.name,
  creator_email: o.email,
  created_at: m.created_at,
  /** A JSON array of `ParticipantRow`. */
  participants:
    withType<string>(sql`(SELECT json_group_array(json_array(${a.user_id}, ${a.name}, ${a.email}, ${mt.task}, ${t.status})
    ORDER BY ${mt.task})
    FROM ${mt} CROSS JOIN ${t} ON ${t.id} = ${mt.task} AND ${t.ws} = ${m.ws} CROSS JOIN ${a} ON ${a.no} = ${mt.member}
    WHERE ${mt.meeting} = ${m.id} AND ${mt.occurrence} = ${m.occurrence})`),
});
export type MeetingRow = Row<typeof meetingColumns>;

export const newestMeetingId = sql`(SELECT max(${meetings.id}) FROM ${meetings})`;

/**
 * Finds only canceled meetings if `isCanceled` is true, and only active ones otherwise. Returns null if the caller
 * can't see the meeting.
 */
export function findMeeting(
  caller: Caller,
  id: SQL,
  { isCanceled = false } = {},
): Statement<(MeetingRow & { is_joined: 0 | 1 }) | null> {
  const visible = getReach(caller, 'seeMeetings') === 'all' ? sql`1` : hasJoinedProject(caller, m.project);
  return readFirstRow(sql`
    SELECT ${meetingColumns}, ${selectColumns({ is_joined: withType<0 | 1>(hasJoinedProject(caller, m.project)) })}
    FROM ${m} CROSS JOIN ${p} ON ${p.id} = ${m.project} CROSS JOIN ${o} ON ${o.no} = ${m.created_by}
    WHERE ${m.ws} = ${caller.workspace} AND ${m.id} = ${id}
      AND ${isCanceled ? sql`${m.cancelled_at} IS NOT NULL` : sql`${m.cancelled_at} IS NULL`} AND ${visible}`);
}

const getStateColumns = (caller: Caller) => ({
  id: m.id,
  name: m.name,
  date: m.date,
  time: m.time,
  link: m.link,
  location: m.location,
  recurrence: m.recurrence,
  version: m.version,
  is_cancelled: withType<0 | 1>(sql`(${m.cancelled_at} IS NOT NULL)`),
  is_joined: withType<0 | 1>(hasJoinedProject(caller, m.project)),
});
export type MeetingState = Row<ReturnType<typeof selectColumns<ReturnType<typeof getStateColumns>>>>;

export function listMeetingStates(caller: Caller, ids: readonly number[]): Statement<MeetingState[]> {
  const visible = getReach(caller, 'seeMeetings') === 'all' ? sql`1` : hasJoinedProject(caller, m.project);
  return readRows(sql`
    SELECT ${selectColumns(getStateColumns(caller))} FROM ${m} NOT INDEXED
    WHERE ${m.id} IN ${buildInList(ids)} AND ${m.ws} = ${caller.workspace} AND ${visible}`);
}

const projectIdColumn = selectColumns({ id: p.id });

export function findMeetingProject(
  caller: Caller,
  project: number,
): Statement<{ id: number; is_joined: 0 | 1 } | null> {
  return readFirstRow(sql`
    SELECT ${projectIdColumn}, ${selectColumns({ is_joined: withType<0 | 1>(hasJoinedProject(caller, p.id)) })} FROM ${p}
    WHERE ${p.ws} = ${caller.workspace} AND ${p.id} = ${project} AND ${isProjectVisible(caller, p.id)}`);
}

const projectMemberColumns = selectColumns({ user_id: mn.user_id, member: mn.no });

export function listProjectMembers(
  caller: Caller,
  project: number,
  userIds: readonly string[],
): Statement<{ user_id: string; member: number }[]> {
  return readRows(sql`
    SELECT ${projectMemberColumns} FROM json_each(${JSON.stringify(userIds)}) d
    CROSS JOIN ${mn} ON ${mn.ws} = ${caller.workspace} AND ${mn.user_id} = d.value
    CROSS JOIN ${pm} ON ${pm.project} = ${project} AND ${pm.member} = ${mn.no}
    ORDER BY d.key`);
}

export function assertProjectMembers(project: number, members: readonly number[]): Statement<void> {
  const distinct = [...new Set(members)];
  return assertUnchanged(sql`
    (SELECT count(*) FROM ${pm} CROSS JOIN ${am} ON ${am.no} = ${pm.member}
      WHERE ${pm.project} = ${project} AND ${pm.member} IN ${buildInList(distinct)})
    = ${distinct.length}`);
}

export interface NewMeeting {
  project: number;
  name: string;
  description: string | null;
  link: string | null;
  location: string | null;
  duration_minutes: number;
  recurrence: string | null;
  date: string;
  time: string;
  due_at: number | null;
}

const insertMeetingRow = prepared.write(
  (caller: Argument<Actor>, meeting: Argument<NewMeeting>, now: Argument<number>) =>
    query.insert(meetings).values({
      ws: caller.workspace,
      project: meeting.project,
      name: meeting.name,
      description: meeting.description,
      link: meeting.link,
      location: meeting.location,
      duration_minutes: meeting.duration_minutes,
      recurrence: meeting.recurrence,
      date: meeting.date,
      time: meeting.time,
      due_at: meeting.due_at,
      first_date: meeting.date,
      first_time: meeting.time,
      slot: meeting.date,
      created_by: caller.member,
      created_at: now,
    }),
);

export function insertMeeting({ caller, now }: WriteContext, meeting: NewMeeting): Statement<void> {
  return insertMeetingRow(caller, meeting, now);
}

/** Links each member to their task. The batch must have inserted the tasks in the order of `members`. */
export function insertMeetingTasks(
  meeting: SQL,
  occurrence: number,
  members: readonly number[],
): Statement<void> {
  return write(sql`
    INSERT INTO ${nameInsertColumns(meetingTasks, 'meeting', 'occurrence', 'member', 'task')}
    SELECT ${meeting}, ${occurrence}, d.value, (SELECT max(${tasks.id})
      FROM ${tasks}) - ${members.length} + 1 + d.key
    FROM json_each(${JSON.stringify(members)}) d`);
}

export type MeetingChanges = Partial<
  Pick<
    typeof meetings.$inferSelect,
    'date' | 'time' | 'link' | 'location' | 'slot' | 'occurrence' | 'due_at' | 'cancelled_at'
  >
>;

export function updateMeeting(
  meeting: { id: number; version: number },
  changes: MeetingChanges,
): Statement<void>[] {
  const set = (Object.keys(changes) as (keyof MeetingChanges)[]).map(
    (column) => sql`${meetings[column]} = ${changes[column] ?? null}, `,
  );
  return [
    write(sql`
      UPDATE ${meetings} SET ${sql.join(set)} ${meetings.version} = ${meetings.version} + 1
      WHERE ${meetings.id} = ${meeting.id} AND ${meetings.version} = ${meeting.version}
        AND ${meetings.cancelled_at} IS NULL`),
    assertUnchanged(sql`changes() = 1`),
  ];
}

export function restoreCanceledMeeting(
  { workspace }: Pick<Caller, 'workspace'>,
  { id, version }: { id: number; version: number },
  due_at: number | null,
): Statement<void>[] {
  return [
    write(sql`
      UPDATE ${meetings} SET ${meetings.cancelled_at} = NULL, ${meetings.due_at} = ${due_at},
        ${meetings.version} = ${meetings.version} + 1
      WHERE ${meetings.ws} = ${workspace} AND ${meetings.id} = ${id} AND ${meetings.version} = ${version}
        AND ${meetings.cancelled_at} IS NOT NULL`),
    assertUnchanged(sql`changes() = 1`),
  ];
}

export function selectMeetingStateAsJson(id: number): SQL {
  return sql`SELECT json_object('isOver', json(iif(${m.due_at} IS NULL, 'true', 'false'))) AS rows
    FROM ${m} WHERE ${m.id} = ${id}`;
}

export const assertMeetingVersion = prepared.assertUnchanged(
  (caller: Argument<Caller>, id: Argument<number>, version: Argument<number>) =>
    hasRow(
      meetings,
      and(eq(meetings.ws, caller.workspace), eq(meetings.id, id), eq(meetings.version, version)),
    ),
);
