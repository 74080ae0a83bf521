import { invalidRequestError } from '../../kernel/errors/errors.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import { rejectUnless, type Statement } from '../../kernel/sql/database.ts';
import { assertTaskWritable, findTaskState } from '../../tasks/model/tasks.queries.ts';
import { requireNoOverlappingEntry, requireWritableTask } from './create-time-entries.ts';
import {
  assertEntriesUnchanged,
  assertNoOverlap,
  deleteEntries,
  findOverlappingEntry,
  isEntryIdFree,
  type OwnEntry,
  recordDeletedEntries,
  recordRestoredEntry,
  reinsertEntry,
  type TimeSpan,
} from './entries.queries.ts';

export async function restoreTimeEntry(ctx: Context, id: number, span: TimeSpan): Promise<void> {
  const { db, caller } = ctx;
  const [task, other] = await db.batch([
    findTaskState(caller, span.task),
    findOverlappingEntry(caller, span, null),
  ]);
  requireWritableTask(task, span.task);
  requireNoOverlappingEntry(other);
  await db.batch([
    assertTaskWritable(caller, span.task),
    assertNoOverlap(caller, span, null),
    rejectUnless(isEntryIdFree(id), entryIdTakenError(id)),
    reinsertEntry(caller, id, span),
    recordRestoredEntry(ctx, id),
  ]);
}

export function buildEntryDeletions(ctx: Context, entries: readonly OwnEntry[]): Statement<void>[] {
  if (entries.length === 0) return [];
  const ids = entries.map(({ id }) => id);
  return [
    assertEntriesUnchanged(ctx.caller, entries),
    recordDeletedEntries(ctx, ids),
    deleteEntries(ctx.caller, ids),
  ];
}

function entryIdTakenError(id: number) {
  return invalidRequestError(
    `Id ${id} now belongs to a new time entry, so the deleted entry can't be restored. Log the time again.`,
  );
}
