import { toChanges } from '../events/feed/events.present.ts';
import type { FieldChange } from '../events/log/event-types.ts';
import type { AppChange, HistoryEntry } from './app-activity.queries.ts';

export interface LogEntry {
  readonly seq: number;
  readonly isOwn: boolean;
  readonly isOfApp: boolean;
  readonly isUndo: boolean;
  readonly type: string;
  readonly entity: number | null;
  readonly changes: Readonly<Record<string, FieldChange>>;
  readonly replaced: Readonly<Record<string, unknown>>;
  readonly actor: string | null;
}

/** Combines both lists, because the history has no entries for some changes, such as a new category. */
export function mergeEntries(changes: readonly AppChange[], history: readonly HistoryEntry[]): LogEntry[] {
  const bySeq = new Map<number, LogEntry>();
  const parse = ({ seq, type, entity, changes: stored, replaced }: AppChange | HistoryEntry) => ({
    seq,
    type,
    entity,
    changes: toChanges(stored),
    replaced: JSON.parse(replaced ?? '{}') as Record<string, unknown>,
  });
  for (const each of changes)
    bySeq.set(each.seq, { ...parse(each), isOwn: true, isOfApp: true, isUndo: false, actor: null });
  for (const each of history) {
    bySeq.set(each.seq, {
      ...parse(each),
      isOwn: each.is_own === 1,
      isOfApp: each.is_of_app === 1,
      isUndo: each.is_undo === 1,
      actor: each.actor,
    });
  }
  return [...bySeq.values()].toSorted((one, other) => one.seq - other.seq);
}

export interface SessionChange {
  /**
   * The app's first change after the last change by someone else. If there is none, the app's first change in the
   * session.
   */
  readonly first: LogEntry;
  readonly last: LogEntry;
  readonly other: LogEntry | undefined;
  readonly isOverwritten: boolean;
  /** True if the change was undone, and no one else has since changed the value. */
  readonly isRestored: boolean;
}

/** Returns null if the app made none of the changes in this session. */
export function findSessionChange(name: string, entries: readonly LogEntry[]): SessionChange | null {
  const own = entries.filter(({ isOwn }) => isOwn);
  const other = entries.findLast(
    (entry) => !entry.isOwn && !entry.isUndo && !isUndoneSince(name, entry, entries),
  );
  const latest = own.filter(({ seq }) => seq > (other?.seq ?? 0));
  const [first] = latest.length > 0 ? latest : own;
  const last = entries.findLast(({ isOwn, isUndo }) => isOwn || isUndo);
  if (!first || !last) return null;
  const isRestored = last.isUndo && (other?.seq ?? 0) < last.seq;
  return { first, last, other, isOverwritten: latest.length === 0, isRestored };
}

/** True if the app made this change in another session, and an undo has restored this session's value. */
function isUndoneSince(name: string, entry: LogEntry, entries: readonly LogEntry[]): boolean {
  const before = entries.findLast(({ isOwn, seq }) => isOwn && seq < entry.seq);
  const left = JSON.stringify(before?.changes[name]?.to);
  return (
    entry.isOfApp &&
    before !== undefined &&
    entries.some(
      ({ isUndo, seq, changes }) => isUndo && seq > entry.seq && JSON.stringify(changes[name]?.to) === left,
    )
  );
}

export const TOO_MANY_CHANGES_REASON = 'The task has too many later changes to check.';

export function describeLaterChange(name: string | null): string {
  return name === null ? 'Someone changed it later.' : `${name} changed it later.`;
}
