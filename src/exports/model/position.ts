import type { SortKey } from '../../kernel/lists/pagination.ts';
import { type ArchiveState, emptyArchive } from '../archive/archive-writer.ts';

/** The steps of an export, in order. The table steps are in `exportTables`. */
export const exportSteps = ['readme', 'tables', 'files', 'manifest', 'directory', 'done'] as const;
export type ExportStep = (typeof exportSteps)[number];

/** How far along an export is. A run that stops at any moment is continued from the last stored position. */
export interface Position {
  readonly step: ExportStep;
  /** The index of the table that is being read. */
  readonly table: number;
  /** The number of the table's file, because a large table is split into several. */
  readonly tableFile: number;
  /** The key of the last row that was written, of whatever the step reads. */
  readonly after: SortKey | null;
  /** The number of bytes of the current file that were copied. */
  readonly offset: number;
  readonly archive: ArchiveState;
  readonly parts: number;
  /** The object with the bytes that don't fill a part yet. Two objects take turns, so that one is always intact. */
  readonly pending: { readonly slot: 0 | 1; readonly bytes: number } | null;
  readonly records: Readonly<Record<string, number>>;
  readonly files: number;
  readonly directory: { readonly start: number; readonly entries: number } | null;
}

export const firstPosition: Position = {
  step: 'readme',
  table: 0,
  tableFile: 1,
  after: null,
  offset: 0,
  archive: emptyArchive,
  parts: 0,
  pending: null,
  records: {},
  files: 0,
  directory: null,
};

/** The object with bytes that don't fill a part yet. No download URL can refer to it. */
export function buildPendingKey(objectKey: string, slot: 0 | 1): string {
  return `${objectKey}-pending-${slot}`;
}
