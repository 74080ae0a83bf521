// This file is long because all changes to tasks must update counters, history and search in the same way.
import type { FieldChange } from '../../events/log/event-types.ts';
import { recordEvents } from '../../events/log/record.queries.ts';
import { hasNoActor } from '../../kernel/access/access.ts';
import type { Context, WriteContext } from '../../kernel/operation/operation.ts';
import { type SQL, type Statement, selectIdsInOrder } from '../../kernel/sql/database.ts';
import {
  buildAddedAssigneeNotifications,
  buildAllAssigneeNotifications,
  buildAssigneeNotifications,
  buildFollowerNotifications,
  buildUnblockedNotifications,
  lastCommentOfTask,
  type NotificationDraft,
  notify,
  notifyMentioned,
  notifyNewlyMentioned,
  notifyOfComments,
} from '../../notifications/inbox/notify.queries.ts';
import type { ChecklistItem } from '../../schema/cell/checklists.ts';
import { hasDetailTexts, queueDetails } from '../../search/index/detail-search.queries.ts';
import { indexNewTasks, reindexTasks, splitTokens } from '../../search/index/search-index.queries.ts';
import { updateTaskComments } from '../counters/comment-counts.queries.ts';
import {
  addFollower,
  addFollowersFromList,
  addTaskCounts,
  type CountedSelection,
  type CountOptions,
  updateCounts,
} from '../counters/count-changes.queries.ts';
import { addLabelCounts, updateLabelCounts } from '../counters/label-counts.queries.ts';
import { COMPLETED_STATUS } from '../fields.ts';
import { findMentionedIds, NOTIFIED_MENTIONS_MAX } from '../mentions/mentions.ts';
import type { BulkTaskState } from '../model/bulk-states.queries.ts';
import {
  buildEffectiveHours,
  buildNewState,
  type ChecklistProgress,
  selectCommentedTasks,
  subtractDeletedComments,
  type TaskChanges,
  toSearchKeys,
  type UpdateOptions,
  updateChecklistProgress,
  updateCommentedTasks,
  updateHours,
  updateTaskActivity,
  updateTasks,
} from '../model/change.queries.ts';
import {
  type EventDrafts,
  filterChangedTasks,
  joinEvents,
  selectChangeEvents,
  selectCreationEvents,
  selectDeletedCommentEvents,
  selectNewCommentEvents,
  selectTaskEvent,
  selectTaskEvents,
  type TaskEventDraft,
} from '../model/history.queries.ts';
import {
  copyChecklists,
  followNewTasks,
  getSourceTaskId,
  hasOtherAssignees,
  insertChecklists,
  insertTasks,
  isSubtask,
  type TaskDraft,
} from '../model/insert.queries.ts';
import { deleteLongTexts, planLongTextStorage } from '../model/long-texts.queries.ts';
import {
  combineChanges,
  type NewSearchKeys,
  type NewValues,
  placeUnderNewTasks,
  selectTaskRank,
} from '../model/new-values.queries.ts';
import {
  affectsOtherAssignees,
  buildAssigneeList,
  excludeOtherAssignees,
  insertOtherAssignees,
  updateOtherAssignees,
} from '../model/other-assignees.queries.ts';
import {
  affectsBlockedTasks,
  isOpen,
  selectClosingTasks,
  updateOpenBlockers,
} from '../model/relations.queries.ts';
import {
  filterAssignedTasks,
  filterTasks,
  selectAssignee,
  selectIds,
  selectNewTasks,
  selectOneTask,
  selectTasksById,
  selectTasksFromSubquery,
  type TaskExpression,
  type TaskSelection,
} from '../model/selection.queries.ts';
import { affectsSubtaskCounts, countNewSubtasks, updateSubtaskCounts } from '../model/subtasks.queries.ts';
import type { TaskState } from '../model/tasks.queries.ts';
import { insertRecurrences } from '../recurrence/recurrences.queries.ts';
import { toDueInstant } from '../reminders/reminder-times.ts';
import { moveReminders, type ReminderMove } from '../reminders/reminders.queries.ts';

// Every operation that creates or changes tasks sends these statements in one batch, in this order. This keeps rows,
// counters, search, history, followers and notifications consistent.

/**
 * After these statements, `newestTask` is the last task that they created. `tokensMax` limits how many tokens they
 * index, if the batch also indexes other texts.
 */
export function createTasks(
  ctx: WriteContext,
  drafts: readonly TaskDraft[],
  tokensMax?: number,
  afterInserts: readonly Statement<void>[] = [],
): Statement<void>[] {
  const ws = ctx.caller.workspace;
  const { inserts, detailed, counted, events, notified } = planTaskCreation(
    ctx,
    drafts,
    tokensMax,
    afterInserts,
  );
  return [
    ...inserts,
    ...(counted.mayHaveOtherAssignees ? [insertOtherAssignees(ws, counted.selection)] : []),
    ...detailed.map((ids) => queueDetails(ws, ids)),
    ...addTaskCounts(ws, counted.selection, counted),
    ...(counted.mayHaveParents ? [countNewSubtasks(ws, counted.selection)] : []),
    recordEvents(ctx, events.drafts),
    ...notify(ctx, notified),
  ];
}

/**
 * The parts from which `createTasks` builds its statements. A batch that also changes tasks combines each part with the
 * corresponding part of the changes.
 */
interface TaskCreation {
  readonly inserts: readonly Statement<void>[];
  readonly detailed: readonly SQL[];
  readonly counted: CountedSelection;
  readonly events: EventDrafts;
  readonly notified: readonly NotificationDraft[];
}

function planTaskCreation(
  ctx: WriteContext,
  drafts: readonly TaskDraft[],
  tokensMax?: number,
  afterInserts: readonly Statement<void>[] = [],
): TaskCreation {
  const { caller, now } = ctx;
  const created = selectNewTasks(drafts.length);
  const notifiesAnyone = drafts.some(
    (draft) =>
      draft.source_completed_on === undefined &&
      draft.assignee > 0 &&
      (hasNoActor(ctx.via) || draft.assignee !== caller.member || hasOtherAssignees(draft)),
  );
  const isAnySubtask = drafts.some(isSubtask);
  const mayHaveTags = drafts.some(({ tags }) => tags !== '[]');
  const haveSeveral = drafts.some(hasOtherAssignees);
  const originals = drafts.flatMap(({ copied_from }) => copied_from ?? []);
  const sources = drafts.flatMap((draft) => getSourceTaskId(draft) ?? []);
  const isUnticked = originals.length === 0;
  const recurring = drafts.flatMap(({ recurrence }, place) => (recurrence ? [{ ...recurrence, place }] : []));
  const sender = drafts.find((draft) => draft.sender !== undefined)?.sender;
  const { stored, inserts } = planLongTextStorage(caller.workspace, drafts);
  return {
    inserts: [
      ...inserts,
      ...insertTasks(caller, stored, now),
      ...afterInserts,
      ...(sources.length > 0 ? [copyChecklists(caller, sources, { isUnticked })] : []),
      ...insertChecklists(caller, drafts),
      ...(recurring.length > 0 ? [insertRecurrences(caller, recurring, drafts.length)] : []),
      followNewTasks(drafts.length),
      ...indexNewTasks(caller.workspace, drafts, tokensMax),
    ],
    detailed: drafts.some(mayHaveDetails) ? [selectIds(filterTasks(created, hasDetailTexts))] : [],
    counted: {
      selection: created,
      mayHaveParents: isAnySubtask,
      mayHaveTags,
      mayHaveOtherAssignees: haveSeveral,
    },
    events: {
      drafts: selectCreationEvents(created, originals, sender),
      count: drafts.length,
      hasReplaced: false,
    },
    notified: notifiesAnyone ? [buildAllAssigneeNotifications(ctx, created, haveSeveral)] : [],
  };
}

function mayHaveDetails({ tags, field_values, checklist, ...draft }: TaskDraft): boolean {
  return (
    tags !== '[]' || field_values !== null || checklist !== undefined || getSourceTaskId(draft) !== undefined
  );
}

interface ChangeOptions extends UpdateOptions, Omit<CountOptions, 'created'> {
  creation?: TaskCreation | undefined;
  /** Events to record before the events of the change itself. */
  recorded?: readonly EventDrafts[];
  /** The maximum size of a previous description that the event stores for undo. If undefined, it stores none. */
  replacedBytesMax?: number | undefined;
  /**
   * False if the change can't unblock other tasks, because it doesn't complete, reopen, archive or restore a task, or
   * because the tasks are new. Defaults to true.
   */
  mayUnblock?: boolean;
  /** False for tasks that the same batch creates. Defaults to true. */
  mayHaveComments?: boolean;
}

/** Statements that compare old and new values run before the UPDATE, because they read the stored values. */
export function changeTasks(
  ctx: WriteContext,
  selection: TaskSelection,
  changes: NewValues,
  {
    mayHaveParents = true,
    mayHaveTags = true,
    mayUnblock = true,
    mayHaveOtherAssignees = true,
    mayHaveComments = true,
    keys = toSearchKeys(changes),
    replacedBytesMax,
    rank,
    creation,
    recorded = [],
  }: ChangeOptions = {},
): Statement<void>[] {
  const { caller } = ctx;
  const { status, assignee, other_assignees: others, tags, field_values, archived } = changes;
  const created = creation?.counted;
  const newSubtasks = created?.mayHaveParents ? created.selection : undefined;
  const added = others === undefined || others === '[]' ? null : others;
  const keepsReplaced = replacedBytesMax !== undefined;
  const following = typeof assignee === 'number' ? selection : filterAssignedTasks(selection);
  const notified = [
    // Must run before new assignees become followers, so that they are only notified of the assignment.
    ...(status === undefined
      ? []
      : [buildFollowerNotifications(ctx, 'task_status_changed', filterChangedTasks(selection, { status }))]),
    ...(assignee === undefined || assignee === 0 || added !== null
      ? []
      : buildAssigneeNotifications(
          ctx,
          assignee,
          filterChangedTasks(mayHaveOtherAssignees ? excludeOtherAssignees(selection, assignee) : selection, {
            assignee,
          }),
        )),
    ...(added === null ? [] : [buildAddedAssigneeNotifications(ctx, selection, changes)]),
    ...(mayUnblock && affectsBlockedTasks(changes)
      ? [buildUnblockedNotifications(ctx, selectClosingTasks(selection, changes))]
      : []),
    ...(creation?.notified ?? []),
  ];
  const withOthers = created?.mayHaveOtherAssignees ? [created.selection] : [];
  const detailed = [
    ...(tags === undefined && field_values === undefined ? [] : [selectIds(selection)]),
    ...(creation?.detailed ?? []),
  ];
  const changeEvents = selectChangeEvents(selection, changes, replacedBytesMax);
  const earlier = [...(creation ? [creation.events] : []), ...recorded];
  const events =
    earlier.length === 0
      ? changeEvents
      : joinEvents([...earlier, { drafts: changeEvents, count: 0, hasReplaced: keepsReplaced }]);
  return [
    ...(creation?.inserts ?? []),
    ...updateCounts(caller.workspace, selection, buildNewState(ctx, changes), {
      created,
      mayHaveParents,
      mayHaveOtherAssignees,
    }),
    ...(mayHaveParents && affectsSubtaskCounts(changes)
      ? [updateSubtaskCounts(caller.workspace, selection, changes, newSubtasks)]
      : newSubtasks
        ? [countNewSubtasks(caller.workspace, newSubtasks)]
        : []),
    ...buildLabelCountUpdates(caller.workspace, selection, changes, { keys, mayHaveTags, created }),
    ...notify(ctx, notified),
    ...(mayUnblock && affectsBlockedTasks(changes)
      ? [updateOpenBlockers(caller.workspace, selection, changes)]
      : []),
    recordEvents(ctx, events, { keepsReplaced }),
    updateTasks(ctx, selection, changes, { keys, rank }),
    ...(detailed.length > 0 ? [queueDetails(caller.workspace, ...detailed)] : []),
    ...(assignee === undefined || assignee === 0 || added !== null
      ? []
      : addFollower(caller.workspace, typeof assignee === 'number' ? assignee : selectAssignee, following)),
    ...(added === null ? [] : addFollowersFromList(caller.workspace, selectAllAssignees, selection)),
    ...(mayHaveOtherAssignees && affectsOtherAssignees(changes)
      ? updateOtherAssignees(caller.workspace, selection, changes, withOthers)
      : withOthers.map((each) => insertOtherAssignees(caller.workspace, each))),
    ...(mayHaveComments && (assignee !== undefined || archived !== undefined)
      ? updateTaskComments(selectIds(selection))
      : []),
  ];
}

function buildLabelCountUpdates(
  ws: number,
  selection: TaskSelection,
  changes: NewValues,
  {
    keys,
    mayHaveTags,
    created,
  }: { keys: NewSearchKeys; mayHaveTags: boolean; created: CountedSelection | undefined },
): Statement<void>[] {
  const labeled = created?.mayHaveTags ? created.selection : undefined;
  if (mayHaveTags && (changes.tags !== undefined || changes.archived !== undefined))
    return [updateLabelCounts(ws, selection, changes, keys, labeled)];
  return labeled ? [addLabelCounts(ws, labeled)] : [];
}

const selectAllAssignees: TaskExpression = (t) => buildAssigneeList(t.assignee, t.other_assignees);

export function applyDefaultHours(ws: number, selection: TaskSelection): Statement<void>[] {
  return [...updateCounts(ws, selection, buildEffectiveHours), updateHours(ws, selection)];
}

export interface TaskEdit<T = TaskState | BulkTaskState> {
  task: T;
  changes: TaskChanges;
  /** The new parent's index among the tasks that the same batch creates. Replaces the parent in `changes`. */
  parentDraft?: number | undefined;
}

/** Each edit must have at least one change. */
export function applyTaskEdits(
  ctx: Context,
  edits: readonly TaskEdit[],
  {
    drafts = [],
    afterCreation = [],
    recorded = [],
    tokensMax,
  }: {
    drafts?: readonly TaskDraft[];
    /** Statements to run right after the tasks in `drafts` are inserted. */
    afterCreation?: readonly Statement<void>[];
    recorded?: readonly EventDrafts[];
    tokensMax?: number | undefined;
  } = {},
): Statement<void>[] {
  const ids = edits.map(({ task }) => task.id);
  const selection =
    ids.length === 1 ? selectOneTask(ids[0] as number) : selectTasksFromSubquery(selectIdsInOrder(ids));
  const { values: stored, inserts, deletes } = planDescriptionStorage(ctx, edits);
  const { values: combined, keys } = combineChanges(
    ids.map((id, index) => ({ id, changes: stored[index] ?? {} })),
  );
  const values = { ...combined, ...planNewParents(edits, combined, drafts.length) };
  const touched = edits.filter(({ changes }) => affectsSearchText(changes));
  const indexed = splitTokens(drafts, touched, tokensMax);
  const reminded = listMovedReminders(ctx, edits);
  const mayHaveParents = edits.some(({ task, changes }) => (changes.parent ?? task.parent) !== null);
  const mayHaveTags = edits.some(({ task, changes }) => task.tags !== '[]' || changes.tags !== undefined);
  const mayHaveOtherAssignees = edits.some(
    ({ task, changes }) => hasOtherAssignees(task) || changes.other_assignees !== undefined,
  );
  return [
    ...inserts,
    ...changeTasks(ctx, selection, values, {
      keys,
      rank: ids.length > 1 ? selectTaskRank(ids) : undefined,
      mayHaveParents,
      mayHaveTags,
      replacedBytesMax: getReplacedBytesMax(ctx, edits),
      mayUnblock: edits.some(({ task, changes }) => isOpen(task) !== isOpen({ ...task, ...changes })),
      mayHaveOtherAssignees,
      creation: drafts.length > 0 ? planTaskCreation(ctx, drafts, indexed, afterCreation) : undefined,
      recorded,
    }),
    ...deletes,
    ...(reminded.length > 0 ? [moveReminders(ctx.caller.workspace, reminded, ctx.now)] : []),
    ...(touched.length > 0
      ? reindexTasks(
          touched.map(({ task, changes }) => ({ ...task, ...changes })),
          indexed,
        )
      : []),
  ];
}

function planNewParents(
  edits: readonly TaskEdit[],
  { parent = null }: NewValues,
  created: number,
): NewValues {
  const placed = edits.flatMap(({ task, parentDraft }) =>
    parentDraft === undefined ? [] : [[task.id, parentDraft] as const],
  );
  return placed.length === 0 ? {} : { parent: placeUnderNewTasks(parent, placed, created) };
}

/**
 * When an app or API key edits a description, the event also stores the previous description, so that the edit can be
 * undone. Descriptions larger than this many bytes aren't stored.
 */
const REPLACED_BYTES_MAX = { single: 700_000, bulk: 8_192 };

function getReplacedBytesMax({ caller }: Context, edits: readonly TaskEdit[]): number | undefined {
  const isMadeByApp = caller.credential.id !== null;
  if (!isMadeByApp || edits.every(({ changes }) => changes.description === undefined)) return undefined;
  return edits.length === 1 ? REPLACED_BYTES_MAX.single : REPLACED_BYTES_MAX.bulk;
}

function listMovedReminders({ caller }: Context, edits: readonly TaskEdit[]): ReminderMove[] {
  return edits.flatMap(({ task, changes }) => {
    const columns = ['due', 'due_time', 'archived', 'status'] as const;
    if (task.has_reminders === 0 || columns.every((column) => changes[column] === undefined)) return [];
    const after = { ...task, ...changes };
    const isSilent = after.archived === 1 || after.status === COMPLETED_STATUS;
    return [{ task: task.id, dueMoment: toDueInstant(after, caller.timezone), isSilent }];
  });
}

function planDescriptionStorage({ caller }: Context, edits: readonly TaskEdit[]) {
  const { stored, inserts } = planLongTextStorage(
    caller.workspace,
    edits.map(({ changes }) => changes),
  );
  const replaced = edits.flatMap(({ task, changes }) =>
    changes.description === undefined ? [] : [task.long_text],
  );
  return { values: stored, inserts, deletes: deleteLongTexts(caller.workspace, replaced) };
}

/** Also notifies followers and mentioned people. Must run after the statement that inserts the comment. */
export function recordNewComment(
  ctx: WriteContext,
  task: number,
  comment: SQL,
  content: string,
): Statement<void>[] {
  const { caller } = ctx;
  const people = findMentionedIds([content]).slice(0, NOTIFIED_MENTIONS_MAX);
  return [
    ...recordCommentChange(ctx, task, 'comment.created', comment),
    ...notifyMentioned(ctx, { task, comment, people }),
    ...notify(ctx, [buildFollowerNotifications(ctx, 'comment_added', selectOneTask(task), people)]),
    ...addFollower(caller.workspace, caller.member, selectOneTask(task)),
  ];
}

export function recordNewComments(
  ctx: WriteContext,
  tasks: readonly number[],
  comments: SQL,
  content: string,
): Statement<void>[] {
  const people = findMentionedIds([content]).slice(0, NOTIFIED_MENTIONS_MAX);
  const selection = selectTasksById(tasks);
  return [
    updateTaskActivity(ctx, tasks, { comments: 1 }),
    recordEvents(ctx, selectNewCommentEvents(comments)),
    ...notifyMentioned(ctx, { task: tasks, comment: lastCommentOfTask, people }),
    ...notify(ctx, [buildFollowerNotifications(ctx, 'comment_added', selection, people, lastCommentOfTask)]),
    ...addFollower(ctx.caller.workspace, ctx.caller.member, selection),
  ];
}

/** Must run after the statement that inserts the comments, whose texts may differ. `created` is a list of their ids. */
export function recordDifferentComments(
  ctx: WriteContext,
  created: SQL,
  contents: readonly string[],
): Statement<void>[] {
  const { workspace, member } = ctx.caller;
  const mentions = contents.flatMap((content, place) =>
    findMentionedIds([content])
      .slice(0, NOTIFIED_MENTIONS_MAX)
      .map((userId) => [place, userId] as const),
  );
  return [
    updateCommentedTasks(ctx, created),
    recordEvents(ctx, selectNewCommentEvents(created)),
    ...notifyOfComments(ctx, created, mentions),
    ...addFollower(workspace, member, selectTasksFromSubquery(selectCommentedTasks(created))),
  ];
}

/**
 * Notifies only people who weren't mentioned before. Must run before the statement that changes the comment.
 */
export function recordNewMentions(
  ctx: WriteContext,
  task: number,
  comment: SQL,
  content: string,
): Statement<void>[] {
  const people = findMentionedIds([content]).slice(0, NOTIFIED_MENTIONS_MAX);
  return notifyNewlyMentioned(ctx, { task, comment, people });
}

const commentCountChange = { 'comment.created': 1, 'comment.updated': 0, 'comment.deleted': -1 } as const;

/**
 * Must run after the statements that insert, change or delete the comment.
 * @param former the previous text of an edited comment, or the deleted comment.
 */
export function recordCommentChange(
  ctx: WriteContext,
  task: number,
  type: keyof typeof commentCountChange,
  comment: SQL,
  former?: unknown,
): Statement<void>[] {
  const keepsReplaced = former !== undefined && isMadeByApp(ctx);
  const replaced = keepsReplaced ? { comment: former } : undefined;
  return [
    updateTaskActivity(ctx, task, { comments: commentCountChange[type] }),
    recordEvents(ctx, selectTaskEvent(task, { type, entity: comment, replaced }), { keepsReplaced }),
  ];
}

/** Notifies no one. Must run after the statement that inserts the comment. */
export function recordRestoredComment(ctx: WriteContext, task: number, comment: SQL): Statement<void>[] {
  const { workspace, member } = ctx.caller;
  return [
    ...recordCommentChange(ctx, task, 'comment.created', comment),
    ...addFollower(workspace, member, selectOneTask(task)),
  ];
}

/** Must run after the statements that delete the comments. Their tasks must not be archived. */
export function recordDeletedComments(
  ctx: WriteContext,
  deleted: readonly { id: number; task: number }[],
): Statement<void>[] {
  return [
    subtractDeletedComments(
      ctx,
      deleted.map(({ task }) => task),
    ),
    recordEvents(ctx, selectDeletedCommentEvents(ctx.caller.workspace, deleted)),
  ];
}

export interface FileChange {
  type: 'attachment.created' | 'attachment.deleted';
  id: SQL;
  name: string;
}

export function toFileNameChange(type: FileChange['type'], name: string): FieldChange {
  return type === 'attachment.created' ? { from: null, to: name } : { from: name, to: null };
}

/** Must run after the statements that add or remove the file. */
export function recordTaskFileChange(
  ctx: WriteContext,
  task: number,
  { type, id, name }: FileChange,
): Statement<void>[] {
  const changes = { fileName: toFileNameChange(type, name) };
  return [
    updateTaskActivity(ctx, task),
    recordEvents(ctx, selectTaskEvent(task, { type, entity: id, changes })),
  ];
}

const isMadeByApp = ({ caller }: WriteContext) => (caller.credential?.id ?? null) !== null;

/** How many characters of previous values one batch's events can store. Only changes by apps store these values. */
const REPLACED_CHARACTERS_MAX = 200_000;

/** If an app makes a change, the event also stores the previous values, so that people can undo it. */
function recordTaskChanges(ctx: WriteContext, drafts: readonly TaskEventDraft[]): Statement<void> {
  const keepsReplaced = isMadeByApp(ctx);
  let room = keepsReplaced ? REPLACED_CHARACTERS_MAX : 0;
  const kept = drafts.map((draft) => {
    room -= keepsReplaced ? JSON.stringify(draft.replaced ?? null).length : 0;
    return room > 0 ? draft : { ...draft, replaced: null };
  });
  return recordEvents(ctx, selectTaskEvents(kept), { keepsReplaced });
}

interface ChecklistChange extends ChecklistProgress {
  /** Null unless exactly one item changed. */
  line: FieldChange;
  formerLines: readonly ChecklistItem[];
}

export function recordChecklistChanges(
  ctx: WriteContext,
  changes: readonly ChecklistChange[],
): Statement<void>[] {
  const drafts = changes.map(({ task, line, formerLines }) => ({
    task,
    changes: { checklist: line },
    replaced: { checklist: formerLines },
  }));
  return [
    updateChecklistProgress(ctx, changes),
    queueDetails(ctx.caller.workspace, selectIds(selectTasksById(changes.map(({ task }) => task)))),
    recordTaskChanges(ctx, drafts),
  ];
}

export function recordSubtaskOrder(ctx: WriteContext, task: number): Statement<void>[] {
  return [
    updateTaskActivity(ctx, task),
    recordEvents(ctx, selectTaskEvent(task, { type: 'task.updated', changes: { subtasks: null } })),
  ];
}

export interface RecurrenceChange {
  task: number;
  repeats: number;
  change: FieldChange;
}

export function recordRecurrenceChanges(
  ctx: WriteContext,
  changed: readonly RecurrenceChange[],
): Statement<void>[] {
  if (changed.length === 0) return [];
  return [...updateRecurringTasks(ctx, changed), recordEvents(ctx, toRecurrenceEvents(changed).drafts)];
}

export function updateRecurringTasks(
  ctx: WriteContext,
  changed: readonly RecurrenceChange[],
): Statement<void>[] {
  return [...Map.groupBy(changed, ({ repeats }) => repeats)].map(([repeats, same]) =>
    updateTaskActivity(
      ctx,
      same.map(({ task }) => task),
      { repeats },
    ),
  );
}

export function toRecurrenceEvents(changed: readonly RecurrenceChange[]): EventDrafts {
  const events = changed.map(({ task, change }) => ({ task, changes: { recurrence: change } }));
  return { drafts: selectTaskEvents(events), count: changed.length, hasReplaced: true };
}

export function recordRelationChanges(
  ctx: WriteContext,
  plans: readonly { task: number; changes: readonly RelationChange[] }[],
): Statement<void>[] {
  const toSingle = (changes: readonly RelationChange[]) =>
    changes.length === 1 ? (changes[0] ?? null) : null;
  return [
    updateTaskActivity(
      ctx,
      plans.map(({ task }) => task),
    ),
    recordTaskChanges(
      ctx,
      plans.map(({ task, changes }) => ({
        task,
        changes: { relations: toSingle(changes) },
        replaced: changes.length > 1 ? { relations: changes } : null,
      })),
    ),
  ];
}

export interface RecordedRelation {
  type: string;
  task: { id: number };
}

export type RelationChange = { from: RecordedRelation; to: null } | { from: null; to: RecordedRelation };

export function recordRelationChange(
  ctx: WriteContext,
  task: number,
  relations: RelationChange,
): Statement<void>[] {
  return [
    updateTaskActivity(ctx, task),
    recordEvents(ctx, selectTaskEvent(task, { type: 'task.updated', changes: { relations } })),
  ];
}

function affectsSearchText(changes: TaskChanges): boolean {
  return changes.name !== undefined || changes.description !== undefined;
}
