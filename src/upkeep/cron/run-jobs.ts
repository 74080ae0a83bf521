import { describeError, log } from '../../kernel/operation/log.ts';
import { type Allowance, type Budget, BudgetShare } from '../../kernel/sql/budget.ts';

export interface ScheduledJob {
  readonly name: string;
  readonly cost: number;
  /** Works until the allowance is too small for another unit of work. Returns whether there may be more work. */
  run(allowance: Allowance): Promise<boolean>;
}

/** Later rounds share the remaining budget, so that busy jobs can use what idle jobs left over. */
const ROUNDS_MAX = 4;

/**
 * Gives each job an equal share of the budget, but enough for at least one unit of work. A failed job doesn't stop the
 * others. Returns the names of the unfinished jobs, in their order for the next tick.
 */
export async function runJobs(jobs: readonly ScheduledJob[], budget: Budget): Promise<string[]> {
  const served = new Set<ScheduledJob>();
  let open = [...jobs];
  for (let round = 0; round < ROUNDS_MAX && open.length > 0; round += 1) {
    const unfinished: ScheduledJob[] = [];
    for (const [index, job] of open.entries()) {
      const { left } = budget;
      if (left < job.cost) {
        unfinished.push(job);
        continue;
      }
      served.add(job);
      const share = Math.max(job.cost, Math.floor(left / (open.length - index)));
      if (await runJob(job, new BudgetShare(budget, Math.min(share, left)))) unfinished.push(job);
    }
    open = unfinished;
  }
  return [...open.filter((job) => !served.has(job)), ...open.filter((job) => served.has(job))].map(
    ({ name }) => name,
  );
}

async function runJob(job: ScheduledJob, share: BudgetShare): Promise<boolean> {
  try {
    return await job.run(share);
  } catch (error) {
    log('error', 'cron.failed', { job: job.name, cause: describeError(error) });
    return false;
  }
}

/** Puts unfinished jobs first, in order. The other jobs follow, starting with a different one each time. */
export function orderJobs(
  jobs: readonly ScheduledJob[],
  waiting: readonly string[],
  tick: number,
): ScheduledJob[] {
  const byName = new Map(jobs.map((each) => [each.name, each]));
  const first = waiting.flatMap((name) => byName.get(name) ?? []);
  const others = jobs.filter((each) => !first.includes(each));
  const start = others.length === 0 ? 0 : tick % others.length;
  return [...first, ...others.slice(start), ...others.slice(0, start)];
}
