import type * as z from 'zod';
import { toInstantRange } from '../../kernel/dates/instant-range.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { buildPage, toRange } from '../../kernel/lists/pagination.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import { OperationResponse } from '../../kernel/operation/operation-response.ts';
import { toTimeEntry } from '../../time/tracking/time-tracking.present.ts';
import type { TimeEntry } from '../../time/tracking/time-tracking.schema.ts';
import { getTimeStats, listTimeEntries } from '../../time/tracking/time-tracking.ts';
import { listStagedEntries, type StagedEntryRow } from '../model/change-sets.queries.ts';
import { toProvisionalId } from '../model/limits.ts';
import { createPendingContext, readOpenSet } from './pending-set.ts';

export function toStagedEntry(set: number, row: StagedEntryRow): TimeEntry {
  return toTimeEntry({ ...row, id: toProvisionalId(set, row.no), counted_until: row.ended_at });
}

export async function listPendingTimeEntries(ctx: Context, input: z.output<typeof listTimeEntries.input>) {
  const pending = await readOpenSet(ctx);
  const { set, folded } = pending;
  const { sinceMs = 0, beforeMs = Number.POSITIVE_INFINITY } = toInstantRange(input, ctx.caller.timezone);
  const matching = new Set(
    folded.timeEntries
      .filter(
        ({ task, started_at }) =>
          started_at >= sinceMs && started_at < beforeMs && (input.taskId ?? task) === task,
      )
      .map(({ no }) => no),
  );
  if (matching.size === 0) return listTimeEntries.handler(ctx, input);
  const { db } = createPendingContext(ctx, pending, [...new Set(folded.timeEntries.map(({ task }) => task))]);
  const [rows] = await db.batch([listStagedEntries(ctx.caller, set.id)]);
  const page = await listTimeEntries.handler(ctx, { ...input, limit: input.limit + matching.size });
  const stored = page instanceof OperationResponse ? page.body : page;
  const range = toRange(input, 2);
  const [startedAt = Number.POSITIVE_INFINITY, last = 0] = (range.after ?? []).map(Number);
  const staged = rows
    .filter(({ no }) => matching.has(no))
    .map((row) => toStagedEntry(set.id, row))
    .filter(({ id, startTime }) => {
      const start = Date.parse(startTime);
      return start < startedAt || (start === startedAt && id < last);
    });
  const merged = [...stored.data, ...staged].toSorted(
    (one, other) => Date.parse(other.startTime) - Date.parse(one.startTime) || other.id - one.id,
  );
  return buildPage({
    range,
    total: stored.meta.total + matching.size,
    rows: merged.slice(0, range.limit + 1),
    key: ({ id, startTime }) => [Date.parse(startTime), id],
    show: (entry) => entry,
  });
}

export async function getPendingTimeStats(ctx: Context, input: z.output<typeof getTimeStats.input>) {
  const { set, folded } = await readOpenSet(ctx);
  if (folded.timeEntries.length === 0) return getTimeStats.handler(ctx, input);
  throw invalidRequestError(
    `Stats don't include the staged time entries of change set ${set.id}. Use view entries, or call propose_changes or discard_changes first.`,
  );
}
