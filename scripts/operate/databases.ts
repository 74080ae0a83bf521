import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { CostMeter } from '../../src/kernel/sql/cost.ts';
import { Database, type Databases } from '../../src/kernel/sql/database.ts';
import { SCRIPT_DEADLINE_MS } from '../../src/kernel/sql/deadline.ts';
import { type DeployedDatabase, getDatabaseFile, readAccountId, readDatabases, root } from '../databases.ts';
import { openRuntime, readWorker } from '../runtime.ts';
import { runWrangler } from '../wrangler.ts';
import { openRemoteDatabase } from './remote.ts';

const API_URL = 'https://api.cloudflare.com/client/v4';

export interface OpenDatabases extends Databases {
  readonly bindings: ReadonlyMap<string, Database>;
  close(): Promise<void>;
}

interface DatabaseSource {
  open(database: DeployedDatabase): D1Database;
  close(): Promise<void>;
}

/**
 * Opens the directory database and every cell database in wrangler.toml. The caller must call `close`.
 * @param isRemote whether to open the databases in production
 * @param isWritten whether to open local databases for writing, which requires that no server is running
 * @param persistTo the folder of the local databases, as in `wrangler dev --persist-to`
 */
export async function openDatabases({
  isRemote = false,
  isWritten = false,
  persistTo = '.wrangler/state',
} = {}): Promise<OpenDatabases> {
  const state = join(resolve(root, persistTo), 'v3');
  const all = readDatabases();
  if (!isRemote) for (const { id } of all) requireFile(getDatabaseFile(state, id));
  const source = isRemote ? await openRemote(all) : isWritten ? await openLocal(state) : openFiles(state);
  const bindings = new Map<string, Database>();
  const cells = new Map<number, Database>();
  for (const each of all) {
    const database = new Database(source.open(each), new CostMeter(), { deadlineMs: SCRIPT_DEADLINE_MS });
    bindings.set(each.binding, database);
    const cell = /^CELL_(\d+)$/.exec(each.binding)?.[1];
    if (cell) cells.set(Number(cell), database);
  }
  const directory = bindings.get('DIRECTORY');
  if (!directory) throw new Error('wrangler.toml binds no database as DIRECTORY');
  return { directory, cells, bindings, close: () => source.close() };
}

/** Opens the files read-only, so a server may be writing to them. */
function openFiles(state: string): DatabaseSource {
  const opened: DatabaseSync[] = [];
  return {
    open({ id }) {
      const file = new DatabaseSync(getDatabaseFile(state, id), { readOnly: true });
      opened.push(file);
      return createFileD1(file);
    },
    close: async () => opened.forEach((file) => void file.close()),
  };
}

interface BoundStatement {
  readonly sql: string;
  readonly params: readonly SQLInputValue[];
}

function createFileD1(file: DatabaseSync): D1Database {
  const database = {
    prepare: (sql: string) => ({ bind: (...params: SQLInputValue[]): BoundStatement => ({ sql, params }) }),
    async batch(statements: readonly BoundStatement[]) {
      file.exec('BEGIN');
      try {
        return statements.map(({ sql, params }) => ({ results: file.prepare(sql).all(...params), meta: {} }));
      } finally {
        file.exec('ROLLBACK');
      }
    },
  };
  return database as unknown as D1Database;
}

async function openLocal(state: string): Promise<DatabaseSource> {
  const { compatibilityDate, d1Databases = {} } = readWorker().options;
  const idle = { modules: true, script: 'export default {}', compatibilityDate, d1Databases };
  const runtime = await openRuntime({ port: 0, folder: state, workers: [idle] });
  const bindings = await runtime.getBindings<Record<string, D1Database>>();
  return {
    open({ binding }) {
      const database = bindings[binding];
      if (!database) throw new Error(`The runtime has no database ${binding}`);
      return database;
    },
    close: () => runtime.dispose(),
  };
}

/** Uses Cloudflare's HTTP API, with wrangler's credentials and account. */
async function openRemote(all: readonly DeployedDatabase[]): Promise<DatabaseSource> {
  const account = process.env.CLOUDFLARE_ACCOUNT_ID ?? readAccountId() ?? getOnlyAccount();
  const { token }: { token?: string } = runWranglerJson(['auth', 'token', '--json']);
  if (!token)
    throw new Error('There is no API token. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN.');
  const listed: { name: string; uuid: string }[] = runWranglerJson(['d1', 'list', '--json']);
  const known = new Map(listed.map(({ name, uuid }) => [name, uuid]));
  const missing = all.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  if (missing.length > 0)
    throw new Error(`The account has no database ${missing.join(', ')} (wrangler.toml).`);
  const base = process.env.CLOUDFLARE_API_BASE_URL ?? API_URL;
  return {
    open: ({ name }) => openRemoteDatabase({ base, account, token }, known.get(name) ?? ''),
    close: async () => undefined,
  };
}

function getOnlyAccount(): string {
  const { accounts = [] }: { accounts?: { id: string; name: string }[] } = runWranglerJson([
    'whoami',
    '--json',
  ]);
  const [only] = accounts;
  if (only && accounts.length === 1) return only.id;
  const names = accounts.map(({ id, name }) => `${id}  ${name}`);
  throw new Error(
    `Choose an account with CLOUDFLARE_ACCOUNT_ID=…; wrangler knows ${names.join(', ') || 'none (npx wrangler login)'}`,
  );
}

function runWranglerJson(args: readonly string[]) {
  const text = runWrangler(args);
  return JSON.parse(text.slice(Math.max(0, text.search(/^[[{]/m))));
}

function requireFile(file: string): void {
  if (existsSync(file)) return;
  console.error(`There is no local database at ${file}. \`npm start\` creates it; --remote uses production.`);
  process.exit(1);
}
