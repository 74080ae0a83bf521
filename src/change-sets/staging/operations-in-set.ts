import { getMe } from '../../accounts/sessions/me.ts';
import { getDashboardStats } from '../../dashboard/tiles/stats.ts';
import { listChanges } from '../../events/feed/changes.ts';
import { listTaskAttachments, listTaskDownloads } from '../../files/attachments/attachments.ts';
import { readTextAttachment } from '../../files/attachments/text-files.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { buildSinglePage } from '../../kernel/lists/pagination.ts';
import type { AnyOperation, Context } from '../../kernel/operation/operation.ts';
import { isProvisionalId } from '../../kernel/operation/provisional-ids.ts';
import { getMeeting, listMeetings } from '../../meetings/operations/meetings.ts';
import { listNotifications } from '../../notifications/inbox/notifications.ts';
import { getProject, listProjects } from '../../projects/operations/projects.ts';
import { lookUpNames, lookUpSimilar } from '../../search/lookup/lookup.ts';
import { listActivities } from '../../tasks/activities/activities.ts';
import { createTasksInBulk } from '../../tasks/bulk/create.ts';
import { previewCreates, previewUpdates } from '../../tasks/bulk/preview.ts';
import { archiveTasksInBulk, unarchiveTasksInBulk, updateTasksAsAgent } from '../../tasks/bulk/update.ts';
import { getChecklist } from '../../tasks/checklists/checklists.ts';
import { addComments } from '../../tasks/comments/add-comments.ts';
import { addComment, listComments } from '../../tasks/comments/comments.ts';
import { listTasks } from '../../tasks/operations/list-tasks.ts';
import { listTaskFields } from '../../tasks/operations/task-fields.ts';
import { getTask } from '../../tasks/operations/tasks.ts';
import { listRelations } from '../../tasks/relations/relations.ts';
import { listSubtasks } from '../../tasks/subtasks/subtasks.ts';
import { createTimeEntries } from '../../time/tracking/create-time-entries.ts';
import { getCurrentTimer, getTimeStats, listTimeEntries } from '../../time/tracking/time-tracking.ts';
import { beginChanges, discardChanges, proposeChanges } from '../lifecycle/change-sets.ts';
import { getPendingProject, listPendingProjects } from '../pending/count-pending-tasks.ts';
import { getPendingStats } from '../pending/get-pending-stats.ts';
import { getPendingTask } from '../pending/get-pending-task.ts';
import { listPendingSubtasks } from '../pending/list-pending-subtasks.ts';
import { listPendingTasks } from '../pending/list-pending-tasks.ts';
import { listPendingComments } from '../pending/pending-comments.ts';
import { createPendingContext, forgetOpenSet, readOpenSet } from '../pending/pending-set.ts';
import { getPendingTimeStats, listPendingTimeEntries } from '../pending/pending-time-entries.ts';
import { stageComment, stageComments } from './stage-comments.ts';
import {
  previewStagedCreates,
  previewStagedUpdates,
  stageArchiving,
  stageCreates,
  stageUpdates,
} from './stage-tasks.ts';
import { stageTimeEntries } from './stage-time-entries.ts';

type Handler = (ctx: never, input: never) => Promise<unknown>;
interface TaskIdInput {
  id: number;
}

const handlersByOperation = new Map<AnyOperation, Handler>([
  [listTasks, listPendingTasks],
  [listSubtasks, listPendingSubtasks],
  [getTask, getPendingTask],
  [listComments, listPendingComments],
  [listTimeEntries, listPendingTimeEntries],
  [getTimeStats, getPendingTimeStats],
  [createTimeEntries, stageTimeEntries],
  [getChecklist, getChecklistInSet],
  [listRelations, listRelationsInSet],
  [listTaskFields, listTaskFieldsInSet],
  [getDashboardStats, getPendingStats],
  [listProjects, listPendingProjects],
  [getProject, getPendingProject],
  [listTaskDownloads, listFilesInSet(listTaskDownloads)],
  [listTaskAttachments, listFilesInSet(listTaskAttachments)],
  [listActivities, listActivitiesInSet],
  [addComment, stageComment],
  [addComments, stageComments],
  [createTasksInBulk, stageCreates],
  [updateTasksAsAgent, stageUpdates],
  [archiveTasksInBulk, stageArchiving(1)],
  [unarchiveTasksInBulk, stageArchiving(0)],
  [previewCreates, previewStagedCreates],
  [previewUpdates, previewStagedUpdates],
]);

const unaffectedOperations: ReadonlySet<AnyOperation> = new Set<AnyOperation>([
  beginChanges,
  proposeChanges,
  discardChanges,
  getMe,
  lookUpNames,
  lookUpSimilar,
  listChanges,
  readTextAttachment,
  listMeetings,
  getMeeting,
  listNotifications,
  getCurrentTimer,
]);

const adaptedOperations = new WeakMap<AnyOperation, AnyOperation>();

/**
 * While the app has an open change set, the returned operation stages its changes or includes staged changes
 * in its results. It throws 400 if it can do neither.
 */
export function adaptToChangeSet(operation: AnyOperation): AnyOperation {
  const known = adaptedOperations.get(operation);
  if (known) return known;
  const inSet = handlersByOperation.get(operation);
  const handler = async (ctx: Context, input: unknown): Promise<unknown> => {
    if (ctx.caller.changeSet === null || isUnaffected(operation))
      return operation.handler(ctx as never, input as never);
    if (!inSet) throw unavailableInSetError(operation, ctx.caller.changeSet);
    const isWrite = operation.effect === 'write';
    if (isWrite) forgetOpenSet(ctx.request);
    let isRead = false;
    try {
      const answer = await inSet(ctx as never, input as never);
      isRead = !isWrite;
      return answer;
    } finally {
      if (!isRead) forgetOpenSet(ctx.request);
    }
  };
  const { replay } = operation;
  const replayInSet = async (ctx: Context, input: unknown, entity: unknown): Promise<unknown> => {
    if (!isStagedRecord(entity)) return replay?.rebuild(ctx as never, input as never, entity as never);
    throw invalidRequestError(
      'An earlier call with this idempotencyKey staged these changes. find_tasks shows them while the change set is open.',
    );
  };
  const result: AnyOperation = {
    ...operation,
    handler: handler as Handler,
    ...(replay && { replay: { ...replay, rebuild: replayInSet as never } }),
  };
  adaptedOperations.set(operation, result);
  return result;
}

/** Reads of people, statuses, categories and similar data don't depend on tasks. */
function isUnaffected(operation: AnyOperation): boolean {
  return (
    unaffectedOperations.has(operation) ||
    (operation.effect === 'read' && operation.capability === 'seeReference')
  );
}

function isStagedRecord(entity: unknown): boolean {
  return typeof entity === 'string' && entity.startsWith('{"changeSet":');
}

function unavailableInSetError({ effect }: AnyOperation, set: number) {
  return invalidRequestError(
    effect === 'write'
      ? `Nothing was changed. While change set ${set} is open, you can only create, change, comment on, archive and restore tasks, and log time. Call propose_changes or discard_changes first, or ask a person to make this change.`
      : `This call can't include the staged changes of change set ${set}, which is open. Use find_tasks, get_task or get_dashboard with view stats, or call propose_changes or discard_changes first.`,
  );
}

function listFilesInSet({ handler }: typeof listTaskDownloads | typeof listTaskAttachments): Handler {
  return (ctx: Context, input: { id: number }) =>
    isProvisionalId(input.id) ? Promise.resolve(buildSinglePage([])) : handler(ctx, input as never);
}

async function getChecklistInSet(ctx: Context, input: TaskIdInput) {
  return getChecklist.handler(createPendingContext(ctx, await readOpenSet(ctx), [input.id]), input);
}

function listTaskFieldsInSet(ctx: Context, input: TaskIdInput) {
  return isProvisionalId(input.id) ? Promise.resolve({ data: [] }) : listTaskFields.handler(ctx, input);
}

function listRelationsInSet(ctx: Context, input: { id: number; limit: number; offset: number }) {
  return isProvisionalId(input.id) ? Promise.resolve(buildSinglePage([])) : listRelations.handler(ctx, input);
}

async function listActivitiesInSet(ctx: Context, input: TaskIdInput) {
  const { folded, set } = await readOpenSet(ctx);
  if (!folded.tasks.has(input.id)) return listActivities.handler(ctx, input as never);
  throw invalidRequestError(
    `The history of task ${input.id} doesn't include its staged changes in change set ${set.id}. Call get_task without part='history'.`,
  );
}
