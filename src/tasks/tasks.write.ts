import { insertActivities, insertFirstActivities } from '../activities/activities.queries.ts';
import type { Statement } from '../kernel/database.ts';
import type { Context, WriteContext } from '../kernel/operation.ts';
import { notifyAssignees, notifyFollowers } from '../notifications/notify.queries.ts';
import { bucketOf } from './buckets.ts';
import {
  followNewTasks,
  insertTasks,
  type TaskChanges,
  type TaskDraft,
  updateTask,
} from './change.queries.ts';
import { countFollows, countTasks, follow, moveCounts } from './counts.queries.ts';
import { countDueDays } from './deadline-counts.queries.ts';
import { indexNewTasks, reindexTask } from './search.queries.ts';
import { newTasks, oneTask } from './selection.queries.ts';
import { describeChanges } from './tasks.policy.ts';
import type { TaskState } from './tasks.queries.ts';

/*
 * The one write path: whoever creates or changes tasks sends these statements, so that rows, counters, search,
 * history, followers and notifications cannot drift apart. They belong in one batch, in this order.
 */

interface CreateOptions {
  /** The original of a copy: its followers come along. */
  copiedFrom?: number;
}

/** Creates one or many tasks; afterwards `newestTask` is the last of them. */
export function createTasks(
  ctx: WriteContext,
  drafts: readonly TaskDraft[],
  options: CreateOptions = {},
): Statement<void>[] {
  const { caller, now } = ctx;
  const created = newTasks(drafts.length);
  const tellsAnyone = drafts.some(
    (draft) => draft.member > 0 && (ctx.via === 'system' || draft.member !== caller.member),
  );
  return [
    insertTasks(caller, drafts, now),
    countTasks(caller.workspace, created),
    countDueDays(created),
    followNewTasks(drafts.length, options.copiedFrom),
    countFollows(created),
    indexNewTasks(drafts),
    insertFirstActivities(ctx, created, options.copiedFrom === undefined ? 'created' : 'duplicated'),
    ...(tellsAnyone ? notifyAssignees(ctx, created) : []),
  ];
}

interface ChangeOptions {
  /** User ids before and after, for the history, when `changes.member` is set. */
  assignees?: { from: string | null; to: string | null };
}

/** Changes one task as it was read. `changes` holds real changes only, at least one. */
export function changeTask(
  ctx: Context,
  task: TaskState,
  changes: TaskChanges,
  options: ChangeOptions = {},
): Statement<void>[] {
  const { caller, now } = ctx;
  const after = { ...task, ...changes };
  const activities = describeChanges(task, changes, options.assignees ?? { from: null, to: null });
  const newAssignee = changes.member !== undefined && changes.member > 0 ? changes.member : null;
  const bucket = bucketOf(after);
  return [
    ...updateTask(caller, task, changes, dependencies(changes), activities.length, now),
    ...moveCounts(task.id, task, after),
    // Before the new assignee follows: they are told of the assignment, not of the status as well.
    ...(changes.status === undefined ? [] : notifyFollowers(ctx, 'task_status_changed', task)),
    ...(newAssignee === null ? [] : follow(newAssignee, { ...task, bucket })),
    ...(newAssignee === null || newAssignee === caller.member ? [] : notifyAssignees(ctx, oneTask(task.id))),
    ...(touchesSearch(changes) ? reindexTask(task, task, after) : []),
    insertActivities(ctx, task.id, activities),
  ];
}

/** What a change is computed from: so a new name and a new priority can race, and two new statuses cannot. */
function dependencies(changes: TaskChanges): (keyof TaskChanges)[] {
  const places = ['status', 'priority', 'member'] as const;
  const moves = changes.archived !== undefined || places.some((column) => changes[column] !== undefined);
  const columns = new Set<keyof TaskChanges>([
    'archived',
    ...(Object.keys(changes) as (keyof TaskChanges)[]),
  ]);
  if (moves) for (const column of places) columns.add(column);
  if (touchesSearch(changes)) columns.add('name').add('description');
  return [...columns];
}

function touchesSearch(changes: TaskChanges): boolean {
  return changes.name !== undefined || changes.description !== undefined || changes.archived !== undefined;
}
