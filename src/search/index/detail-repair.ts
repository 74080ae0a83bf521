import type { Database } from '../../kernel/sql/database.ts';
import {
  clearDetailIndex,
  deleteStrayDetails,
  findLastTaskId,
  requeueDetails,
} from './detail-repair.queries.ts';
import { indexDetails, listWaitingDetails, planDetails } from './waiting-details.queries.ts';

const TASKS_PER_RANGE = 10_000;

/** Safe to interrupt and repeat, because the tasks to index are stored in a queue. */
export async function rebuildDetailSearch(
  cell: Database,
  { fromScratch = false }: { fromScratch?: boolean } = {},
): Promise<void> {
  if (fromScratch) await cell.batch(clearDetailIndex());
  const [last] = await cell.batch([findLastTaskId()]);
  for (let from = 0; from <= last; from += TASKS_PER_RANGE) {
    await cell.batch([requeueDetails(from, from + TASKS_PER_RANGE - 1)]);
  }
  await cell.batch(deleteStrayDetails());
  for (;;) {
    const [waiting] = await cell.batch([listWaitingDetails()]);
    if (waiting.length === 0) return;
    await cell.batch(indexDetails(planDetails(waiting)));
  }
}
