import { toWallClock } from '../../kernel/dates/civil-date.ts';
import type { CellJob } from '../../kernel/operation/jobs.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { countAffordableUnits } from '../../kernel/sql/budget.ts';
import {
  hasOutdatedCutoffs,
  listWorkspacesWithOutdatedCutoffs,
  moveWorkspaceCutoffs,
} from './cutoffs.queries.ts';

/** Moving the cutoffs of several workspaces in a batch keeps the number of statements at midnight low. */
const WORKSPACES_PER_BATCH = 10;
const WORKSPACES_PER_RUN_MAX = 200;
const STATEMENTS_PER_CUTOFF_BATCH = 6;

const getDateInUtc = ({ now }: Pick<RequestScope, 'now'>) => toWallClock(now, 'UTC').date;

/** Counts are exact even before the cutoffs move, so this work can be spread over many cron runs. */
export const moveCutoffs: CellJob = {
  name: 'deadlines.sum',
  cost: 1 + STATEMENTS_PER_CUTOFF_BATCH,
  isDue: (moment) => hasOutdatedCutoffs(getDateInUtc(moment)),
  async run(scope, no, allowance) {
    const today = getDateInUtc(scope);
    const cell = scope.cell(no);
    const batches = countAffordableUnits(
      { left: allowance.left - 1 },
      STATEMENTS_PER_CUTOFF_BATCH,
      WORKSPACES_PER_RUN_MAX / WORKSPACES_PER_BATCH,
    );
    const limit = batches * WORKSPACES_PER_BATCH;
    const [late] = await cell.batch([listWorkspacesWithOutdatedCutoffs(today, limit)]);
    const numbers = late.map(({ ws }) => ws);
    for (let from = 0; from < numbers.length; from += WORKSPACES_PER_BATCH) {
      await cell.batch(moveWorkspaceCutoffs(numbers.slice(from, from + WORKSPACES_PER_BATCH), today));
    }
    return numbers.length === limit;
  },
};
