// Runs the service for `npm run statements`. Records every statement that the service sends, with its query plan and
// the number of rows that it reads and writes.
import { parseEnv } from '../../src/env.ts';
import service, * as objects from '../../src/index.ts';
import { createRequestScope } from '../../src/kernel/operation/request-scope.ts';
import { unlimitedAllowance } from '../../src/kernel/sql/budget.ts';
import { routes } from '../../src/registry.ts';
import { crons, listJobs } from '../../src/upkeep/cron/due-jobs.ts';
import { findDueJobs } from '../../src/upkeep/keeper/run-database-jobs.ts';
import { screens } from '../../src/web/pages/screens.ts';
import demo from '../seed-worker.ts';
import { START_TIME, startClockAt } from './clock.ts';
import { type SentStatement, SOURCE_HEADER } from './sent-statement.ts';

startClockAt(START_TIME);

const sent = new Map<string, SentStatement>();
const plans = new Map<string, string>();

export class WorkspaceHub extends objects.WorkspaceHub {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, traceEnv(env, 'object WorkspaceHub'));
  }
}
export class UploadSession extends objects.UploadSession {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, traceEnv(env, 'object UploadSession'));
  }
}
export const { DatabaseKeeper, ErrorLog, RateWindow } = objects;

function traceEnv(env: Env, source: string): Env {
  const bindings = Object.entries(env).map(([name, binding]) => {
    const isDatabase = name === 'DIRECTORY' || /^CELL_\d+$/.test(name);
    return [name, isDatabase ? traceDatabase(binding as D1Database, source) : binding];
  });
  return Object.fromEntries(bindings) as Env;
}

/** Supports only the methods that `Database` uses. */
function traceDatabase(database: D1Database, source: string): D1Database {
  const bound = new WeakMap<D1PreparedStatement, { sql: string; params: unknown[] }>();
  const prepare = (sql: string) => ({
    bind(...params: unknown[]) {
      const statement = database.prepare(sql).bind(...params);
      bound.set(statement, { sql, params });
      return statement;
    },
  });
  const batch = async (statements: D1PreparedStatement[]) => {
    const entries = statements.map((each) => bound.get(each) as { sql: string; params: unknown[] });
    for (const { sql, params } of entries) {
      if (plans.has(sql)) continue;
      const explained = await database
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .bind(...params)
        .all<PlanStep>();
      plans.set(sql, drawPlan(explained.results));
    }
    const record = (results: D1Result[] | null) => {
      for (const [index, { sql }] of entries.entries()) {
        const key = `${source}\n${sql}`;
        const { rows_read: read = 0, rows_written: written = 0 } = results?.[index]?.meta ?? {};
        const known = sent.get(key);
        if (known && (known.rows || !results)) continue;
        sent.set(key, { source, sql, plan: plans.get(sql) ?? '', rows: results && { read, written } });
      }
    };
    try {
      const results = await database.batch(statements);
      record(results);
      return results;
    } catch (error) {
      record(null);
      throw error;
    }
  };
  return { prepare, batch } as unknown as D1Database;
}

interface PlanStep {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

function drawPlan(steps: readonly PlanStep[], parent = 0, indent = ''): string {
  return steps
    .filter((step) => step.parent === parent)
    .map(({ id, detail }) => `${indent}${detail}\n${drawPlan(steps, id, `${indent}  `)}`)
    .join('');
}

const paths = [
  ...routes.map(({ method, path }) => ({ method, path: `/v1${path}` })),
  ...screens.map(({ path }) => ({ method: 'GET', path: `/app/:workspace${path}` })),
].map(({ method, path }) => ({
  source: `${method} ${path}`,
  method,
  pattern: new RegExp(`^${path.replace(/:\w+(\{.*?\})?/g, '[^/]+')}$`),
}));

function getStatementSource({ method, url, headers }: Request): string {
  const { pathname } = new URL(url);
  const found = paths.find((each) => each.method === method && each.pattern.test(pathname));
  return (
    headers.get(SOURCE_HEADER) ?? found?.source ?? `${method} ${pathname.replace(/\/ws_\w+/, '/:workspace')}`
  );
}

/** Runs every cron job once, and then the report that a keeper makes on an idle cell. */
async function runJobs(env: Env, ctx: ExecutionContext): Promise<void> {
  const openScope = (source: string) => {
    const traced = traceEnv(env, source);
    return createRequestScope({
      env: traced,
      config: parseEnv(traced),
      origin: 'http://localhost',
      waitUntil: (work) => ctx.waitUntil(work),
    });
  };
  const listAll = (cron: string, source: string) => {
    const scope = openScope(source);
    return [null, ...scope.config.cells.keys()].flatMap((cell) => listJobs(cron, cell, scope));
  };
  for (const cron of crons) {
    for (const [index, { job }] of listAll(cron, '').entries()) {
      await listAll(cron, `job ${job}`)[index]?.run(unlimitedAllowance);
    }
  }
  const scope = openScope('object DatabaseKeeper');
  const jobs = crons.flatMap((cron) => listJobs(cron, 0, scope));
  const memory = { get: () => undefined, put: () => undefined };
  // Because `memory` is empty, the first due job reports how full the cell is.
  const [report] = await findDueJobs(scope, 0, jobs, memory);
  await report?.run(unlimitedAllowance);
}

export default {
  async fetch(request, env, ctx) {
    const { pathname } = new URL(request.url);
    if (pathname === '/trace/demo') return demo.fetch();
    if (pathname === '/trace/pages') return Response.json(screens.map(({ path }) => path));
    if (pathname === '/trace/jobs') return runJobs(env, ctx).then(() => new Response('done'));
    if (pathname === '/trace/statements') return Response.json([...sent.values()]);
    return service.fetch(request, traceEnv(env, getStatementSource(request)), ctx);
  },
} satisfies ExportedHandler<Env>;
