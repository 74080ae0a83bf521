import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { attachments } from '../../schema/cell/attachments.ts';
import { calendarFeeds } from '../../schema/cell/calendar-feeds.ts';
import { comments } from '../../schema/cell/comments.ts';
import { credentials } from '../../schema/cell/credentials.ts';
import { departures } from '../../schema/cell/departures.ts';
import { events } from '../../schema/cell/events.ts';
import { invitations } from '../../schema/cell/invitations.ts';
import { meetings } from '../../schema/cell/meetings.ts';
import { notifications } from '../../schema/cell/notifications.ts';
import { projects } from '../../schema/cell/projects.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { timeEntries } from '../../schema/cell/time-entries.ts';
import { workspaceDeletions } from '../../schema/cell/workspace-deletions.ts';
import { activeMembers, members } from '../../schema/cell/workspaces.ts';
import { createOffenderQuery, type Invariant } from './invariant.queries.ts';

const d = aliasTable(departures, 'd');
const deletionAlias = aliasTable(workspaceDeletions, 'd');
const i = aliasTable(invitations, 'i');
const activeMemberAlias = aliasTable(activeMembers, 'm');

const taskAlias = aliasTable(tasks, 'x');
const commentAlias = aliasTable(comments, 'x');
const eventAlias = aliasTable(events, 'x');
const projectAlias = aliasTable(projects, 'x');
const meetingAlias = aliasTable(meetings, 'x');
const fileAlias = aliasTable(attachments, 'x');
const timeEntryAlias = aliasTable(timeEntries, 'x');
const c = aliasTable(credentials, 'c');
const e = aliasTable(timeEntries, 'e');
const f = aliasTable(calendarFeeds, 'f');
const m = aliasTable(members, 'm');
const n = aliasTable(notifications, 'n');

function selectRowsWithoutMember(
  what: string,
  x: SQL & { readonly ws: SQL },
  column: SQL,
  id: SQL,
  condition = sql`true`,
): SQL {
  return sql`
    SELECT ${sql.raw(`'${what} '`)} || ${id} || ' belongs to member ' || ${column} || ', who does not exist' AS offender
      FROM ${x}
    WHERE ${condition} AND NOT EXISTS (SELECT 1 FROM ${m} WHERE ${m.no} = ${column} AND ${m.ws} = abs(${x.ws}))`;
}

/** Memberships end but are never deleted, so these rules can rely on them. */
export const peopleInvariants: readonly Invariant[] = [
  {
    name: 'authors of tasks, comments and history entries are or were members',
    over: 'tasks',
    offenders: createOffenderQuery((within) =>
      sql.join(
        [
          selectRowsWithoutMember(
            'task',
            taskAlias,
            taskAlias.created_by,
            taskAlias.id,
            within(taskAlias.id),
          ),
          selectRowsWithoutMember(
            'comment',
            commentAlias,
            commentAlias.author,
            commentAlias.id,
            within(commentAlias.task),
          ),
          selectRowsWithoutMember(
            'event',
            eventAlias,
            eventAlias.actor,
            eventAlias.seq,
            within(eventAlias.task),
          ),
        ],
        sql` UNION ALL `,
      ),
    ),
  },
  {
    name: 'owners of projects and creators of meetings, files and time entries are or were members',
    offenders: createOffenderQuery(
      sql.join(
        [
          selectRowsWithoutMember('project', projectAlias, projectAlias.owner, projectAlias.id),
          selectRowsWithoutMember('meeting', meetingAlias, meetingAlias.created_by, meetingAlias.id),
          selectRowsWithoutMember('file', fileAlias, fileAlias.uploaded_by, fileAlias.id),
          selectRowsWithoutMember('time entry', timeEntryAlias, timeEntryAlias.member, timeEntryAlias.id),
        ],
        sql` UNION ALL `,
      ),
    ),
  },
  {
    name: 'people who left have no valid key, calendar feed or running timer',
    offenders: createOffenderQuery(sql`
      SELECT 'member ' || ${m.no} || ' left but has credential ' || ${c.id} AS offender
      FROM ${m} CROSS JOIN ${c} ON ${c.member} = ${m.no} AND ${c.revoked_at} IS NULL
      WHERE ${m.ended_at} IS NOT NULL AND ${m.is_settled} = 1
      UNION ALL
      SELECT 'member ' || ${m.no} || ' left but has a calendar feed'
      FROM ${f} CROSS JOIN ${m} ON ${m.no} = ${f.member} AND ${m.ended_at} IS NOT NULL AND ${m.is_settled} = 1
      UNION ALL
      SELECT 'member ' || ${m.no} || ' left but has the running timer ' || ${e.id}
      FROM ${e} INDEXED BY time_entries_running CROSS JOIN ${m} ON ${m.no} = ${e.member}
      WHERE ${e.ended_at} IS NULL AND ${m.ended_at} IS NOT NULL AND ${m.is_settled} = 1`),
  },
  {
    name: 'every notification has a recipient, except the newest if it was deleted',
    offenders: createOffenderQuery(sql`
      SELECT 'notifications ' || min(${n.id}) || ' to ' || max(${n.id}) || ' have no owner' AS offender
      FROM ${n} WHERE ${n.user_id} = '' GROUP BY ${n.user_id} HAVING count(*) > 1`),
  },
  {
    name: 'every workspace with members has an owner',
    offenders: createOffenderQuery(sql`
      SELECT 'workspace ' || ${activeMemberAlias.ws} || ' has members but no owner' AS offender FROM ${activeMemberAlias}
      GROUP BY ${activeMemberAlias.ws} HAVING sum(${activeMemberAlias.role} = 'owner') = 0`),
  },
  {
    name: 'open invitations are from people who may grant the role, and accepted invitations contain no email address',
    offenders: createOffenderQuery(sql`
      SELECT 'invitation ' || ${i.id} || ' is from member ' || ${m.no} ||
        ', who may not grant the role ' || ${i.role} AS offender
      FROM ${i} CROSS JOIN ${m} ON ${m.no} = ${i.invited_by}
      WHERE ${i.ended_at} IS NULL AND (${m.ws} <> ${i.ws} OR ${m.ended_at} IS NOT NULL OR NOT (
        ${m.role} = 'owner' OR ${m.role} = 'admin' OR (${m.role} = 'lead' AND ${i.role} IN ('member', 'client'))))
      UNION ALL
      SELECT 'invitation ' || ${i.id} || ' was accepted but contains an email address' FROM ${i}
      WHERE ${i.accepted_by} IS NOT NULL AND (${i.email} <> '' OR ${i.email_key} <> '' OR ${i.ended_at} IS NULL)
      UNION ALL
      SELECT 'invitation ' || ${i.id} || ' was accepted by member ' || ${i.accepted_by} || ' of another workspace'
      FROM ${i} WHERE ${i.accepted_by} IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM ${m} WHERE ${m.no} = ${i.accepted_by} AND ${m.ws} = ${i.ws})`),
  },
  {
    name: "only former members' tasks are queued for handover, and only deleted workspaces for removal",
    offenders: createOffenderQuery(sql`
      SELECT 'member ' || d.member || ' is handing over tasks but has not left' AS offender FROM ${d}
      WHERE NOT EXISTS (SELECT 1 FROM ${m} WHERE ${activeMemberAlias.no} = d.member AND ${activeMemberAlias.ws} = ${deletionAlias.ws} AND m.ended_at IS NOT NULL)
      UNION ALL
      SELECT 'workspace ' || ${deletionAlias.ws} || ' is being deleted but has member ' || ${activeMemberAlias.no} FROM ${deletionAlias}
      CROSS JOIN ${activeMemberAlias} ON ${activeMemberAlias.ws} = ${deletionAlias.ws}`),
  },
];
