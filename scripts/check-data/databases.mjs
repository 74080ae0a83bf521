// The databases of this deployment as the worker's own code takes them: those on this machine, or those in production.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { CostMeter } from '../../src/kernel/cost.ts';
import { Database } from '../../src/kernel/database.ts';
import { databaseFile, readDatabases, root } from '../databases.mjs';
import { openRuntime, readWorker } from '../runtime.mjs';
import { quiet, wrangler } from '../wrangler.mjs';
import { inline, readAnswer } from './inline.ts';

const ANSWER_BYTES_MAX = 256 * 1024 * 1024;

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
  const source = isRemote ? openRemote() : isWritten ? await openLocal(state) : openFiles(state);
  const open = (each) => new Database(source.open(each), new CostMeter());
  const cells = all.flatMap((each) => {
    const match = /^CELL_(\d+)$/.exec(each.binding);
    return match ? [[Number(match[1]), open(each)]] : [];
  });
  return {
    directory: open(all.find(({ binding }) => binding === 'DIRECTORY')),
    cells: new Map(cells),
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

/** Through wrangler, which asks Cloudflare's API. Statements of one call are one transaction there as well. */
function openRemote() {
  const ask = promisify(execFile);
  const open = ({ name }) => ({
    prepare: (sql) => ({ bind: (...params) => inline(sql, params) }),
    async batch(statements) {
      const command = statements.map((statement) => `${statement};`).join('\n');
      const args = ['d1', 'execute', name, '--remote', '--yes', '--json', `--command=${command}`];
      const { stdout } = await ask(process.execPath, [wrangler, ...args], {
        cwd: root,
        maxBuffer: ANSWER_BYTES_MAX,
        env: { ...process.env, ...quiet },
      });
      return readAnswer(stdout, statements.length);
    },
  });
  return { open, close: async () => undefined };
}

function requireFile(file) {
  if (existsSync(file)) return;
  console.error(
    `There is no local database at ${file}. \`npm start\` makes them; -- --remote looks at production.`,
  );
  process.exit(1);
}
