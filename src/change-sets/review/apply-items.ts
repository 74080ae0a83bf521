import type { Context } from '../../kernel/operation/operation.ts';
import type { Statement } from '../../kernel/sql/database.ts';
import { indexDifferentComments } from '../../search/index/comment-search.queries.ts';
import { splitTokens } from '../../search/index/search-index.queries.ts';
import { assertReferences } from '../../tasks/bulk/create.queries.ts';
import { buildChecklistStatements, type ChecklistEdit } from '../../tasks/checklists/change-checklist.ts';
import { assertChecklistsUnchanged } from '../../tasks/checklists/checklists.queries.ts';
import { selectNewCommentIds } from '../../tasks/comments/add-comments.queries.ts';
import { addCommentCounts } from '../../tasks/counters/comment-counts.queries.ts';
import type { TaskChanges } from '../../tasks/model/change.queries.ts';
import { emptyDraft, type TaskDraft } from '../../tasks/model/insert.queries.ts';
import { assertTasksUnchanged } from '../../tasks/model/tasks.queries.ts';
import { assertActiveAssignees } from '../../tasks/operations/task-references.queries.ts';
import { taskFieldNames } from '../../tasks/recurrence/start-series.ts';
import { buildEditStatements } from '../../tasks/write/edit-task.ts';
import {
  addRecurrenceToDraft,
  buildRecurrenceStatements,
  planRecurrence,
  type RecurrenceEdit,
} from '../../tasks/write/recurrence-edits.ts';
import { recordDifferentComments, type TaskEdit } from '../../tasks/write/tasks.write.ts';
import { assertNoOverlaps, recordCreatedEntries } from '../../time/tracking/entries.queries.ts';
import { setCreatedTasks } from '../model/change-sets.queries.ts';
import {
  type FoldedItems,
  type FoldedTask,
  getPendingParent,
  listNewAssignees,
} from '../model/fold-items.ts';
import { getStagedChecklist, getStagedRecurrence } from '../model/staged-values.ts';

interface AppliedItems {
  /** The caller combines this with its own assertion, because a request may send only 50 statements. */
  readonly assertion: Statement<void>;
  readonly writes: Statement<void>[];
}

export async function applyItems(
  ctx: Context,
  set: number,
  folded: FoldedItems,
  texts: ReadonlyMap<number, string>,
): Promise<AppliedItems> {
  const { caller } = ctx;
  const tasks = [...folded.tasks.values()];
  const made = tasks.filter(({ stored }) => stored === null);
  const created = made.map(({ id }) => id);
  const getDraft = (parent: number | null) => {
    const place = parent === null ? -1 : created.indexOf(parent);
    return place < 0 ? undefined : place;
  };
  const drafts = made.map((task) =>
    addRecurrenceToDraft(
      ctx,
      toDraft(task, texts, getDraft(getPendingParent(task))),
      getStagedRecurrence(task),
    ),
  );
  const edits = tasks.flatMap(({ stored, ...task }): TaskEdit[] =>
    stored
      ? [
          {
            task: stored,
            changes: toTaskChanges(task, texts),
            parentDraft: getDraft(getPendingParent({ stored, ...task })),
          },
        ]
      : [],
  );
  const comments = tasks.flatMap((task) => task.comments).toSorted((one, other) => one - other);
  const partTokensMax = splitTokens(comments, [...edits, ...drafts]);
  const tokensMax = splitTokens(edits, drafts, partTokensMax);
  const assignees = tasks.flatMap(listNewAssignees);
  const checklists = tasks.flatMap((task): ChecklistEdit[] => {
    const staged = task.stored && getStagedChecklist(task);
    return staged ? [{ task: task.id, ...staged }] : [];
  });
  const withoutChanges = edits.flatMap(({ task, changes }) =>
    Object.keys(changes).length === 0 ? [task] : [],
  );
  const recurrences = tasks.flatMap((task): RecurrenceEdit[] => {
    const rule = task.recurrence ? getStagedRecurrence(task) : undefined;
    if (!task.recurrence || rule === undefined) return [];
    const due = String(task.changes.due ?? task.recurrence.due);
    const edit = planRecurrence(ctx, task.recurrence, rule, { due, names: taskFieldNames });
    return edit ? [edit] : [];
  });
  const contents = comments.map((no) => texts.get(no) ?? '');
  const commentStatements = buildCommentStatements(ctx, set, {
    comments,
    contents,
    tokensMax: partTokensMax,
  });
  const numbers = folded.timeEntries.map(({ no }) => no);
  const entryStatements =
    numbers.length === 0
      ? []
      : [insertStagedEntries(caller, set, numbers), recordCreatedEntries(ctx, numbers.length)];
  return {
    assertion: assertActiveAssignees(caller, assignees),
    writes: await buildEditStatements(ctx, edits, {
      assertions: [
        ...(withoutChanges.length > 0 ? [assertTasksUnchanged(caller, withoutChanges)] : []),
        ...(drafts.length > 0 ? [assertReferences(caller, drafts)] : []),
        ...(folded.timeEntries.length > 0
          ? [
              assertNoOverlaps(caller, folded.timeEntries),
              assertTasksUnchanged(
                caller,
                folded.timeEntries.flatMap(({ stored }) => stored ?? []),
              ),
            ]
          : []),
      ],
      partStatements: [
        ...buildCheckedChecklistStatements(ctx, checklists),
        ...buildRecurrenceStatements(ctx, recurrences),
      ],
      creation: {
        drafts,
        record: (first) => (created.length > 0 ? [setCreatedTasks(caller, set, created, first)] : []),
      },
      extraStatements: [...commentStatements, ...entryStatements],
      tokensMax,
    }),
  };
}

interface StagedComments {
  /** The numbers of the items that add comments. */
  readonly comments: readonly number[];
  readonly contents: readonly string[];
  readonly tokensMax: number;
}

function buildCommentStatements(
  ctx: Context,
  set: number,
  { comments, contents, tokensMax }: StagedComments,
): Statement<void>[] {
  if (comments.length === 0) return [];
  const { caller, now } = ctx;
  const created = selectNewCommentIds(comments.length);
  return [
    ...insertStagedComments(caller, set, comments, now),
    addCommentCounts(created),
    indexDifferentComments(caller.workspace, created, contents, tokensMax),
    ...recordDifferentComments(ctx, created, contents),
  ];
}

function buildCheckedChecklistStatements(ctx: Context, edits: readonly ChecklistEdit[]): Statement<void>[] {
  if (edits.length === 0) return [];
  const versions = edits.map(({ task, before }) => [task, before.version] as const);
  return [assertChecklistsUnchanged(ctx.caller, versions), ...buildChecklistStatements(ctx, edits)];
}

function toDraft(
  task: FoldedTask,
  texts: ReadonlyMap<number, string>,
  parentDraft: number | undefined,
): TaskDraft {
  const values = toTaskChanges(task, texts);
  const lines = getStagedChecklist(task)?.after.lines ?? [];
  const checklist = lines.map(({ text, isDone }) => ({ text, isDone }));
  return {
    ...emptyDraft,
    ...(values as TaskDraft),
    ...(parentDraft !== undefined && { parent: null, parent_draft: parentDraft }),
    ...(checklist.length > 0 && { checklist }),
  };
}

function toTaskChanges(
  { changes, description }: Pick<FoldedTask, 'changes' | 'description'>,
  texts: ReadonlyMap<number, string>,
): TaskChanges {
  const { description: print, checklist: _, recurrence: __, ...values } = changes;
  const text = description === null ? null : (texts.get(description) ?? null);
  return { ...values, ...(print !== undefined && { description: text }) } as TaskChanges;
}

import { insertStagedComments, insertStagedEntries } from './apply-items.queries.ts';
