// `node scripts/install.mjs bench/scaling.ts` writes the tables in docs/scaling.md and docs/deploy.md. With
// `--measure`, it first measures bytes and rows again on a new demo server.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/databases.ts';
import { measureUsage } from './scaling/measure.ts';
import type { MeasuredUsage } from './scaling/model.ts';
import { fillTables, pages } from './scaling/tables.ts';

const file = join(root, 'bench', 'scaling', 'measured.json');
if (process.argv.includes('--measure'))
  writeFileSync(file, `${JSON.stringify(await measureUsage(), null, 2)}\n`);
const measured: MeasuredUsage = JSON.parse(readFileSync(file, 'utf8'));
for (const page of pages) {
  const path = join(root, page);
  writeFileSync(path, fillTables(readFileSync(path, 'utf8'), measured));
}
console.log(`The tables of ${pages.join(' and ')} are up to date.`);
process.exit(0);
