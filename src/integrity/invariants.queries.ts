import { sql } from 'drizzle-orm';
import { rows, type Statement } from '../kernel/database.ts';
import { BUCKETS } from '../task-model/buckets.ts';
import { taskStatuses } from '../task-model/tasks.schema.ts';
import { NO_DEADLINE } from '../task-model/tasks.sql.ts';
import { commentInvariants } from './comment-invariants.queries.ts';
import { drift, type Invariant, offenders } from './invariant.queries.ts';
import { peopleInvariants } from './people-invariants.queries.ts';

export type { Invariant } from './invariant.queries.ts';

const buckets = Array.from({ length: BUCKETS }, (_, bucket) => `c${bucket}`);
const days = taskStatuses.map((_, status) => `s${status}`);
const followed = Array.from({ length: BUCKETS }, (_, bucket) => `f${bucket}`);
const completed = taskStatuses.indexOf('completed');
const dayTallies = days.map((_, status) => `-sum(t.status = ${status})`);
const sumsByStatus = [
  ['past', 't.due < w.counted_until'],
  ['week', 't.due < w.week_until'],
  ['h', 't.hours'],
].flatMap(([prefix, amount]) =>
  taskStatuses.map((_, status) => [
    `${prefix}${status}`,
    `-sum((t.archived = 0 AND t.status = ${status}) * (${amount}))`,
  ]),
);
const pastHours = `-sum((t.archived = 0 AND t.status <> ${completed} AND t.due < w.counted_until) * t.hours)`;
const assignedTallies = [
  ...buckets.map((column, bucket) => [column, `-sum(t.k = ${bucket})`]),
  ...sumsByStatus,
  ['past_hours', pastHours],
] as [string, string][];

const assignedColumns = assignedTallies.map(([column]) => column);
const taskTallies = assignedTallies.map(([, tally]) => tally).join(', ');
const memberDays = ['due', 'due_hours', 'done', 'done_hours'];
/** Compares the sums of a person with those of their projects, as SQL: the total and, negative, its parts. */
const totals = (table: string, keys: string, columns: readonly string[]) => `
  SELECT ${keys}, ${columns.join(', ')} FROM ${table} WHERE member > 0 AND project = 0
  UNION ALL SELECT ${keys}, ${columns.map((column) => `-sum(${column})`).join(', ')} FROM ${table}
    WHERE member > 0 AND project > 0 GROUP BY ${keys}`;

export const cellInvariants: readonly Invariant[] = [
  {
    name: 'task_counts are those of the tasks',
    over: 'projects',
    mendedBy: 'counters',
    offenders: offenders((within) =>
      drift(
        'task_counts',
        ['ws', 'project', 'member'],
        assignedColumns,
        `SELECT ws, member, project, ${assignedColumns.join(', ')} FROM task_counts
          WHERE ${within('project')} AND project > 0
        UNION ALL
        SELECT t.ws, 0, t.project, ${taskTallies} FROM tasks t JOIN workspaces w ON w.no = t.ws
          WHERE ${within('t.project')} GROUP BY t.ws, t.project
        UNION ALL
        SELECT t.ws, t.member, t.project, ${taskTallies} FROM tasks t JOIN workspaces w ON w.no = t.ws
          WHERE ${within('t.project')} AND t.member > 0 GROUP BY t.ws, t.member, t.project`,
      ),
    ),
  },
  {
    name: 'task_counts of followers are those of the followed tasks',
    over: 'projects',
    mendedBy: 'counters',
    offenders: offenders((within) =>
      drift(
        'task_counts of followers',
        ['member', 'project'],
        followed,
        `SELECT member, project, ${followed.join(', ')} FROM task_counts WHERE ${within('project')}
        UNION ALL
        SELECT f.member, t.project, ${followed.map((_, bucket) => `-sum(t.k = ${bucket})`).join(', ')}
          FROM tasks t INDEXED BY tasks_by_project
          CROSS JOIN followers f INDEXED BY followers_by_task ON f.task = t.id
          WHERE ${within('t.project')} GROUP BY f.member, t.project`,
      ),
    ),
  },
  {
    name: 'counters of a person are the sums of their projects',
    mendedBy: 'counters',
    offenders: offenders(
      drift(
        'task_counts',
        ['ws', 'member'],
        assignedColumns,
        totals('task_counts', 'ws, member', assignedColumns),
      ),
    ),
  },
  {
    name: 'days of a person are the sums of their projects',
    mendedBy: 'counters',
    offenders: offenders(
      drift(
        'member_days',
        ['ws', 'member', 'day'],
        memberDays,
        totals('member_days', 'ws, member, day', memberDays),
      ),
    ),
  },
  {
    name: 'member_days are those of the tasks',
    over: 'projects',
    mendedBy: 'counters',
    offenders: offenders((within) =>
      drift(
        'member_days',
        ['member', 'project', 'day'],
        memberDays,
        `SELECT member, project, day, ${memberDays.join(', ')} FROM member_days
          WHERE ${within('project')} AND project > 0
        UNION ALL
        SELECT t.member, t.project, t.due, -count(*), -sum(t.hours), 0, 0 FROM tasks t
          WHERE ${within('t.project')} AND t.member > 0 AND t.archived = 0 AND t.status <> ${completed}
            AND t.due <> '${NO_DEADLINE}' GROUP BY t.member, t.project, t.due
        UNION ALL
        SELECT t.member, t.project, t.completed_on, 0, 0, -count(*), -sum(t.hours) FROM tasks t
          WHERE ${within('t.project')} AND t.member > 0 AND t.archived = 0 AND t.status = ${completed}
            AND t.completed_on IS NOT NULL GROUP BY t.member, t.project, t.completed_on`,
      ),
    ),
  },
  {
    name: 'due_days are those of the tasks',
    over: 'projects',
    mendedBy: 'counters',
    offenders: offenders((within) =>
      drift(
        'due_days',
        ['project', 'day'],
        days,
        `SELECT project, day, ${days.join(', ')} FROM due_days WHERE ${within('project')}
        UNION ALL
        SELECT t.project, t.due, ${dayTallies.join(', ')} FROM tasks t
          WHERE ${within('t.project')} AND t.archived = 0 AND t.due <> '${NO_DEADLINE}' GROUP BY t.project, t.due`,
      ),
    ),
  },
  {
    name: 'comment_count and activity_count are those of the rows',
    over: 'tasks',
    mendedBy: 'counters',
    offenders: offenders((within) =>
      drift(
        'tasks',
        ['task'],
        ['comment_count', 'activity_count'],
        `SELECT id AS task, comment_count, activity_count FROM tasks WHERE ${within('id')}
        UNION ALL SELECT task, -count(*), 0 FROM comments WHERE ${within('task')} GROUP BY task
        UNION ALL SELECT task, 0, -count(*) FROM activities WHERE ${within('task')} GROUP BY task`,
      ),
    ),
  },
  {
    name: 'notification_counts are those of the notifications',
    mendedBy: 'counters',
    offenders: offenders(
      drift(
        'notification_counts',
        ['user_id'],
        ['total', 'unread'],
        `SELECT user_id, total, unread FROM notification_counts
        UNION ALL SELECT user_id, -count(*), -sum(read_at IS NULL) FROM notifications WHERE user_id <> '' GROUP BY user_id`,
      ),
    ),
  },
  {
    name: 'storage is what attachments take and uploads reserve',
    mendedBy: 'counters',
    offenders: offenders(
      drift(
        'storage',
        ['ws'],
        ['used', 'reserved'],
        `SELECT ws, used, reserved FROM storage
        UNION ALL SELECT ws, -sum(file_size), 0 FROM attachments GROUP BY ws
        UNION ALL SELECT ws, 0, -sum(reserved) FROM uploads GROUP BY ws`,
      ),
    ),
  },
  {
    name: 'every task has its row in the search index',
    over: 'tasks',
    mendedBy: 'search',
    offenders: offenders(
      (within) => `
      SELECT 'task ' || t.id || ' is not in the index' AS offender FROM tasks t NOT INDEXED
      WHERE ${within('t.id')}
        AND NOT EXISTS (SELECT 1 FROM task_search s WHERE s.rowid = ((t.ws * 2 + t.archived) << 32) | t.id)`,
    ),
  },
  {
    name: 'every row of the search index belongs to a task',
    mendedBy: 'search',
    offenders: offenders(`
      SELECT 'row ' || s.rowid || ' of the index belongs to no task' AS offender FROM task_search s
      WHERE NOT EXISTS (SELECT 1 FROM tasks t WHERE t.id = (s.rowid & 4294967295)
        AND s.rowid = ((t.ws * 2 + t.archived) << 32) | t.id)`),
  },
  {
    name: 'tasks belong to a project, and assignees to the workspace',
    over: 'tasks',
    offenders: offenders(
      (within) => `
      SELECT 'task ' || t.id || ' is in no project of its workspace' AS offender FROM tasks t NOT INDEXED
      WHERE ${within('t.id')} AND NOT EXISTS (SELECT 1 FROM projects p WHERE p.id = t.project AND p.ws = t.ws)
      UNION ALL
      SELECT 'task ' || t.id || ' is assigned to ' || t.member || ', who is not a member' FROM tasks t NOT INDEXED
      WHERE ${within('t.id')} AND t.member > 0
        AND NOT EXISTS (SELECT 1 FROM members m WHERE m.no = t.member AND m.ws = t.ws)`,
    ),
  },
  {
    name: 'assignees follow their tasks, and followers follow tasks that exist',
    over: 'tasks',
    offenders: offenders(
      (within) => `
      SELECT 'member ' || t.member || ' is assigned to task ' || t.id || ' and does not follow it' AS offender
      FROM tasks t NOT INDEXED WHERE ${within('t.id')} AND t.member > 0
        AND NOT EXISTS (SELECT 1 FROM followers f WHERE f.member = t.member AND f.project = t.project AND f.task = t.id)
      UNION ALL
      SELECT 'member ' || f.member || ' follows task ' || f.task || ' in project ' || f.project || ', which is not there'
      FROM followers f WHERE ${within('f.task')}
        AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.id = f.task AND t.project = f.project)`,
    ),
  },
  {
    name: 'comments and activities belong to a task of their workspace',
    over: 'tasks',
    offenders: offenders(
      (within) => `
      SELECT 'comment ' || c.id || ' has no task' AS offender FROM comments c
      WHERE ${within('c.task')} AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.id = c.task AND t.ws = c.ws)
      UNION ALL
      SELECT 'activity ' || a.id || ' has no task' FROM activities a
      WHERE ${within('a.task')} AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.id = a.task AND t.ws = a.ws)
      UNION ALL
      SELECT 'activity ' || a.id || ' tells of comment ' || a.comment || ', which is not there' FROM activities a
      WHERE ${within('a.task')} AND a.comment IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM comments c WHERE c.id = a.comment AND c.task = a.task)
        AND NOT EXISTS (SELECT 1 FROM activities r INDEXED BY activities_by_task
          WHERE r.task = a.task AND r.comment = a.comment AND r.type = 'comment_removed')`,
    ),
  },
  ...commentInvariants,
  {
    name: 'owners of projects are members of them',
    offenders: offenders(`
      SELECT 'project ' || p.id || ' lacks its owner, member ' || p.owner AS offender FROM projects p
      WHERE NOT EXISTS (SELECT 1 FROM project_members pm WHERE pm.project = p.id AND pm.member = p.owner)
      UNION ALL
      SELECT 'project ' || pm.project || ' has member ' || pm.member || ', who is not one of its workspace'
      FROM project_members pm WHERE NOT EXISTS (
        SELECT 1 FROM projects p JOIN members m ON m.ws = p.ws WHERE p.id = pm.project AND m.no = pm.member)`),
  },
  {
    name: 'meetings have a task for every participant',
    offenders: offenders(`
      SELECT 'meeting ' || mt.meeting || ' points to task ' || mt.task || ', which is not one of its project' AS offender
      FROM meeting_tasks mt WHERE NOT EXISTS (
        SELECT 1 FROM meetings m JOIN tasks t ON t.ws = m.ws AND t.project = m.project
        WHERE m.id = mt.meeting AND t.id = mt.task)
      UNION ALL
      SELECT 'meeting ' || m.id || ' has no participant in occurrence ' || m.occurrence FROM meetings m
      WHERE NOT EXISTS (SELECT 1 FROM meeting_tasks mt WHERE mt.meeting = m.id AND mt.occurrence = m.occurrence)`),
  },
  {
    name: 'at most one timer of a member runs, on a task that exists',
    offenders: offenders(`
      SELECT 'member ' || e.member || ' has ' || count(*) || ' running timers' AS offender FROM time_entries e
      WHERE e.ended_at IS NULL GROUP BY e.member HAVING count(*) > 1
      UNION ALL
      SELECT 'time entry ' || e.id || ' has no task' FROM time_entries e
      WHERE NOT EXISTS (SELECT 1 FROM tasks t WHERE t.id = e.task AND t.ws = e.ws)
      UNION ALL
      SELECT 'time entry ' || e.id || ' ends before it starts' FROM time_entries e WHERE e.ended_at < e.started_at`),
  },
  {
    name: 'of every file exactly one version is the latest',
    offenders: offenders(`
      SELECT 'attachment ' || coalesce(a.parent, a.id) || ' has ' || sum(a.latest) || ' latest versions' AS offender
      FROM attachments a GROUP BY coalesce(a.parent, a.id) HAVING sum(a.latest) <> 1
      UNION ALL
      SELECT 'attachment ' || a.id || ' hangs on nothing' FROM attachments a
      WHERE NOT EXISTS (SELECT 1 FROM tasks t WHERE t.id = a.task AND t.ws = a.ws)
        AND NOT EXISTS (SELECT 1 FROM projects p WHERE p.id = a.project AND p.ws = a.ws)`),
  },
  {
    name: 'uploads that were confirmed hold no storage, the others what they declared or nothing',
    offenders: offenders(`
      SELECT 'upload ' || u.id || ' reserves ' || u.reserved || ' of ' || u.file_size || ' bytes' AS offender
      FROM uploads u WHERE u.reserved NOT IN (0, u.file_size) OR (u.confirmed = 1 AND u.reserved <> 0)
      UNION ALL
      SELECT 'upload ' || u.id || ' is an attachment and not confirmed' FROM uploads u
      WHERE u.confirmed = 0 AND EXISTS (SELECT 1 FROM attachments a WHERE a.s3_key = u.s3_key)`),
  },
  {
    name: 'no object of an attachment is to be deleted',
    offenders: offenders(`
      SELECT 'object ' || o.object_key || ' of attachment ' || a.id || ' is to be deleted' AS offender
      FROM objects_to_delete o JOIN attachments a ON a.object_key = o.object_key`),
  },
  {
    name: 'credentials belong to a member of their workspace',
    offenders: offenders(`
      SELECT 'credential ' || c.id || ' belongs to nobody' AS offender FROM credentials c
      WHERE NOT EXISTS (SELECT 1 FROM members m WHERE m.no = c.member AND m.ws = c.ws)`),
  },
  ...peopleInvariants,
];

/** The cron deletes keys after a day; two days allow for a late cron. */
const KEY_MS_MAX = 48 * 60 * 60_000;

/** Only where the cron runs, which it does not on a developer's machine. */
export function keysAreYoung(now: number): Invariant {
  return {
    name: 'idempotency keys are forgotten after a day',
    offenders: offenders(`
      SELECT 'a key is from ' || datetime(created_at / 1000, 'unixepoch') AS offender
      FROM idempotency_keys WHERE created_at < ${now - KEY_MS_MAX}`),
  };
}

export const directoryInvariants: readonly Invariant[] = [
  {
    name: 'memberships are of people and workspaces that exist',
    offenders: offenders(`
      SELECT 'membership of ' || p.user_id || ' in ' || p.workspace_id || ' lacks one of the two' AS offender
      FROM memberships p
      WHERE NOT EXISTS (SELECT 1 FROM users u WHERE u.id = p.user_id)
        OR NOT EXISTS (SELECT 1 FROM workspaces w WHERE w.id = p.workspace_id)`),
  },
  {
    name: 'every workspace has a member',
    offenders: offenders(`
      SELECT 'workspace ' || w.id || ' has no member' AS offender FROM workspaces w
      WHERE NOT EXISTS (SELECT 1 FROM memberships p WHERE p.workspace_id = w.id)`),
  },
  {
    name: 'the size of a cell is the number of its workspaces',
    offenders: offenders(
      drift(
        'cell_sizes',
        ['cell'],
        ['workspaces'],
        'SELECT cell, workspaces FROM cell_sizes UNION ALL SELECT cell, -count(*) FROM workspaces GROUP BY cell',
      ),
    ),
  },
];

/** The last projects of ranges with about equally many tasks. Wrong counters make only the sizes wrong. */
export function listProjectBorders(tasks: number): Statement<{ id: number }[]> {
  const total = buckets.join(' + ');
  return rows<{ id: number }>(
    sql.raw(`
    SELECT max(project) AS id FROM (
      SELECT project, sum(${total}) OVER (ORDER BY project) / ${tasks} AS range FROM task_counts WHERE member = 0)
    GROUP BY range ORDER BY id`),
  );
}

/** The same of tasks. */
export function listTaskBorders(tasks: number): Statement<{ id: number }[]> {
  return rows<{ id: number }>(
    sql.raw(`
    WITH RECURSIVE border (id, last) AS (
      SELECT ${tasks}, (SELECT max(id) FROM tasks)
      UNION ALL SELECT id + ${tasks}, last FROM border WHERE id < last)
    SELECT id FROM border`),
  );
}
