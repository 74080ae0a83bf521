// The databases of this deployment as the worker's own code takes them: those on this machine, or those in production.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CostMeter } from '../../src/kernel/cost.ts';
import { Database } from '../../src/kernel/database.ts';
import { databaseFile, readAccountId, readDatabases, root } from '../databases.mjs';
import { openRuntime, readWorker } from '../runtime.mjs';
import { runWrangler } from '../wrangler.mjs';
import { openRemoteDatabase } from './remote.ts';

const API = 'https://api.cloudflare.com/client/v4';

/**
 * Opens the directory and every cell of wrangler.toml; `close` when done.
 * @param isRemote the ones in production instead of those on this machine.
 * @param isWritten local ones then go through a runtime, which does not get along with a server that is at work.
 * @param persistTo where the local ones are kept, as `wrangler dev --persist-to` takes it.
 */
export async function openDatabases({
  isRemote = false,
  isWritten = false,
  persistTo = '.wrangler/state',
} = {}) {
  const state = join(resolve(root, persistTo), 'v3');
  const all = readDatabases();
  if (!isRemote) for (const { id } of all) requireFile(databaseFile(state, id));
  const source = isRemote ? await openRemote(all) : isWritten ? await openLocal(state) : openFiles(state);
  const open = (each) => new Database(source.open(each), new CostMeter());
  const bindings = new Map(all.map((each) => [each.binding, open(each)]));
  const cells = [...bindings].flatMap(([binding, database]) => {
    const match = /^CELL_(\d+)$/.exec(binding);
    return match ? [[Number(match[1]), database]] : [];
  });
  return {
    directory: bindings.get('DIRECTORY'),
    cells: new Map(cells),
    /** All of them. */
    bindings,
    close: () => source.close(),
  };
}

/** The files themselves, for reading: a server may be writing them. */
function openFiles(state) {
  const opened = [];
  return {
    open({ id }) {
      const file = new DatabaseSync(databaseFile(state, id), { readOnly: true });
      opened.push(file);
      return fileD1(file);
    },
    close: async () => opened.forEach((file) => void file.close()),
  };
}

function fileD1(file) {
  return {
    prepare: (sql) => ({ bind: (...params) => ({ sql, params }) }),
    async batch(statements) {
      file.exec('BEGIN');
      try {
        return statements.map(({ sql, params }) => ({ results: file.prepare(sql).all(...params), meta: {} }));
      } finally {
        file.exec('ROLLBACK');
      }
    },
  };
}

/** A runtime with the databases and nothing else: the worker itself does not run. */
async function openLocal(state) {
  const { compatibilityDate, d1Databases } = readWorker().options;
  const idle = { modules: true, script: 'export default {}', compatibilityDate, d1Databases };
  const runtime = await openRuntime({ port: 0, folder: state, workers: [idle] });
  const bindings = await runtime.getBindings();
  return { open: ({ binding }) => bindings[binding], close: () => runtime.dispose() };
}

/** Over Cloudflare's HTTP interface, as whom and in the account that wrangler is logged in to. */
async function openRemote(all) {
  const account = process.env.CLOUDFLARE_ACCOUNT_ID ?? readAccountId() ?? onlyAccount();
  const { token } = printed(['auth', 'token', '--json']);
  if (!token)
    throw new Error('There is no API token. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN.');
  const known = new Map(printed(['d1', 'list', '--json']).map(({ name, uuid }) => [name, uuid]));
  const missing = all.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  if (missing.length > 0)
    throw new Error(`The account has no database ${missing.join(', ')} (wrangler.toml).`);
  const base = process.env.CLOUDFLARE_API_BASE_URL ?? API;
  return {
    open: ({ name }) => openRemoteDatabase({ base, account, token }, known.get(name)),
    close: async () => undefined,
  };
}

function onlyAccount() {
  const { accounts = [] } = printed(['whoami', '--json']);
  if (accounts.length === 1) return accounts[0].id;
  const names = accounts.map(({ id, name }) => `${id}  ${name}`);
  throw new Error(
    `Say which account with CLOUDFLARE_ACCOUNT_ID=…; wrangler knows ${names.join(', ') || 'none (npx wrangler login)'}`,
  );
}

/** What wrangler prints as JSON; it may say something else before. */
function printed(args) {
  const text = runWrangler(args);
  return JSON.parse(text.slice(Math.max(0, text.search(/^[[{]/m))));
}

function requireFile(file) {
  if (existsSync(file)) return;
  console.error(
    `There is no local database at ${file}. \`npm start\` makes them; -- --remote looks at production.`,
  );
  process.exit(1);
}
