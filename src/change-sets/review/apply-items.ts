import type { Context } from '../../kernel/operation/operation.ts';
import type { Statement } from '../../kernel/sql/database.ts';
import { splitTokens } from '../../search/index/search-index.queries.ts';
import { assertReferences } from '../../tasks/bulk/create.queries.ts';
import { buildChecklistStatements, type ChecklistEdit } from '../../tasks/checklists/change-checklist.ts';
import { assertChecklistsUnchanged } from '../../tasks/checklists/checklists.queries.ts';
import type { TaskChanges } from '../../tasks/model/change.queries.ts';
import { emptyDraft, type TaskDraft } from '../../tasks/model/insert.queries.ts';
import { assertTasksUnchanged } from '../../tasks/model/tasks.queries.ts';
import { assertActiveAssignees } from '../../tasks/operations/task-references.queries.ts';
import { buildEditStatements } from '../../tasks/write/edit-task.ts';
import { createTasks, type TaskEdit } from '../../tasks/write/tasks.write.ts';
import {
  type FoldedItems,
  type FoldedTask,
  getStagedChecklist,
  listNewAssignees,
} from '../model/fold-items.ts';

interface AppliedItems {
  /** The caller combines this with its own assertion, because a request may send only 50 statements. */
  readonly assertion: Statement<void>;
  readonly writes: Statement<void>[];
  /** The provisional ids of the created tasks, in the order of their final ids. */
  readonly created: readonly number[];
}

export async function applyItems(
  ctx: Context,
  folded: FoldedItems,
  texts: ReadonlyMap<number, string>,
): Promise<AppliedItems> {
  const { caller } = ctx;
  const tasks = [...folded.tasks.values()];
  const made = tasks.filter(({ stored }) => stored === null);
  const drafts = made.map((task) => toDraft(task, texts));
  const edits = tasks.flatMap(({ stored, ...task }): TaskEdit[] =>
    stored ? [{ task: stored, changes: toTaskChanges(task, texts) }] : [],
  );
  const tokensMax = splitTokens(edits, drafts);
  const assignees = tasks.flatMap(listNewAssignees);
  const checklists = tasks.flatMap((task): ChecklistEdit[] => {
    const staged = task.stored && getStagedChecklist(task);
    return staged ? [{ task: task.id, ...staged }] : [];
  });
  const withListsOnly = edits.flatMap(({ task, changes }) =>
    Object.keys(changes).length === 0 ? [task] : [],
  );
  return {
    created: made.map(({ id }) => id),
    assertion: assertActiveAssignees(caller, assignees),
    writes: [
      ...(edits.length > 0
        ? await buildEditStatements(ctx, edits, {
            assertions: withListsOnly.length > 0 ? [assertTasksUnchanged(caller, withListsOnly)] : [],
            partStatements: buildCheckedChecklistStatements(ctx, checklists),
            tokensMax,
          })
        : []),
      // Must come last, so that the created tasks are the newest, even if an edit creates the next task in a
      // series.
      ...(drafts.length > 0
        ? [assertReferences(caller, drafts), ...createTasks(ctx, drafts, tokensMax)]
        : []),
    ],
  };
}

function buildCheckedChecklistStatements(ctx: Context, edits: readonly ChecklistEdit[]): Statement<void>[] {
  if (edits.length === 0) return [];
  const versions = edits.map(({ task, before }) => [task, before.version] as const);
  return [assertChecklistsUnchanged(ctx.caller, versions), ...buildChecklistStatements(ctx, edits)];
}

function toDraft(task: FoldedTask, texts: ReadonlyMap<number, string>): TaskDraft {
  const values = toTaskChanges(task, texts);
  const lines = getStagedChecklist(task)?.after.lines ?? [];
  const checklist = lines.map(({ text, isDone }) => ({ text, isDone }));
  return { ...emptyDraft, ...(values as TaskDraft), ...(checklist.length > 0 && { checklist }) };
}

function toTaskChanges(
  { changes, description }: Pick<FoldedTask, 'changes' | 'description'>,
  texts: ReadonlyMap<number, string>,
): TaskChanges {
  const { description: print, checklist: _, ...values } = changes;
  const text = description === null ? null : (texts.get(description) ?? null);
  return { ...values, ...(print !== undefined && { description: text }) } as TaskChanges;
}
