// This file is long because one list contains all invariants of a cell, so that tests can check each of them.
import { isAfterFirstEvent } from '../../events/log/task-events.queries.ts';
import { aliasTable, sql } from '../../kernel/sql/sql.ts';
import { attachments, objectsToDelete, uploads } from '../../schema/cell/attachments.ts';
import { checklists } from '../../schema/cell/checklists.ts';
import { comments } from '../../schema/cell/comments.ts';
import { credentials } from '../../schema/cell/credentials.ts';
import { events } from '../../schema/cell/events.ts';
import { idempotencyKeys } from '../../schema/cell/idempotency.ts';
import { meetings, meetingTasks } from '../../schema/cell/meetings.ts';
import { projectDeletions } from '../../schema/cell/project-deletions.ts';
import { projectMembers, projects } from '../../schema/cell/projects.ts';
import { taskSearch, unindexedTasks } from '../../schema/cell/search.ts';
import { longTexts, tasks } from '../../schema/cell/tasks.ts';
import { timeEntries } from '../../schema/cell/time-entries.ts';
import { trash } from '../../schema/cell/trash.ts';
import { members, workspaces } from '../../schema/cell/workspaces.ts';
import { commentInvariants } from './comment-invariants.queries.ts';
import { counterInvariants } from './counter-invariants.queries.ts';
import { detailSearchInvariants } from './detail-search-invariants.queries.ts';
import { exportInvariants } from './export-invariants.queries.ts';
import { fieldInvariants } from './field-invariants.queries.ts';
import { followerInvariants } from './follower-invariants.queries.ts';
import { importInvariants } from './import-invariants.queries.ts';
import {
  createOffenderQuery,
  type Invariant,
  projectsBeingDeleted,
  tasksBeingDeleted,
} from './invariant.queries.ts';
import { otherAssigneeInvariants } from './other-assignee-invariants.queries.ts';
import { peopleInvariants } from './people-invariants.queries.ts';
import { recurrenceInvariants } from './recurrence-invariants.queries.ts';
import { relationInvariants } from './relation-invariants.queries.ts';
import { reminderInvariants } from './reminder-invariants.queries.ts';
import { subtaskInvariants } from './subtask-invariants.queries.ts';
import { templateInvariants } from './template-invariants.queries.ts';
import { trashInvariants } from './trash-invariants.queries.ts';

const a = aliasTable(attachments, 'a');
const b = aliasTable(events, 'b');
const c = aliasTable(comments, 'c');
const key = aliasTable(credentials, 'c');
const e = aliasTable(events, 'e');
const entry = aliasTable(timeEntries, 'e');
const meeting = aliasTable(meetings, 'm');
const m = aliasTable(members, 'm');
const mt = aliasTable(meetingTasks, 'mt');
const o = aliasTable(objectsToDelete, 'o');
const p = aliasTable(projects, 'p');
const pm = aliasTable(projectMembers, 'pm');
const r = aliasTable(events, 'r');
const s = aliasTable(taskSearch, 's');
const d = aliasTable(trash, 'd');
const deletion = aliasTable(projectDeletions, 'd');
const h = aliasTable(tasks, 'h');
const t = aliasTable(tasks, 't');
const u = aliasTable(uploads, 'u');
const w = aliasTable(workspaces, 'w');
const waiting = aliasTable(unindexedTasks, 'q');
const k = aliasTable(checklists, 'k');
const x = aliasTable(longTexts, 'x');

export type { Invariant } from './invariant.queries.ts';

export const cellInvariants: readonly Invariant[] = [
  ...counterInvariants,
  ...detailSearchInvariants,
  {
    name: 'every task is in the search index',
    over: 'tasks',
    repairedBy: 'search',
    offenders: createOffenderQuery(
      (within) => sql`
      SELECT 'task ' || ${t.id} || ' is not in the index' AS offender FROM ${t} NOT INDEXED
      WHERE ${within(t.id)} AND ${t.ws} > 0
        AND NOT EXISTS (SELECT 1 FROM ${s} WHERE s.rowid = ((${t.ws} * 2) << 32) | ${t.id})`,
    ),
  },
  {
    name: 'every row of the search index belongs to a task',
    repairedBy: 'search',
    offenders: createOffenderQuery(sql`
      SELECT 'row ' || s.rowid || ' of the index belongs to no task' AS offender FROM ${s}
      WHERE NOT EXISTS (SELECT 1 FROM ${t} WHERE ${t.id} = (s.rowid & 4294967295)
        AND s.rowid = ((abs(${t.ws}) * 2) << 32) | ${t.id})`),
  },
  {
    name: 'every row of search_waiting belongs to a task',
    repairedBy: 'search',
    offenders: createOffenderQuery(sql`
      SELECT 'task ' || ${waiting.task} || ' is waiting but no longer exists' AS offender FROM ${waiting}
      WHERE NOT EXISTS (SELECT 1 FROM ${t} WHERE ${t.id} = ${waiting.task} AND abs(${t.ws}) = ${waiting.ws})`),
  },
  {
    name: 'every long text belongs to a task, and tasks refer only to existing long texts',
    offenders: createOffenderQuery(sql`
      SELECT 'task ' || ${t.id} || ' lacks long text ' || ${t.long_text} || ', or also has a short text' AS offender
      FROM ${t} INDEXED BY tasks_by_long_text
      WHERE ${t.long_text} IS NOT NULL AND ${t.ws} > 0
        AND (${t.description} IS NOT NULL OR ${t.description_key} <> ''
          OR NOT EXISTS (SELECT 1 FROM ${x} WHERE ${x.ws} = ${t.ws} AND ${x.id} = ${t.long_text}))
      UNION ALL
      SELECT 'long text ' || ${x.id} || ' of workspace ' || ${x.ws} || ' belongs to no task' FROM ${x}
      WHERE NOT EXISTS (SELECT 1 FROM ${t} INDEXED BY tasks_by_long_text
        WHERE ${t.long_text} = ${x.id} AND abs(${t.ws}) = ${x.ws})`),
  },
  {
    name: 'tasks belong to a project, and assignees to the workspace',
    over: 'tasks',
    offenders: createOffenderQuery(
      (within) => sql`
      SELECT 'task ' || ${t.id} || ' is in no project of its workspace' AS offender FROM ${t} NOT INDEXED
      WHERE ${within(t.id)} AND ${t.ws} > 0
        AND NOT EXISTS (SELECT 1 FROM ${p} WHERE ${p.id} = ${t.project} AND ${p.ws} = ${t.ws})
      UNION ALL
      SELECT 'task ' || ${t.id} || ' is hidden, but neither in the trash nor in a project that is being deleted' FROM ${t} NOT INDEXED
      WHERE ${within(t.id)} AND ${t.ws} <= 0
        AND NOT EXISTS (SELECT 1 FROM ${deletion} WHERE ${deletion.project} = -${t.project} AND ${deletion.ws} = -${t.ws})
        AND NOT EXISTS (SELECT 1 FROM ${d} WHERE ${d.task} = ${t.id} AND ${d.ws} = -${t.ws} AND ${d.project} = -${t.project}
          AND ${t.parent} IS NULL)
        AND NOT EXISTS (SELECT 1 FROM ${h} WHERE ${h.id} = ${t.parent} AND ${h.ws} = ${t.ws} AND ${h.project} = ${t.project})
      UNION ALL
      SELECT 'task ' || ${t.id} || ' is assigned to ' || ${t.assignee} || ', who is not a member'
        FROM ${t} NOT INDEXED
      WHERE ${within(t.id)} AND ${t.assignee} > 0
        AND NOT EXISTS (SELECT 1 FROM ${m} WHERE ${m.no} = ${t.assignee} AND ${m.ws} = abs(${t.ws}))`,
    ),
  },
  {
    name: 'every checklist belongs to a task that stores its number of items',
    over: 'tasks',
    offenders: createOffenderQuery(
      (within) => sql`
      SELECT 'checklist of task ' || ${k.task} || ' belongs to no task' AS offender FROM ${k}
      WHERE ${within(k.task)} AND NOT EXISTS (SELECT 1 FROM ${t} WHERE ${t.id} = ${k.task} AND abs(${t.ws}) = ${k.ws})
      UNION ALL
      SELECT 'task ' || ${t.id} || ' stores a wrong number of checklist items' FROM ${t} NOT INDEXED LEFT JOIN ${k} ON ${k.task} = ${t.id}
      WHERE ${within(t.id)} AND ${t.ws} > 0 AND (${t.checklist_total}, ${t.checklist_done}) IS NOT (
        SELECT count(*), coalesce(sum(l.value ->> 'isDone'), 0) FROM json_each(coalesce(${k.lines}, '[]')) l)`,
    ),
  },
  ...fieldInvariants,
  ...followerInvariants,
  ...otherAssigneeInvariants,
  {
    name: 'comments and events belong to a task of their workspace',
    over: 'tasks',
    offenders: createOffenderQuery(
      (within) => sql`
      SELECT 'comment ' || ${c.id} || ' has no task' AS offender FROM ${c}
      WHERE ${within(c.task)} AND NOT EXISTS (SELECT 1
        FROM ${t} WHERE ${t.id} = ${c.task} AND abs(${t.ws}) = ${c.ws})
      UNION ALL
      SELECT 'event ' || ${e.seq} || ' of workspace ' || ${e.ws} || ' has no task' FROM ${e}
      WHERE ${within(e.task)} AND ${e.entries} > 0
        AND NOT EXISTS (SELECT 1 FROM ${t} WHERE ${t.id} = ${e.task} AND abs(${t.ws}) = ${e.ws})
      UNION ALL
      SELECT 'event ' || ${e.seq} || ' of workspace ' || ${e.ws} || ' refers to comment ' || ${e.entity} ||
        ', which does not exist'
      FROM ${e} INDEXED BY events_by_task
      WHERE ${within(e.task)} AND ${e.task} NOT IN ${tasksBeingDeleted} AND ${isAfterFirstEvent(e)}
        AND ${e.type} IN ('comment.created', 'comment.updated')
        AND NOT EXISTS (SELECT 1 FROM ${c} WHERE ${c.id} = ${e.entity} AND ${c.task} = ${e.task})
        AND NOT EXISTS (SELECT 1 FROM ${r} INDEXED BY events_by_task
          WHERE ${r.task} = ${e.task} AND ${isAfterFirstEvent(r)} AND ${r.entity} = ${e.entity}
            AND ${r.type} = 'comment.deleted')
      UNION ALL
      SELECT 'task ' || ${t.id} || ' refers to first event ' || ${t.first_event} || ', which is not its first event' FROM ${t}
      WHERE ${within(t.id)} AND ${t.ws} > 0 AND ${t.first_event} IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM ${e} WHERE ${e.ws} = ${t.ws} AND ${e.seq} = ${t.first_event}
          AND ${e.task} = ${t.id} AND ${e.entries} > 0 AND NOT (${isAfterFirstEvent(e)}))`,
    ),
  },
  {
    name: 'event sequence numbers have no gaps, and event times never decrease',
    offenders: createOffenderQuery(sql`
      SELECT 'workspace ' || ${w.no} || ' lacks ' || (max(${e.seq}) - ${w.events_from} + 1 - count(*)) || ' events' AS offender
      FROM ${w} CROSS JOIN ${e} ON ${e.ws} = ${w.no} AND ${e.seq} >= ${w.events_from}
      GROUP BY ${w.no} HAVING max(${e.seq}) - ${w.events_from} + 1 <> count(*)
      UNION ALL
      SELECT 'event ' || ${e.seq} || ' of workspace ' || ${e.ws} || ' is earlier than the event before it' FROM ${e}
      WHERE ${e.occurred_at} < (SELECT ${b.occurred_at}
        FROM ${b} WHERE ${b.ws} = ${e.ws} AND ${b.seq} = ${e.seq} - 1)`),
  },
  ...commentInvariants,
  ...subtaskInvariants,
  ...recurrenceInvariants,
  ...relationInvariants,
  ...reminderInvariants,
  ...templateInvariants,
  ...importInvariants,
  ...exportInvariants,
  ...trashInvariants,
  {
    name: 'project owners are members of their projects',
    offenders: createOffenderQuery(sql`
      SELECT 'project ' || ${p.id} || ' lacks its owner, member ' || ${p.owner} AS offender FROM ${p}
      WHERE NOT EXISTS (SELECT 1 FROM ${pm} WHERE ${pm.project} = ${p.id} AND ${pm.member} = ${p.owner})
      UNION ALL
      SELECT 'project ' || ${pm.project} || ' has member ' || ${pm.member} || ', who is not in its workspace'
      FROM ${pm} WHERE NOT EXISTS (
        SELECT 1 FROM ${p} JOIN ${m} ON ${m.ws} = ${p.ws} WHERE ${p.id} = ${pm.project}
          AND ${m.no} = ${pm.member})`),
  },
  {
    name: 'every meeting has a participant, and its tasks are in its workspace',
    offenders: createOffenderQuery(sql`
      SELECT 'meeting ' || ${mt.meeting} || ' points to task ' || ${mt.task} ||
        ', which is not in its workspace' AS offender
      FROM ${mt} CROSS JOIN ${t} ON ${t.id} = ${mt.task} WHERE NOT EXISTS (
        SELECT 1 FROM ${meeting} WHERE ${meeting.id} = ${mt.meeting} AND ${meeting.ws} = abs(${t.ws}))
      UNION ALL
      SELECT 'meeting ' || ${meeting.id} || ' has no participant in occurrence ' || ${meeting.occurrence}
        FROM ${meeting}
      WHERE ${meeting.project} NOT IN ${projectsBeingDeleted}
        AND NOT EXISTS (SELECT 1 FROM ${mt} WHERE ${mt.meeting} = ${meeting.id}
          AND ${mt.occurrence} = ${meeting.occurrence})`),
  },
  {
    name: "every time entry has a task and doesn't end before it starts, and no member has several running timers",
    offenders: createOffenderQuery(sql`
      SELECT 'member ' || ${entry.member} || ' has ' || count(*) || ' running timers' AS offender FROM ${entry}
      WHERE ${entry.ended_at} IS NULL GROUP BY ${entry.member} HAVING count(*) > 1
      UNION ALL
      SELECT 'time entry ' || ${entry.id} || ' has no task' FROM ${entry}
      WHERE NOT EXISTS (SELECT 1 FROM ${t} WHERE ${t.id} = ${entry.task} AND ${t.ws} = ${entry.ws})
      UNION ALL
      SELECT 'time entry ' || ${entry.id} || ' ends before it starts' FROM ${entry}
        WHERE ${entry.ended_at} < ${entry.started_at}`),
  },
  {
    name: 'every file has exactly one latest version and belongs to a task or project',
    offenders: createOffenderQuery(sql`
      SELECT 'attachment ' || coalesce(${a.parent},
        ${a.id}) || ' has ' || sum(${a.latest}) || ' latest versions' AS offender
      FROM ${a} GROUP BY coalesce(${a.parent}, ${a.id}) HAVING sum(${a.latest}) <> 1
      UNION ALL
      SELECT 'attachment ' || ${a.id} || ' belongs to no task or project' FROM ${a}
      WHERE NOT EXISTS (SELECT 1 FROM ${t} WHERE ${t.id} = ${a.task} AND abs(${t.ws}) = ${a.ws})
        AND NOT EXISTS (SELECT 1 FROM ${p} WHERE ${p.id} = ${a.project} AND ${p.ws} = ${a.ws})`),
  },
  {
    name: 'confirmed uploads reserve no storage, and other uploads reserve their declared size or nothing',
    offenders: createOffenderQuery(sql`
      SELECT 'upload ' || ${u.id} || ' reserves ' || ${u.reserved} || ' of ' || ${u.file_size} || ' bytes' AS offender
      FROM ${u} WHERE ${u.reserved} NOT IN (0, ${u.file_size}) OR (${u.confirmed} = 1 AND ${u.reserved} <> 0)
      UNION ALL
      SELECT 'upload ' || ${u.id} || ' has an attachment but is not confirmed' FROM ${u}
      WHERE ${u.confirmed} = 0 AND EXISTS (SELECT 1 FROM ${a} WHERE ${a.s3_key} = ${u.s3_key})`),
  },
  {
    name: 'no attachment has an object that is scheduled for deletion',
    offenders: createOffenderQuery(sql`
      SELECT 'object ' || ${o.object_key} || ' of attachment ' || ${a.id} || ' is scheduled for deletion' AS offender
      FROM ${o} JOIN ${a} ON ${a.object_key} = ${o.object_key}`),
  },
  {
    name: 'credentials belong to a member of their workspace',
    offenders: createOffenderQuery(sql`
      SELECT 'credential ' || ${key.id} || ' has no owner' AS offender FROM ${key}
      WHERE NOT EXISTS (SELECT 1 FROM ${m} WHERE ${m.no} = ${key.member} AND ${m.ws} = ${key.ws})`),
  },
  ...peopleInvariants,
];

/** A cron job deletes keys after a day. The second day allows for a late run. */
const KEY_AGE_MS_MAX = 48 * 60 * 60_000;

export function buildKeyAgeInvariant(now: number): Invariant {
  return {
    name: 'idempotency keys are deleted after a day',
    offenders: createOffenderQuery(sql`
      SELECT 'a key is from ' || datetime(${idempotencyKeys.created_at} / 1000, 'unixepoch') AS offender
      FROM ${idempotencyKeys} WHERE ${idempotencyKeys.created_at} < ${sql.raw(String(now - KEY_AGE_MS_MAX))}`),
  };
}
