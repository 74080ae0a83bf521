import type * as z from 'zod';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import { isProvisionalId } from '../../kernel/operation/provisional-ids.ts';
import { toTimestamp } from '../../kernel/operation/schema.ts';
import { readFromTables } from '../../kernel/sql/database.ts';
import { checkTimeEntries, type createTimeEntries } from '../../time/tracking/create-time-entries.ts';
import type { TimeSpan } from '../../time/tracking/entries.queries.ts';
import { listStagedEntries, type NewItem } from '../model/change-sets.queries.ts';
import { createPendingContext, type PendingSet, readOpenSet } from '../pending/pending-set.ts';
import { toStagedEntry } from '../pending/pending-time-entries.ts';
import { stageItems } from './stage-items.ts';

export async function stageTimeEntries(ctx: Context, { entries }: z.output<typeof createTimeEntries.input>) {
  const pending = await readOpenSet(ctx);
  const { set, state } = pending;
  const ids = [...new Set(entries.map(({ taskId }) => taskId))];
  const pendingCtx = createPendingContext(ctx, pending, ids);
  const { spans, tasks } = await checkTimeEntries(pendingCtx, entries, undefined, (span) =>
    requireNoStagedOverlap(pending, span),
  );
  const items = spans.map(({ task, started_at, ended_at }, index): NewItem => {
    const stored = state.tasks.get(task) ?? tasks.find(({ id }) => id === task);
    return {
      no: set.items + 1 + index,
      task,
      operation: 'time',
      version: isProvisionalId(task) ? null : (stored?.version ?? null),
      changes: { started_at, ended_at },
      before: {},
      text: null,
      textKey: null,
    };
  });
  const touched = tasks.filter(({ id }) => !isProvisionalId(id));
  const { writes, tables } = stageItems(ctx, pending, items, { touched, read: ids });
  const [rows] = await ctx.db.writeThenRead(writes, [
    readFromTables(listStagedEntries(ctx.caller, set.id), tables),
  ]);
  return { entries: rows.filter(({ no }) => no > set.items).map((row) => toStagedEntry(set.id, row)) };
}

function requireNoStagedOverlap({ folded }: PendingSet, { started_at, ended_at }: TimeSpan) {
  const other = folded.timeEntries.find(
    (entry) => entry.started_at < ended_at && entry.ended_at > started_at,
  );
  if (!other) return;
  throw invalidRequestError(
    `This time overlaps a staged time entry, from ${toTimestamp(other.started_at)} to ${toTimestamp(other.ended_at)}. Choose another time.`,
  );
}
