import { BUCKETS } from '../task-model/buckets.ts';
import { taskStatuses } from '../task-model/tasks.schema.ts';
import { NO_DEADLINE } from '../task-model/tasks.sql.ts';
import { drift, hidden, type Invariant, offenders } from './invariant.queries.ts';

const buckets = Array.from({ length: BUCKETS }, (_, bucket) => `bucket${bucket}`);
const days = taskStatuses.map((_, status) => `status${status}`);
const followed = Array.from({ length: BUCKETS }, (_, bucket) => `followed${bucket}`);
const completed = taskStatuses.indexOf('completed');
const dayTallies = days.map((_, status) => `-sum(t.status = ${status})`);
const sumsByStatus = [
  ['past', 't.due < w.past_cutoff'],
  ['week', 't.due < w.week_cutoff'],
  ['hours', 't.hours'],
].flatMap(([prefix, amount]) =>
  taskStatuses.map((_, status) => [
    `${prefix}${status}`,
    `-sum((t.archived = 0 AND t.status = ${status}) * (${amount}))`,
  ]),
);
const pastHours = `-sum((t.archived = 0 AND t.status <> ${completed} AND t.due < w.past_cutoff) * t.hours)`;
const assignedTallies = [
  ...buckets.map((column, bucket) => [column, `-sum(t.bucket = ${bucket})`]),
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

export const counterInvariants: readonly Invariant[] = [
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
        SELECT t.ws, t.assignee, t.project, ${taskTallies} FROM tasks t JOIN workspaces w ON w.no = t.ws
          WHERE ${within('t.project')} AND t.assignee > 0 GROUP BY t.ws, t.assignee, t.project`,
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
        SELECT f.member, t.project, ${followed.map((_, bucket) => `-sum(t.bucket = ${bucket})`).join(', ')}
          FROM tasks t INDEXED BY tasks_by_project
          CROSS JOIN followers f INDEXED BY followers_by_task ON f.task = t.id
          WHERE ${within('t.project')} AND t.ws > 0 GROUP BY f.member, t.project`,
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
        SELECT t.assignee, t.project, t.due, -count(*), -sum(t.hours), 0, 0 FROM tasks t
          WHERE ${within('t.project')} AND t.ws > 0 AND t.assignee > 0 AND t.archived = 0 AND t.status <> ${completed}
            AND t.due <> '${NO_DEADLINE}' GROUP BY t.assignee, t.project, t.due
        UNION ALL
        SELECT t.assignee, t.project, t.completed_on, 0, 0, -count(*), -sum(t.hours) FROM tasks t
          WHERE ${within('t.project')} AND t.ws > 0 AND t.assignee > 0 AND t.archived = 0 AND t.status = ${completed}
            AND t.completed_on IS NOT NULL GROUP BY t.assignee, t.project, t.completed_on`,
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
          WHERE ${within('t.project')} AND t.ws > 0 AND t.archived = 0 AND t.due <> '${NO_DEADLINE}' GROUP BY t.project, t.due`,
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
        `SELECT id AS task, comment_count, activity_count FROM tasks WHERE ${within('id')} AND ws > 0
        UNION ALL SELECT task, -count(*), 0 FROM comments WHERE ${within('task')} AND ws > 0 GROUP BY task
        UNION ALL SELECT task, 0, -sum(entries) FROM events WHERE ${within('task')} AND entries > 0
          AND task NOT IN ${hidden} GROUP BY task`,
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
];
