export interface Allowance {
  readonly left: number;
}

/** Cloudflare's limit on the Free plan. */
export const REQUEST_STATEMENTS_MAX = 50;

class BudgetExceededError extends Error {}

/** Cloudflare allows 1,000 statements and calls per invocation. */
export class Budget implements Allowance {
  spent = 0;
  readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  get left(): number {
    return this.limit - this.spent;
  }

  spend(calls: number) {
    if (calls > this.left) {
      throw new BudgetExceededError(
        `${calls} more calls would exceed the limit of ${this.limit} per invocation`,
      );
    }
    this.spent += calls;
  }
}

export class BudgetShare implements Allowance {
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

export function countAffordableUnits({ left }: Allowance, cost: number, max: number): number {
  return Math.max(0, Math.min(max, Math.floor(left / cost)));
}

export const unlimitedAllowance: Allowance = { left: Number.MAX_SAFE_INTEGER };
