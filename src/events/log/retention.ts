import type { CellJob } from '../../kernel/operation/jobs.ts';
import { countAffordableUnits } from '../../kernel/sql/budget.ts';
import { deleteExpiredEvents, listWorkspacesWithExpiredEvents } from './retention.queries.ts';

const EVENT_RETENTION_DAYS = 30;
const EVENT_RETENTION_MS = EVENT_RETENTION_DAYS * 24 * 60 * 60_000;
const WORKSPACES_PER_RUN_MAX = 300;
const EVENTS_PER_SLICE = 2_000;
const EVENT_SLICE_COST = 3;

/** Removes events from the feed after 30 days, but keeps events that belong to a task's history. */
export const expireEvents: CellJob = {
  name: 'events.shorten',
  cost: 1 + EVENT_SLICE_COST,
  isDue: null,
  async run(scope, no, allowance) {
    const cell = scope.cell(no);
    const before = scope.now - EVENT_RETENTION_MS;
    const slices = countAffordableUnits(
      { left: allowance.left - 1 },
      EVENT_SLICE_COST,
      WORKSPACES_PER_RUN_MAX,
    );
    const [feeds] = await cell.batch([listWorkspacesWithExpiredEvents(before, slices)]);
    for (const { ws } of feeds) await cell.batch(deleteExpiredEvents(ws, before, EVENTS_PER_SLICE));
    return feeds.length > 0;
  },
};
