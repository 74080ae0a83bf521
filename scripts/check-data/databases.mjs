// The databases of this deployment as the worker's own code takes them: local ones through the runtime, remote ones
// through wrangler, which asks Cloudflare's API.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { getPlatformProxy } from 'wrangler';
import { CostMeter } from '../../src/kernel/cost.ts';
import { Database } from '../../src/kernel/database.ts';
import { readDatabases, root } from '../databases.mjs';

const wrangler = join(root, 'node_modules', 'wrangler', 'bin', 'wrangler.js');
const ANSWER_BYTES_MAX = 256 * 1024 * 1024;

/**
 * Opens the directory and every cell of wrangler.toml; `close` when done.
 * @param isRemote the ones in production instead of those on this machine.
 * @param persistTo where the local ones are kept, as `wrangler dev --persist-to` takes it.
 */
export async function openDatabases({ isRemote = false, persistTo = join(root, '.wrangler', 'state') } = {}) {
  const all = readDatabases();
  const proxy = isRemote ? null : await openLocal(persistTo);
  const open = ({ binding, name }) =>
    new Database(proxy ? proxy.env[binding] : remoteD1(name), new CostMeter());
  const cells = all.flatMap((each) => {
    const match = /^CELL_(\d+)$/.exec(each.binding);
    return match ? [[Number(match[1]), open(each)]] : [];
  });
  return {
    directory: open(all.find(({ binding }) => binding === 'DIRECTORY')),
    cells: new Map(cells),
    close: async () => proxy?.dispose(),
  };
}

/** The runtime with the databases and nothing else: the worker itself does not run. */
async function openLocal(persistTo) {
  const folder = mkdtempSync(join(tmpdir(), 'edgework-databases-'));
  const configPath = join(folder, 'wrangler.toml');
  const databases = readFileSync(join(root, 'wrangler.toml'), 'utf8')
    .split(/^(?=\[)/m)
    .filter((section) => section.startsWith('[[d1_databases]]'));
  writeFileSync(configPath, `name = "edgework"\ncompatibility_date = "2026-10-20"\n${databases.join('')}`);
  try {
    return await getPlatformProxy({
      configPath,
      envFiles: [],
      persist: { path: join(resolve(persistTo), 'v3') },
      remoteBindings: false,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As much of a D1 binding as `Database` uses. Statements of one call are one transaction there as well. */
function remoteD1(name) {
  return {
    prepare: (sql) => ({ bind: (...params) => inline(sql, params) }),
    async batch(statements) {
      const command = statements.map((statement) => `${statement};`).join('\n');
      const args = ['d1', 'execute', name, '--remote', '--yes', '--json', `--command=${command}`];
      const { stdout } = await promisify(execFile)(process.execPath, [wrangler, ...args], {
        cwd: root,
        maxBuffer: ANSWER_BYTES_MAX,
        env: { ...process.env, WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true' },
      });
      return readAnswer(stdout, statements.length);
    },
  };
}

/** Wrangler may say something else before the JSON. */
export function readAnswer(text, statements) {
  const answers = JSON.parse(text.slice(Math.max(0, text.search(/^[[{]/m))));
  if (!Array.isArray(answers)) throw new Error(`D1 refused: ${JSON.stringify(answers).slice(0, 500)}`);
  if (answers.length !== statements)
    throw new Error(`${statements} statements were asked, and ${answers.length} answered`);
  return answers.map(({ results = [], meta = {} }) => ({ results, meta }));
}

/** The statement on one line with its parameters written into it: the API behind wrangler takes none. */
export function inline(sql, params) {
  const values = params.map(literal);
  let used = 0;
  const text = sql
    .replace(/\s*\n\s*/g, ' ')
    .replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g, (piece) => (piece === '?' ? values[used++] : piece));
  if (used !== values.length)
    throw new Error(`${values.length} parameters, ${used} places: ${text.slice(0, 200)}`);
  return text.trim();
}

/** Texts are ids, dates and JSON, in which line ends and control characters are escaped. */
function literal(value) {
  if (value === null) return 'NULL';
  return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
}
