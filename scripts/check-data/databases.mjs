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
import { inline, readAnswer } from './inline.ts';

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
