import * as z from 'zod';

/* A `Source` contains the file's values unchanged. The modules in `plan/` interpret the values. */

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
] as const;
export type ImportField = (typeof importFields)[number];

/** `text` keeps values at the end of the description, and `skip` leaves them out. */
export const columnUses = [...importFields, 'text', 'skip'] as const;
export const columnUse = z.enum(columnUses);
export type ColumnUse = (typeof columnUses)[number];

export interface SourceColumn {
  readonly header: string;
  readonly use: ColumnUse;
}

export interface SourceTask {
  /** The row in the file, starting at 1 after the header. */
  readonly row: number;
  readonly cells: readonly string[];
}

export interface SourceNote {
  readonly row: number | null;
  readonly text: string;
}

export interface Source {
  readonly columns: readonly SourceColumn[];
  readonly tasks: readonly SourceTask[];
  readonly notes: readonly SourceNote[];
}
