import * as z from 'zod';

/* A `Source` contains the file's values. The modules in `plan/` interpret them. */

export const importFields = [
  'id',
  'name',
  'description',
  'status',
  'priority',
  'assignee',
  'tags',
  'startDate',
  'deadline',
  'dueTime',
  'estimate',
  'parent',
  'createdAt',
  'completedAt',
  'isCompleted',
  'isArchived',
  'checklist',
] as const;
export type ImportField = (typeof importFields)[number];

/** `text` keeps values at the end of the description, and `skip` leaves them out. */
export const columnUses = [...importFields, 'text', 'skip'] as const;
export const columnUse = z.enum(columnUses);
export type ColumnUse = (typeof columnUses)[number];

export interface SourceColumn {
  readonly header: string;
  readonly use: ColumnUse;
  /** True if the items are comments, each with a line for author and time, followed by Markdown. */
  readonly hasMarkdown?: boolean;
}

export interface SourceTask {
  /** The row in the file, starting at 1 after the header. */
  readonly row: number;
  readonly cells: readonly string[];
  /** The separate values of cells with several values, by column. The cell itself contains all values in one string. */
  readonly lists?: ReadonlyMap<number, readonly string[]>;
}

export interface SourceNote {
  readonly row: number | null;
  readonly text: string;
}

export interface Source {
  readonly columns: readonly SourceColumn[];
  readonly tasks: readonly SourceTask[];
  readonly notes: readonly SourceNote[];
  /** Identifies the source of the ids, such as a Trello board, if the file names it. */
  readonly name?: string;
  /** True if the tasks must keep their order instead of being sorted by creation time. */
  readonly isOrdered?: boolean;
  /** Usernames by name, for the people whose names the cells contain. */
  readonly usernames?: ReadonlyMap<string, string>;
}

/** Comments can have several lines, so a single line break wouldn't be enough to separate them. */
export function joinItems(items: readonly string[]): string {
  return items.join(items.some((item) => item.includes('\n')) ? '\n\n' : '\n');
}
