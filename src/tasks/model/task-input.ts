import { initialColumns, toColumns } from '../field-values.ts';
import type { TaskChanges } from './change.queries.ts';
import type { TaskDraft } from './insert.queries.ts';
import type { TaskCreateInput, TaskUpdateInput } from './tasks.schema.ts';

const { name: _name, assignee: _assignee, archived: _archived, ...initial } = initialColumns;
/** A task of which nothing is said but its project, its name and who does it. */
export const emptyDraft = { ...initial, duration_minutes: null } satisfies Partial<TaskDraft>;

/** The columns of a task that somebody asks for, in the place that was found for it. */
export function draftOf(
  input: TaskCreateInput,
  references: Pick<TaskDraft, 'project' | 'assignee' | 'category'>,
): TaskDraft {
  const { name, description, ...others } = input;
  // An empty text is none.
  const columns = toColumns({ ...others, description: description || null }, references.assignee);
  return { ...emptyDraft, ...columns, name, ...references };
}

/** The columns that an update sets. @param assignee the number of the member it names, 0 for nobody. */
export function changesOf(input: TaskUpdateInput, assignee: number): TaskChanges {
  return toColumns(input, assignee);
}
