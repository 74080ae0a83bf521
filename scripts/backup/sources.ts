// Opens the databases that a backup copies: local files, each as a snapshot, or the databases in production.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { CostMeter } from '../../src/kernel/sql/cost.ts';
import { Database } from '../../src/kernel/sql/database.ts';
import { SCRIPT_DEADLINE_MS } from '../../src/kernel/sql/deadline.ts';
import { getDatabaseFile, readDatabases, root } from '../databases.ts';
import { openDatabases } from '../operate/databases.ts';
import type { BackupSource } from './copy.ts';
import { readSchema } from './schema.ts';

export interface BackupSources {
  readonly all: readonly BackupSource[];
  close(): Promise<void>;
}

/** Lists cells before the directory, so that the directory's copy includes everything that cells refer to. */
const listCellsFirst = () =>
  readDatabases().sort((a, b) => Number(a.binding === 'DIRECTORY') - Number(b.binding === 'DIRECTORY'));

export async function openRemoteSources(): Promise<BackupSources> {
  const { bindings, close } = await openDatabases({ isRemote: true });
  const all = listCellsFirst().map(({ binding, migrations }) => {
    const database = bindings.get(binding);
    if (!database) throw new Error(`${binding} was not opened`);
    return { binding, database, schema: readSchema(migrations), isSnapshot: false };
  });
  return { all, close };
}

/** `persistTo` is the folder of `wrangler dev --persist-to`. A server may be using it. */
export function openLocalSources(persistTo: string): BackupSources {
  const opened = listCellsFirst().map(({ binding, migrations, id }) => {
    const path = getDatabaseFile(join(resolve(root, persistTo), 'v3'), id);
    if (!existsSync(path))
      throw new Error(`There is no database ${binding} at ${path}. npm start creates it.`);
    return { binding, migrations, file: openSnapshot(path) };
  });
  const all = opened.map(({ binding, migrations, file }) => ({
    binding,
    schema: readSchema(migrations),
    database: new Database(createSnapshotD1(file), new CostMeter(), { deadlineMs: SCRIPT_DEADLINE_MS }),
    isSnapshot: true,
  }));
  return { all, close: async () => opened.forEach(({ file }) => void file.close()) };
}

function openSnapshot(path: string): DatabaseSync {
  const file = new DatabaseSync(path, { readOnly: true });
  file.exec('BEGIN');
  file.prepare('SELECT count(*) AS n FROM sqlite_master').get();
  return file;
}

interface BoundStatement {
  sql: string;
  params: SQLInputValue[];
}

function createSnapshotD1(file: DatabaseSync): D1Database {
  const database = {
    prepare: (sql: string) => ({ bind: (...params: SQLInputValue[]): BoundStatement => ({ sql, params }) }),
    batch: async (statements: readonly BoundStatement[]) =>
      statements.map(({ sql, params }) => ({ results: file.prepare(sql).all(...params), meta: {} })),
  };
  return database as unknown as D1Database;
}
