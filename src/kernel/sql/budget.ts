/** How many statements and other calls a piece of work may still make. */
export interface Allowance {
  readonly left: number;
}

class BudgetSpent extends Error {}

/** The statements and other calls of one invocation, which have one limit (1,000 on Cloudflare). */
export class Budget implements Allowance {
  spent = 0;
  readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  get left(): number {
    return this.limit - this.spent;
  }

  /** Call it before the calls. Throws if they would pass the limit, because the job then costs more than it states. */
  spend(calls: number) {
    if (calls > this.left) {
      throw new BudgetSpent(`${calls} more calls would pass the ${this.limit} of this invocation`);
    }
    this.spent += calls;
  }
}

/** A part of a budget. It ends with the budget at the latest. */
export class Share implements Allowance {
  readonly #of: Budget;
  readonly #until: number;

  constructor(of: Budget, calls: number) {
    this.#of = of;
    this.#until = Math.min(of.spent + calls, of.limit);
  }

  get left(): number {
    return this.#until - this.#of.spent;
  }
}

/** How many units of work an allowance pays for, at most `max`. */
export function unitsOf({ left }: Allowance, cost: number, max: number): number {
  return Math.max(0, Math.min(max, Math.floor(left / cost)));
}

/** For jobs that run outside of a cron. */
export const unlimited: Allowance = { left: Number.MAX_SAFE_INTEGER };
