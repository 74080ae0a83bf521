// The databases of this deployment as the worker's own code takes them: those on this machine, or those in production.
import { execFile } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { getPlatformProxy } from 'wrangler';
import { CostMeter } from '../../src/kernel/cost.ts';
import { Database } from '../../src/kernel/database.ts';
import { readDatabases, root } from '../databases.mjs';
import { inline, readAnswer } from './inline.ts';

const wrangler = join(root, 'node_modules', 'wrangler', 'bin', 'wrangler.js');
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
  if (!isRemote) for (const { binding } of all) requireFile(fileOf(state, binding));
  const source = isRemote ? openRemote() : isWritten ? await openRuntime(state) : openFiles(state);
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
    open({ binding }) {
      const file = new DatabaseSync(fileOf(state, binding), { readOnly: true });
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
async function openRuntime(state) {
  const folder = mkdtempSync(join(tmpdir(), 'edgework-databases-'));
  const configPath = join(folder, 'wrangler.toml');
  writeFileSync(configPath, `name = "edgework"\ncompatibility_date = "2026-10-20"\n${sections().join('')}`);
  try {
    const proxy = await getPlatformProxy({
      configPath,
      envFiles: [],
      persist: { path: state },
      remoteBindings: false,
    });
    return { open: ({ binding }) => proxy.env[binding], close: () => proxy.dispose() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
        env: { ...process.env, WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true' },
      });
      return readAnswer(stdout, statements.length);
    },
  });
  return { open, close: async () => undefined };
}

/** The sections of wrangler.toml that bind databases. */
function sections() {
  return readFileSync(join(root, 'wrangler.toml'), 'utf8')
    .split(/^(?=\[)/m)
    .filter((section) => section.startsWith('[[d1_databases]]'));
}

/** The runtime names the file of a database after its id, which locally is the binding where there is none. */
function fileOf(state, binding) {
  const section = sections().find((each) => each.includes(`binding = "${binding}"`)) ?? '';
  const value = (name) => new RegExp(`^${name} = "(.*)"$`, 'm').exec(section)?.[1];
  const kind = 'miniflare-D1DatabaseObject';
  const key = createHash('sha256').update(kind).digest();
  const mac = (bytes) => createHmac('sha256', key).update(bytes).digest().subarray(0, 16);
  const name = mac(value('preview_database_id') ?? value('database_id') ?? binding);
  return join(state, 'd1', kind, `${Buffer.concat([name, mac(name)]).toString('hex')}.sqlite`);
}

function requireFile(file) {
  if (existsSync(file)) return;
  console.error(
    `There is no local database at ${file}. \`npm start\` makes them; -- --remote looks at production.`,
  );
  process.exit(1);
}
