import { describeError, log } from '../../kernel/operation/log.ts';
import { type Allowance, type Budget, Share } from '../../kernel/sql/budget.ts';

/** One job in one place: the directory or a cell. */
export interface Turn {
  readonly name: string;
  /** The most that looking for work and doing one unit of it costs. */
  readonly cost: number;
  /** Works until the allowance cannot pay for another unit; answers whether there may be more to do. */
  run(allowance: Allowance): Promise<boolean>;
}

/** Shares out what is left in further rounds, so that a busy cell can use what idle cells leave. */
const ROUNDS_MAX = 4;

/**
 * Gives every turn an equal share of what is left, in order; a share pays for at least one unit. A turn that fails ends
 * only itself.
 * @param kept calls that the turns leave untouched.
 * @returns the names of the turns that had to stop, in the order of the next tick.
 */
export async function takeTurns(turns: readonly Turn[], budget: Budget, kept: number): Promise<string[]> {
  const served = new Set<Turn>();
  let open = [...turns];
  for (let round = 0; round < ROUNDS_MAX && open.length > 0; round += 1) {
    const cut: Turn[] = [];
    for (const [index, turn] of open.entries()) {
      const left = budget.left - kept;
      if (left < turn.cost) {
        cut.push(turn);
        continue;
      }
      served.add(turn);
      const share = Math.max(turn.cost, Math.floor(left / (open.length - index)));
      if (await runTurn(turn, new Share(budget, Math.min(share, left)))) cut.push(turn);
    }
    open = cut;
  }
  return [...open.filter((turn) => !served.has(turn)), ...open.filter((turn) => served.has(turn))].map(
    ({ name }) => name,
  );
}

async function runTurn(turn: Turn, share: Share): Promise<boolean> {
  try {
    return await turn.run(share);
  } catch (error) {
    log('error', 'cron.failed', { job: turn.name, cause: describeError(error) });
    return false;
  }
}

/** Turns that had to stop last time come first, in their order; the others start with a different one every time. */
export function inOrder(turns: readonly Turn[], waiting: readonly string[], turn: number): Turn[] {
  const byName = new Map(turns.map((each) => [each.name, each]));
  const first = waiting.flatMap((name) => byName.get(name) ?? []);
  const others = turns.filter((each) => !first.includes(each));
  const start = others.length === 0 ? 0 : turn % others.length;
  return [...first, ...others.slice(start), ...others.slice(0, start)];
}
