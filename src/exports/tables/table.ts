import type { SortKey } from '../../kernel/lists/pagination.ts';
import type { Statement } from '../../kernel/sql/database.ts';

/** Every run of an export reads these first, because the rows of other tables refer to them. */
export interface Lookups {
  /** The user id of each member number, including former members. */
  readonly people: ReadonlyMap<number, string>;
  /** The keys of the custom fields that exist, such as `cf_1`. */
  readonly fields: ReadonlySet<string>;
}

export interface TableSource {
  readonly ws: number;
  /** The member who started the export. An archive contains only this person's reminders. */
  readonly member: number;
  /** The member again if only their own data is exported, or 0 for the whole workspace. */
  readonly person: number;
  /** The key of the last row that was read, or null at the start. */
  readonly after: SortKey | null;
}

/** A file of the archive with one JSON object per line. */
export interface ExportTable {
  /** The file's name without its ending. */
  readonly name: string;
  /** A sentence for the archive's README. */
  readonly description: string;
  /**
   * Reads the next rows in the order of `key`, up to the limit of the table. The key of a row must never change, so
   * that a row is neither skipped nor repeated while people work.
   */
  readonly read: (source: TableSource) => Statement<object[]>;
  readonly key: (row: never) => SortKey;
  readonly show: (row: never, lookups: Lookups) => object;
  /** Whether a row belongs in an export of the member's own data. Without it, all rows do. */
  readonly isOwn?: (row: never, member: number) => boolean;
}

interface TypedTable<R extends object> extends Omit<ExportTable, 'read' | 'key' | 'show' | 'isOwn'> {
  readonly read: (source: TableSource) => Statement<R[]>;
  readonly key: (row: R) => SortKey;
  readonly show: (row: R, lookups: Lookups) => object;
  readonly isOwn?: (row: R, member: number) => boolean;
}

export function defineTable<R extends object>(table: TypedTable<R>): ExportTable {
  return table;
}

export const toUserId = ({ people }: Lookups, member: number | null): string | null =>
  member === null ? null : (people.get(member) ?? null);

export const toUserIds = (lookups: Lookups, members: string): string[] =>
  (JSON.parse(members) as number[]).flatMap((member) => toUserId(lookups, member) ?? []);
