// Migrates the directory and every cell, then deploys. Migrations only add, so the running version keeps working.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readDatabases, root } from './databases.mjs';

const wrangler = join(root, 'node_modules', 'wrangler', 'bin', 'wrangler.js');

for (const { name } of readDatabases()) run('d1', 'migrations', 'apply', name, '--remote');
run('deploy');

function run(...args) {
  console.log(`\n> wrangler ${args.join(' ')}`);
  const { status } = spawnSync(process.execPath, [wrangler, ...args], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
