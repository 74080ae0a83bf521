// `scripts/backup.ts <folder>` copies the directory and every cell into a new folder, even while a server is running.
// Use --remote for the databases in production, or --persist-to=<directory> for another local server. Each copy shows
// its database at a single point in time. docs/operations.md explains how to restore.
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { copyDatabase } from './backup/copy.ts';
import { BACKUP_FORMAT, type DatabaseRecord, writeManifest } from './backup/files.ts';
import { endJournal } from './backup/journal.ts';
import { openLocalSources, openRemoteSources } from './backup/sources.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    remote: { type: 'boolean', default: false },
    'persist-to': { type: 'string', default: '.wrangler/state' },
    'take-over': { type: 'boolean', default: false },
  },
});
const [named] = positionals;
if (!named || positionals.length > 1)
  fail('Name one new folder: node scripts/install.mjs scripts/backup.ts <folder>');
const folder = resolve(process.env.INIT_CWD ?? '.', named);
if (existsSync(folder) && readdirSync(folder).length > 0) fail(`${folder} is not empty. Name a new folder.`);

try {
  await createBackup();
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}

async function createBackup(): Promise<void> {
  const sources = values.remote ? await openRemoteSources() : openLocalSources(values['persist-to']);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const databases: DatabaseRecord[] = [];
    for (const source of sources.all) {
      if (values['take-over'] && !source.isSnapshot) await endJournal(source.database, source.schema);
      const record = await copyDatabase(source, folder);
      const rows = record.tables.reduce((sum, table) => sum + table.rows, 0);
      console.log(
        `${record.binding}: ${rows} rows of ${record.tables.length} tables, as of ${record.takenAt}`,
      );
      databases.push(record);
    }
    writeManifest(folder, { format: BACKUP_FORMAT, databases });
    console.log(
      `The backup is in ${folder}. Encrypt it, because it contains personal data and hashes of secrets.`,
    );
  } finally {
    await sources.close();
  }
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
