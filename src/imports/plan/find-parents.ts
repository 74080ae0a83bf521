import { toHeaderKey } from '../sources/headers.ts';
import type { Source } from '../sources/source.ts';
import type { ParentProblem } from './order-tasks.ts';
import type { ParsedTask, PlanContext } from './parse-task.ts';

export const parentNotes: Readonly<Record<ParentProblem | 'missing' | 'ambiguous' | 'archived', string>> = {
  cycle: 'The parent is the task itself or one of its subtasks, so the task has no parent.',
  deep: 'The parent is nested too deeply, so the task becomes a subtask of a task above the parent.',
  many: 'The parent has too many subtasks, so the task has no parent.',
  missing: "The parent isn't in the file, so the task has no parent.",
  archived: 'The parent is archived, so the task has no parent.',
  ambiguous: "Several tasks have the parent's name, so the task has no parent.",
};

interface FoundParent {
  readonly parent: number | null;
  readonly naming: ReadonlySet<number>;
}

const NO_PARENT: FoundParent = { parent: null, naming: new Set() };

/**
 * A task can name its parent by id or by name. If a task names several parents, the first one outside the `Epic Link`
 * column is used.
 */
export function findParents(
  source: Source,
  read: readonly ParsedTask[],
  { note }: Pick<PlanContext, 'note'>,
): FoundParent[] {
  const byId = new Map<string, number>();
  const byName = new Map<string, number | null>();
  for (const [index, { ids, name }] of read.entries()) {
    for (const id of ids) if (!byId.has(id)) byId.set(id, index);
    byName.set(name, byName.has(name) ? null : index);
  }
  const isEpic = source.columns.map(({ header }) => toHeaderKey(header) === 'epiclink');
  return read.map(({ parentTexts }, index) => {
    if (parentTexts.length === 0) return NO_PARENT;
    const found = parentTexts.flatMap(({ column, text }) => {
      const parent = byId.get(text) ?? byName.get(text) ?? null;
      return parent === null ? [] : [{ column, parent }];
    });
    const chosen = found.find(({ column }) => !isEpic[column]) ?? found[0];
    if (chosen && read[chosen.parent]?.isArchived) {
      note(source.tasks[index]?.row ?? 0, parentNotes.archived);
      return NO_PARENT;
    }
    if (chosen) {
      const naming = found.filter(({ parent }) => parent === chosen.parent).map(({ column }) => column);
      return { parent: chosen.parent, naming: new Set(naming) };
    }
    const isAmbiguous = parentTexts.some(({ text }) => byName.get(text) === null);
    note(source.tasks[index]?.row ?? 0, parentNotes[isAmbiguous ? 'ambiguous' : 'missing']);
    return NO_PARENT;
  });
}
