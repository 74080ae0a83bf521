// This file is long because each counter needs an invariant, and the invariants share their sums.

import { aliasTable, type ColumnNameOf, joinColumnNames, type SQL, sql } from '../../kernel/sql/sql.ts';
import { isOwnedNotification } from '../../notifications/inbox/hide-notifications.queries.ts';
import { attachments, uploads, workspaceStorage } from '../../schema/cell/attachments.ts';
import { comments } from '../../schema/cell/comments.ts';
import {
  bucketColumns,
  dueColumns,
  dueDays,
  followedColumns,
  memberHalfMonths,
  otherAssigneeCounts,
  statusColumns,
  subtaskCounts,
  taskCounts,
} from '../../schema/cell/counters.ts';
import { events } from '../../schema/cell/events.ts';
import { labelCounts } from '../../schema/cell/labels.ts';
import { notificationCounts, notifications, OPT_IN_CONDITION } from '../../schema/cell/notifications.ts';
import { NO_DEADLINE, tasks } from '../../schema/cell/tasks.ts';
import { workspaces } from '../../schema/cell/workspaces.ts';
import { halfMonthColumnNames } from '../../tasks/counters/count-changes.queries.ts';
import { completedStatus } from '../../tasks/statuses.queries.ts';
import { memberHalvesInvariant } from './day-invariants.queries.ts';
import {
  createOffenderQuery,
  hiddenTasks,
  type Invariant,
  selectCounterErrors,
} from './invariant.queries.ts';

const p = aliasTable(tasks, 'p');
const t = aliasTable(tasks, 't');
const w = aliasTable(workspaces, 'w');

const toRawNumber = (number: number) => sql.raw(String(number));
const noDeadline = sql.raw(`'${NO_DEADLINE}'`);
const negatedStatusCounts = dueColumns.map((_, status) => sql`-sum(${t.status} = ${toRawNumber(status)})`);

/** The columns of the `task_counts` table for assigned tasks, each with the negative of its actual value. */
const negatedAssignedCounts = [
  ...bucketColumns.map(
    (column, bucket) => [column, sql`-sum(${t.bucket} = ${toRawNumber(bucket)})`] as const,
  ),
  ...sumByStatus(statusColumns.past, sql`${t.due} < ${w.past_cutoff}`),
  ...sumByStatus(statusColumns.week, sql`${t.due} < ${w.week_cutoff}`),
  ...sumByStatus(statusColumns.hours, t.hours),
  [
    'past_hours',
    sql`-sum((${t.archived} = 0 AND ${t.status} <> ${completedStatus} AND ${t.due} < ${w.past_cutoff}) * ${t.hours})`,
  ] as const,
];

function sumByStatus<C extends string>(columns: readonly C[], amount: SQL) {
  return columns.map(
    (column, status) =>
      [
        column,
        sql`-sum((${t.archived} = 0 AND ${t.status} = ${toRawNumber(status)}) * (${amount}))`,
      ] as const,
  );
}

const negatedBuckets = sql.join(
  bucketColumns.map((_, bucket) => sql`-sum(${t.bucket} = ${toRawNumber(bucket)})`),
  sql`, `,
);

const assignedColumns = negatedAssignedCounts.map(([column]) => column);
const negatedTaskCounts = sql.join(
  negatedAssignedCounts.map(([, tally]) => tally),
  sql`, `,
);
const negatedFollowedCounts = sql.join(
  followedColumns.map((_, bucket) => sql`-sum(${t.bucket} = ${toRawNumber(bucket)})`),
  sql`, `,
);
function selectTotalsMinusProjectSums<T extends typeof taskCounts | typeof memberHalfMonths>(
  table: T,
  keys: readonly ColumnNameOf<T>[],
  columns: readonly ColumnNameOf<T>[],
): SQL {
  const { member, project } = table;
  const key = joinColumnNames(table, ...keys);
  const parts = sql.raw(columns.map((column) => `-sum(${column})`).join(', '));
  return sql`
  SELECT ${key}, ${joinColumnNames(table, ...columns)} FROM ${table} WHERE ${member} > 0 AND ${project} = 0
  UNION ALL SELECT ${key}, ${parts} FROM ${table}
    WHERE ${member} > 0 AND ${project} > 0 GROUP BY ${key}`;
}

export const counterInvariants: readonly Invariant[] = [
  {
    name: 'task_counts match the tasks',
    over: 'projects',
    repairedBy: 'counters',
    offenders: createOffenderQuery((within) =>
      selectCounterErrors(
        'task_counts',
        ['ws', 'project', 'member'],
        assignedColumns,
        sql`SELECT ${taskCounts.ws}, ${taskCounts.member}, ${taskCounts.project},
          ${joinColumnNames(taskCounts, ...assignedColumns)}
          FROM ${taskCounts}
          WHERE ${within(sql`${taskCounts.project}`)} AND ${taskCounts.project} > 0
        UNION ALL
        SELECT ${t.ws}, 0, ${t.project}, ${negatedTaskCounts} FROM ${t} JOIN ${w} ON ${w.no} = ${t.ws}
          WHERE ${within(t.project)} GROUP BY ${t.ws}, ${t.project}
        UNION ALL
        SELECT ${t.ws}, ${t.assignee}, ${t.project}, ${negatedTaskCounts} FROM ${t} JOIN ${w} ON ${w.no} = ${t.ws}
          WHERE ${within(t.project)} AND ${t.assignee} > 0 GROUP BY ${t.ws}, ${t.assignee}, ${t.project}`,
      ),
    ),
  },
  {
    name: 'subtask_counts match the tasks',
    over: 'projects',
    repairedBy: 'counters',
    offenders: createOffenderQuery((within) =>
      selectCounterErrors(
        'subtask_counts',
        ['ws', 'project', 'member'],
        bucketColumns,
        sql`SELECT ${subtaskCounts.ws}, ${subtaskCounts.member}, ${subtaskCounts.project},
          ${joinColumnNames(subtaskCounts, ...bucketColumns)}
          FROM ${subtaskCounts} WHERE ${within(sql`${subtaskCounts.project}`)}
        UNION ALL
        SELECT ${t.ws}, 0, ${t.project}, ${negatedBuckets} FROM ${t}
          WHERE ${within(t.project)} AND ${t.parent} IS NOT NULL AND ${t.ws} > 0 GROUP BY ${t.ws}, ${t.project}
        UNION ALL
        SELECT ${t.ws}, ${t.assignee}, ${t.project}, ${negatedBuckets} FROM ${t}
          WHERE ${within(t.project)} AND ${t.parent} IS NOT NULL AND ${t.ws} > 0 AND ${t.assignee} > 0
          GROUP BY ${t.ws}, ${t.assignee}, ${t.project}`,
      ),
    ),
  },
  {
    name: 'label_counts match the tasks',
    over: 'projects',
    repairedBy: 'counters',
    offenders: createOffenderQuery((within) =>
      selectCounterErrors(
        'label_counts',
        ['ws', 'project', 'label_key'],
        ['tasks'],
        sql`SELECT ${labelCounts.ws}, ${labelCounts.project}, ${labelCounts.label_key}, ${labelCounts.tasks}
          FROM ${labelCounts} WHERE ${within(sql`${labelCounts.project}`)} AND ${labelCounts.project} > 0
        UNION ALL
        SELECT ${t.ws}, ${t.project}, j.value, -count(DISTINCT ${t.id}) FROM ${t} CROSS JOIN json_each(${t.label_keys}) j
          WHERE ${within(t.project)} AND ${t.archived} = 0 AND ${t.ws} > 0 GROUP BY ${t.ws}, ${t.project}, j.value`,
      ),
    ),
  },
  {
    name: 'other_assignee_counts match the tasks',
    over: 'projects',
    repairedBy: 'counters',
    offenders: createOffenderQuery((within) =>
      selectCounterErrors(
        'other_assignee_counts',
        ['ws', 'project', 'member', 'is_subtask'],
        bucketColumns,
        sql`SELECT ${otherAssigneeCounts.ws}, ${otherAssigneeCounts.member}, ${otherAssigneeCounts.project},
          ${otherAssigneeCounts.is_subtask}, ${joinColumnNames(otherAssigneeCounts, ...bucketColumns)}
          FROM ${otherAssigneeCounts} WHERE ${within(sql`${otherAssigneeCounts.project}`)}
        UNION ALL
        SELECT ${t.ws}, n.value, ${t.project}, ${t.parent} IS NOT NULL, ${negatedBuckets} FROM ${t}
          CROSS JOIN json_each(${t.other_assignees}) n
          WHERE ${within(t.project)} AND ${t.ws} > 0
          GROUP BY ${t.ws}, n.value, ${t.project}, ${t.parent} IS NOT NULL`,
      ),
    ),
  },
  {
    name: "a workspace's label counts are the sums of its projects' counts",
    repairedBy: 'counters',
    offenders: createOffenderQuery(
      selectCounterErrors(
        'label_counts',
        ['ws', 'label_key'],
        ['tasks'],
        sql`SELECT ${labelCounts.ws}, ${labelCounts.label_key},
          iif(${labelCounts.project} = 0, ${labelCounts.tasks}, -${labelCounts.tasks}) AS tasks FROM ${labelCounts}`,
      ),
    ),
  },
  {
    name: 'every task has as many label_keys as tags',
    over: 'tasks',
    offenders: createOffenderQuery(
      (within) => sql`
        SELECT 'task ' || ${t.id} || ' has label_keys that differ from its tags: ' || ${t.label_keys} AS offender FROM ${t}
        WHERE ${within(t.id)} AND ${t.ws} > 0 AND json_array_length(${t.label_keys}) <> json_array_length(${t.tags})`,
    ),
  },
  {
    name: 'task_counts of followers match the followed tasks',
    over: 'projects',
    repairedBy: 'counters',
    offenders: createOffenderQuery((within) =>
      selectCounterErrors(
        'task_counts of followers',
        ['member', 'project'],
        followedColumns,
        sql`SELECT ${taskCounts.member}, ${taskCounts.project}, ${joinColumnNames(taskCounts, ...followedColumns)}
          FROM ${taskCounts}
          WHERE ${within(sql`${taskCounts.project}`)}
        UNION ALL
        SELECT f.value, ${t.project},
          ${negatedFollowedCounts}
          FROM ${t} INDEXED BY tasks_by_project
          CROSS JOIN json_each(${t.followers}) f
          WHERE ${within(t.project)} AND ${t.ws} > 0 GROUP BY f.value, ${t.project}`,
      ),
    ),
  },
  {
    name: "a person's counters are the sums of their counters per project",
    repairedBy: 'counters',
    offenders: createOffenderQuery(
      selectCounterErrors(
        'task_counts',
        ['ws', 'member'],
        assignedColumns,
        selectTotalsMinusProjectSums(taskCounts, ['ws', 'member'], assignedColumns),
      ),
    ),
  },
  {
    name: "a person's daily counters are the sums of their daily counters per project",
    repairedBy: 'counters',
    offenders: createOffenderQuery(
      selectCounterErrors(
        'member_halves',
        ['ws', 'member', 'half'],
        halfMonthColumnNames,
        selectTotalsMinusProjectSums(memberHalfMonths, ['ws', 'member', 'half'], halfMonthColumnNames),
      ),
    ),
  },
  memberHalvesInvariant,
  {
    name: 'due_days match the tasks',
    over: 'projects',
    repairedBy: 'counters',
    offenders: createOffenderQuery((within) =>
      selectCounterErrors(
        'due_days',
        ['project', 'day'],
        dueColumns,
        sql`SELECT ${dueDays.project}, ${dueDays.day}, ${joinColumnNames(dueDays, ...dueColumns)} FROM ${dueDays}
          WHERE ${within(sql`${dueDays.project}`)}
        UNION ALL
        SELECT ${t.project}, ${t.due}, ${sql.join(negatedStatusCounts, sql`, `)} FROM ${t}
          WHERE ${within(t.project)} AND ${t.ws} > 0 AND ${t.archived} = 0 AND ${t.due} <> ${noDeadline}
            GROUP BY ${t.project}, ${t.due}`,
      ),
    ),
  },
  {
    name: 'comment_count and activity_count match the comments and history entries',
    over: 'tasks',
    repairedBy: 'counters',
    offenders: createOffenderQuery((within) =>
      selectCounterErrors(
        'tasks',
        ['task'],
        ['comment_count', 'activity_count'],
        sql`SELECT ${tasks.id} AS task, ${tasks.comment_count}, ${tasks.activity_count} FROM ${tasks}
          WHERE ${within(sql`${tasks.id}`)} AND ${tasks.ws} > 0
        UNION ALL SELECT ${comments.task}, -count(*), 0 FROM ${comments}
          WHERE ${within(sql`${comments.task}`)} AND ${comments.task} NOT IN ${hiddenTasks} GROUP BY ${comments.task}
        UNION ALL SELECT ${events.task}, 0, -sum(${events.entries}) FROM ${events}
          WHERE ${within(sql`${events.task}`)}
          AND ${events.entries} > 0
          AND ${events.task} NOT IN ${hiddenTasks} GROUP BY ${events.task}`,
      ),
    ),
  },
  {
    name: 'subtask_count and subtasks_completed match the tasks',
    over: 'tasks',
    repairedBy: 'counters',
    offenders: createOffenderQuery((within) =>
      selectCounterErrors(
        'tasks',
        ['task'],
        ['subtask_count', 'subtasks_completed'],
        sql`SELECT ${tasks.id} AS task, ${tasks.subtask_count}, ${tasks.subtasks_completed} FROM ${tasks}
          WHERE ${within(sql`${tasks.id}`)} AND ${tasks.ws} > 0
        UNION ALL SELECT ${t.parent}, -count(*), -sum(${t.status} = ${completedStatus})
          FROM ${t} INDEXED BY tasks_by_parent JOIN ${p} ON ${p.id} = ${t.parent} AND ${p.ws} > 0
          WHERE ${t.parent} IS NOT NULL AND ${within(t.parent)} AND ${t.archived} = 0 GROUP BY ${t.parent}`,
      ),
    ),
  },
  {
    name: 'notification_counts match the notifications',
    repairedBy: 'counters',
    offenders: createOffenderQuery(
      selectCounterErrors(
        'notification_counts',
        ['user_id'],
        ['total', 'unread'],
        sql`SELECT ${notificationCounts.user_id}, ${notificationCounts.total}, ${notificationCounts.unread}
          FROM ${notificationCounts}
        UNION ALL SELECT ${notifications.user_id}, -count(*), -sum(${notifications.read_at} IS NULL)
          FROM ${notifications}
          WHERE ${isOwnedNotification(sql`${notifications.user_id}`)} AND NOT (${sql.raw(OPT_IN_CONDITION)}) GROUP BY ${notifications.user_id}`,
      ),
    ),
  },
  {
    name: "a workspace's used and reserved storage match its attachments and uploads",
    repairedBy: 'counters',
    offenders: createOffenderQuery(
      selectCounterErrors(
        'storage',
        ['ws'],
        ['used', 'reserved'],
        sql`SELECT ${workspaceStorage.ws}, ${workspaceStorage.used}, ${workspaceStorage.reserved} FROM ${workspaceStorage}
        UNION ALL SELECT ${attachments.ws}, -sum(${attachments.file_size}), 0 FROM ${attachments}
          GROUP BY ${attachments.ws}
        UNION ALL SELECT ${uploads.ws}, 0, -sum(${uploads.reserved}) FROM ${uploads} GROUP BY ${uploads.ws}`,
      ),
    ),
  },
];
