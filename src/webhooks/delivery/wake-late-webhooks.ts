import type { CellJob } from '../../kernel/operation/jobs.ts';
import { describeError, log } from '../../kernel/operation/log.ts';
import { getWorkspaceHub } from '../../kernel/operation/request-scope.ts';
import { countAffordableUnits } from '../../kernel/sql/budget.ts';
import { findJobPosition, saveJobPosition } from '../../kernel/sql/job-positions.queries.ts';
import { hasLateWebhooks, listActiveWebhooksInCell } from './delivery.queries.ts';

const WEBHOOKS_PER_PAGE = 200;
const WAKES_PER_RUN_MAX = 50;

/** Wakes webhooks whose wake-up call or alarm was lost. */
export const wakeLateWebhooks: CellJob = {
  name: 'webhooks.wake',
  /** Three calls per page (reading the position, reading the page, saving the position), and one per workspace. */
  cost: 3 + 1,
  isDue: ({ now }) => hasLateWebhooks(now, WEBHOOKS_PER_PAGE),
  async run(scope, no, allowance) {
    const name = `webhooks ${no}`;
    const cell = scope.cell(no);
    const wakes = countAffordableUnits({ left: allowance.left - 3 }, 1, WAKES_PER_RUN_MAX);
    if (wakes === 0) return true;
    const [saved] = await cell.batch([findJobPosition(name)]);
    const after = Number(saved?.position ?? 0);
    const [page] = await cell.batch([listActiveWebhooksInCell(after, scope.now, WEBHOOKS_PER_PAGE)]);
    const late = [...new Set(page.filter(({ is_late }) => is_late === 1).map(({ workspace }) => workspace))];
    const woken = late.slice(0, wakes);
    const calls = woken.map((workspace) => getWorkspaceHub(scope.env, no, workspace).sendWebhooks(true));
    for (const call of await Promise.allSettled(calls)) {
      if (call.status === 'rejected') log('error', 'webhooks.wake', { cause: describeError(call.reason) });
    }
    const skipped = page.find(({ is_late, workspace }) => is_late === 1 && !woken.includes(workspace));
    const isWhole = skipped === undefined && page.length < WEBHOOKS_PER_PAGE;
    const last = skipped === undefined ? (page.at(-1)?.id ?? 0) : skipped.id - 1;
    const position = isWhole ? 0 : last;
    if (position !== after) await cell.batch([saveJobPosition(name, String(position))]);
    return !isWhole;
  },
};
