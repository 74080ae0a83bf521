// `scripts/restore.ts <folder>` fills empty databases from a backup, compares every row, builds the search index and
// checks all invariants. Exits with 1 if an invariant is violated. Stop a local server first. Use --remote for the
// databases in production, or --persist-to=<directory> for another local server. Rejects databases that aren't empty,
// so nothing is overwritten.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { deleteAllWorkspaceSessions } from '../src/accounts/browser-sessions/workspace-session.queries.ts';
import { checkData } from '../src/upkeep/integrity/check.ts';
import { rebuildSearch } from '../src/upkeep/integrity/rebuild-search.ts';
import { readManifest } from './backup/files.ts';
import { checkBackup, compareDatabase, loadDatabase, requireNoRows } from './backup/load.ts';
import { readSchema } from './backup/schema.ts';
import { readDatabases } from './databases.ts';
import { openDatabases } from './operate/databases.ts';
import { runWrangler } from './wrangler.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    remote: { type: 'boolean', default: false },
    'persist-to': { type: 'string', default: '.wrangler/state' },
  },
});
const [named] = positionals;
if (!named || positionals.length > 1)
  fail('Name the folder of one backup: node scripts/install.mjs scripts/restore.ts <folder>');
const folder = resolve(process.env.INIT_CWD ?? '.', named);
const persistTo = resolve(values['persist-to']);

try {
  await restore();
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}

async function restore(): Promise<void> {
  const manifest = readManifest(folder);
  const bindings = readDatabases();
  const records = bindings.map(({ binding, migrations }) => {
    const record = manifest.databases.find((each) => each.binding === binding);
    if (!record) throw new Error(`The backup has no ${binding}, but wrangler.toml does.`);
    return { binding, record, schema: readSchema(migrations) };
  });
  const strange = manifest.databases.find(({ binding }) => !records.some((each) => each.binding === binding));
  if (strange) throw new Error(`wrangler.toml has no ${strange.binding}, but the backup does.`);
  for (const { record, schema } of records) await checkBackup(folder, record, schema);
  console.log('The files are complete.');

  for (const { binding } of records) {
    const where = values.remote ? ['--remote'] : ['--local', `--persist-to=${persistTo}`];
    runWrangler(['d1', 'migrations', 'apply', binding, ...where]);
  }
  const databases = await openDatabases({ isRemote: values.remote, isWritten: true, persistTo });
  try {
    const targets = records.map((each) => {
      const database = databases.bindings.get(each.binding);
      if (!database) throw new Error(`${each.binding} was not opened.`);
      return { ...each, database };
    });
    for (const { binding, database, schema } of targets) await requireNoRows(binding, database, schema);
    for (const target of targets) {
      await loadDatabase(folder, target.record, target);
      const wrong = await compareDatabase(target.record, target);
      if (wrong.length > 0) throw new Error(`The written rows differ from the backup:\n${wrong.join('\n')}`);
      console.log(`${target.binding}: every row is restored as of ${target.record.takenAt}`);
    }
    for (const [no, cell] of databases.cells) {
      // Deletes the cell's copies of sessions, because they may differ from the sessions in the directory's backup.
      await cell.batch([deleteAllWorkspaceSessions()]);
      const { tasks, comments } = await rebuildSearch(cell, { fromScratch: true });
      console.log(`cell ${no}: ${tasks} tasks and ${comments} comments indexed`);
    }
    const findings = await checkData(databases.directory, databases.cells, {
      now: Date.now(),
      hasCron: false,
    });
    const off = findings.filter(({ offenders }) => offenders.length > 0);
    for (const each of off)
      console.log(`FAIL  ${each.database}  ${each.invariant}: ${each.offenders.join('; ')}`);
    console.log(`${findings.length - off.length} of ${findings.length} invariants hold.`);
    process.exitCode = off.length === 0 ? 0 : 1;
  } finally {
    await databases.close();
  }
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
