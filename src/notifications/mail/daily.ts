import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { type Allowance, unitsOf } from '../../kernel/sql/budget.ts';
import { composeMail, type Item, readItems } from './compose.ts';
import { listDaily, tellDaily } from './directory.queries.ts';
import { kindsOf, readModes } from './modes.ts';

const DAY_MS = 24 * 60 * 60_000;
const PEOPLE_A_RUN = 20;
/** Leaves time for slow requests to commit their notifications. */
const PATIENCE_MS = 60_000;
const CELLS_MAX = 8;
const TELL_COST = 2 * CELLS_MAX + 2;
export const DAILY_COST = 1 + TELL_COST;

/** For people who chose daily email. Safe to run in parallel. */
export async function mailDaily(scope: RequestScope, allowance: Allowance): Promise<boolean> {
  const { directory, now } = scope;
  const until = now - PATIENCE_MS;
  const limit = unitsOf({ left: allowance.left - 1 }, TELL_COST, PEOPLE_A_RUN);
  const [readers] = await directory.batch([listDaily(now, limit)]);
  for (const reader of readers) {
    const { id, daily_at: dailyAt, since } = reader;
    const kinds = kindsOf(readModes(reader.modes), 'daily');
    const items: Item[] = [];
    for (const cell of (JSON.parse(reader.cells) as number[]).slice(0, CELLS_MAX))
      items.push(
        ...(await readItems(scope, cell, id, {
          kinds,
          ids: [0, Number.MAX_SAFE_INTEGER],
          times: [since, until],
        })),
      );
    items.sort((a, b) => b.createdAt - a.createdAt);
    const mail = items.length > 0 ? composeMail(scope, reader, items, 'daily') : null;
    const next = dailyAt + Math.ceil((now - dailyAt + 1) / DAY_MS) * DAY_MS;
    await directory.batch(tellDaily({ userId: id, dailyAt, next, until }, mail, now));
  }
  return readers.length === limit;
}
