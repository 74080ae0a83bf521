// Runs the real worker for bench/cron.ts, and counts the calls of its ticks and the statements of its keepers.
import worker, { DatabaseKeeper as Keeper } from '../src/index.ts';

export { ErrorLog, RateWindow, UploadSession, WorkspaceHub } from '../src/index.ts';

export interface KeeperReport {
  cell: number | null;
  statements: number;
  startedAt: number;
  endedAt: number;
}

export interface TickReport {
  calls: number;
  ms: number;
}

/**
 * A report for each finished run. Locally, all Durable Objects share one isolate, so this variable outlives each
 * object.
 */
const reports: KeeperReport[] = [];

export class DatabaseKeeper extends Keeper {
  readonly #count: { statements: number };

  constructor(ctx: DurableObjectState, env: Env) {
    const count = { statements: 0 };
    super(ctx, countStatements(env, count));
    this.#count = count;
  }

  override tick(cron: string, cell: number | null): void {
    this.#count.statements = 0;
    const startedAt = Date.now();
    super.tick(cron, cell);
    this.running?.then(() => {
      reports.push({ cell, statements: this.#count.statements, startedAt, endedAt: Date.now() });
    });
  }
}

function countStatements(env: Env, count: { statements: number }): Env {
  const bindings = Object.entries(env).map(([name, binding]) => {
    if (name !== 'DIRECTORY' && !/^CELL_\d+$/.test(name)) return [name, binding];
    const database = binding as D1Database;
    const batch = (statements: D1PreparedStatement[]) => {
      count.statements += statements.length;
      return database.batch(statements);
    };
    return [name, { prepare: (sql: string) => database.prepare(sql), batch }];
  });
  return Object.fromEntries(bindings) as Env;
}

/** Counts only the tick's own calls and time, not those of the keepers that it calls. */
async function runTick(env: Env, ctx: ExecutionContext, cron: string): Promise<TickReport> {
  let calls = 0;
  const getByName = (name: string) => {
    calls += 1;
    return env.DATABASE_KEEPER.getByName(name);
  };
  const startedAt = Date.now();
  const controller = { cron, scheduledTime: startedAt, noRetry: () => undefined };
  const DATABASE_KEEPER = { getByName } as unknown as Env['DATABASE_KEEPER'];
  await worker.scheduled(controller, { ...env, DATABASE_KEEPER }, ctx);
  return { calls, ms: Date.now() - startedAt };
}

export default {
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/tick') return Response.json(await runTick(env, ctx, searchParams.get('cron') ?? ''));
    return Response.json(reports.splice(0));
  },
} satisfies ExportedHandler<Env>;
