import assert from 'node:assert/strict';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { copyDatabase } from '../../scripts/backup/copy.ts';
import { type DatabaseRecord, readLines, readManifest } from '../../scripts/backup/files.ts';
import { checkBackup, compareDatabase, loadDatabase, requireNoRows } from '../../scripts/backup/load.ts';
import { openLocalSources } from '../../scripts/backup/sources.ts';
import { readDatabases } from '../../scripts/databases.ts';
import { openDatabases } from '../../scripts/operate/databases.ts';
import { openRemoteDatabase } from '../../scripts/operate/remote.ts';
import { type PreparedServer, prepareServer } from '../../scripts/own-server.ts';
import { runWrangler } from '../../scripts/wrangler.ts';
import { CostMeter } from '../../src/kernel/sql/cost.ts';
import { Database } from '../../src/kernel/sql/database.ts';
import { buildIndexQuery, toTaskTokenOwner } from '../../src/search/index/ngrams.ts';
import { checkData } from '../../src/upkeep/integrity/check.ts';
import { rebuildSearch } from '../../src/upkeep/integrity/rebuild-search.ts';
import { isLong } from '../browser/tier.ts';
import { serveD1 } from './d1-http.ts';
import { createRawStatement, getFirstCell, getSchema, readContents, toBinding } from './databases.ts';
import { createHostileStatements, hostileTexts } from './hostile-content.ts';

/** Runs a test only in `npm run test:long`. `npm test` restores a backup only over HTTP. */
const itInLongTier = isLong ? it : () => {};

const workDirectory = mkdtempSync(join(tmpdir(), 'edgework-backup-test-'));
let source: PreparedServer;

before(async () => {
  source = await prepareServer('backup-source');
  const databases = await openDatabases({ isWritten: true, persistTo: source.state });
  const cell = getFirstCell(databases);
  for (const statement of createHostileStatements()) await cell.batch([createRawStatement(statement)]);
  await rebuildSearch(cell);
  await databases.close();
});

after(() => {
  source?.remove();
  rmSync(workDirectory, { recursive: true, force: true });
});

function createEmptyDatabases(name: string): string {
  const [first, state] = [join(workDirectory, 'empty'), join(workDirectory, name)];
  if (!existsSync(first)) {
    for (const { binding } of readDatabases()) {
      runWrangler(['d1', 'migrations', 'apply', binding, '--local', `--persist-to=${first}`]);
    }
  }
  cpSync(first, state, { recursive: true });
  return state;
}

interface Backup {
  readonly folder: string;
  readonly records: readonly DatabaseRecord[];
}

async function createBackup(name: string): Promise<Backup> {
  const folder = join(workDirectory, name);
  const sources = openLocalSources(source.state);
  const records: DatabaseRecord[] = [];
  for (const each of sources.all) records.push(await copyDatabase(each, folder));
  await sources.close();
  return { folder, records };
}

async function restore(state: string, { folder, records }: Backup): Promise<void> {
  const databases = await openDatabases({ isWritten: true, persistTo: state });
  try {
    for (const record of records) {
      const database = databases.bindings.get(record.binding);
      assert.ok(database);
      const target = { database, schema: getSchema(record.binding) };
      await checkBackup(folder, record, target.schema);
      await requireNoRows(record.binding, target.database, target.schema);
      await loadDatabase(folder, record, target);
      assert.deepEqual(await compareDatabase(record, target), []);
    }
    for (const cell of databases.cells.values()) await rebuildSearch(cell, { fromScratch: true });
  } finally {
    await databases.close();
  }
}

const TOKEN_OWNER = toTaskTokenOwner(1);

async function describeState(state: string) {
  const databases = await openDatabases({ persistTo: state });
  const cell = getFirstCell(databases);
  const findings = await checkData(databases.directory, databases.cells, { now: Date.now(), hasCron: false });
  const terms = ['drop table', '한글한', '🐙🐙🐙', 'the', `";-`];
  const found: unknown[][] = [];
  for (const term of terms) {
    const sql = 'SELECT rowid FROM task_search WHERE task_search MATCH ?1 ORDER BY rowid';
    const [rows] = await cell.batch([
      createRawStatement({ sql, params: [buildIndexQuery(TOKEN_OWNER, term)] }),
    ]);
    found.push(rows.map((row) => row.rowid));
  }
  await databases.close();
  return { off: findings.filter(({ offenders }) => offenders.length > 0), found };
}

itInLongTier(
  'a restore brings back every row of every table, even with hostile text, and searches find the same tasks',
  async () => {
    const state = createEmptyDatabases('restored');
    await restore(state, await createBackup('copy'));
    const [there, here] = [readContents(source.state), readContents(state)];
    assert.deepEqual(Object.keys(here), Object.keys(there));
    for (const [table, rows] of Object.entries(there)) {
      assert.ok(
        rows.length === here[table]?.length && rows.every((row, at) => row === here[table]?.[at]),
        table,
      );
    }
    const [before, now] = [await describeState(source.state), await describeState(state)];
    assert.deepEqual(now, before);
    assert.deepEqual(now.off, []);
    assert.ok(
      now.found.every((ids) => ids.length > 0),
      JSON.stringify(now.found),
    );
    // The sequence table is also restored, so no id is reused.
    assert.ok(Number(there['CELL_0 sqlite_sequence']?.length) > 0);
    const databases = await openDatabases({ isWritten: true, persistTo: state });
    const folder = join(workDirectory, 'copy');
    const schema = getSchema('CELL_0');
    await assert.rejects(
      requireNoRows('CELL_0', getFirstCell(databases), schema),
      /CELL_0 is not empty: .*tasks/,
    );
    await databases.close();
    assert.throws(() => readManifest(folder), /is not a complete backup/);
  },
);

it('a restore rejects a backup with changed files or different migrations', async () => {
  const { folder, records } = await createBackup('damaged');
  const record = records.find(({ binding }) => binding === 'CELL_0');
  assert.ok(record);
  const schema = getSchema('CELL_0');
  await checkBackup(folder, record, schema);
  const path = join(folder, 'CELL_0', 'tasks.jsonl');
  const text = readFileSync(path, 'utf8');
  appendFileSync(path, '\n');
  await assert.rejects(checkBackup(folder, record, schema), /its checksum differs/);
  writeFileSync(path, text);
  const other = { ...record, migrations: { ...record.migrations, '0009_later.sql': 'x' } };
  await assert.rejects(checkBackup(folder, other, schema), /other migrations/);
});

it('a backup is read without splitting lines at Unicode line separators', async () => {
  const path = join(workDirectory, 'lines.jsonl');
  const lines = Object.values(hostileTexts).map((text) => JSON.stringify([text]));
  writeFileSync(path, `${lines.join('\n')}\n`);
  const found: string[] = [];
  for await (const line of readLines(path)) found.push(line);
  assert.deepEqual(found, lines);
});

it('a backup over HTTP is consistent even if rows change while it runs', async () => {
  const state = join(workDirectory, 'live');
  cpSync(source.state, state, { recursive: true });
  const live = await openDatabases({ isWritten: true, persistTo: state });
  const cell = getFirstCell(live);
  let turn = 0;
  const changeBetweenBatches = async (batch: readonly { sql: string }[]) => {
    if (turn > 60 || !batch.some(({ sql }) => /FROM (sums|\(SELECT key)/.test(sql))) return;
    turn += 1;
    const id = `(SELECT max(id) - ${turn % 17} FROM tasks)`;
    await cell.batch(
      [
        `UPDATE tasks SET name = name || ' ${turn}', version = version + 1 WHERE id = ${id}`,
        `UPDATE tasks SET name = 'first ${turn}' WHERE id = (SELECT min(id) FROM tasks)`,
        `INSERT INTO comments (ws, task, author, project, assignee, archived, day, content, created_at) SELECT ws, id, created_by, project, assignee, archived, '2026-01-01', 'live ${turn}', 1 FROM tasks LIMIT 1`,
        `DELETE FROM comments WHERE id = (SELECT min(id) FROM comments)`,
        `INSERT INTO job_positions (name, position) VALUES ('key ''"\\ ${turn}', 'x') ON CONFLICT DO NOTHING`,
        `DELETE FROM job_positions WHERE name = 'key ''"\\ ${turn - 3}'`,
        `INSERT INTO uploads (s3_key, ws, member, file_name, file_type, file_size, reserved, expires_at) VALUES ('live ${turn}', 1, 1, 'f', 't', 1, 0, 1)`,
        `DELETE FROM uploads WHERE s3_key = 'live ${turn}'`,
      ].map((sql) => createRawStatement({ sql })),
    );
  };
  const server = await serveD1({ cell: toBinding(cell) }, { before: changeBetweenBatches });
  const schema = getSchema('CELL_0');
  const database = new Database(openRemoteDatabase(server.account, 'cell'), new CostMeter());
  const folder = join(workDirectory, 'live-copy');
  const record = await copyDatabase({ binding: 'CELL_0', database, schema, isSnapshot: false }, folder);
  assert.deepEqual(server.rejections, []);
  assert.ok(turn > 20, `${turn} disturbances`);
  // The database no longer changes, so the copy must be equal to it.
  turn = Number.POSITIVE_INFINITY;
  assert.deepEqual(await compareDatabase(record, { database, schema }), []);
  await checkBackup(folder, record, schema);
  const [left] = await cell.batch([
    createRawStatement({ sql: "SELECT name FROM sqlite_master WHERE name GLOB 'backup_*'" }),
  ]);
  assert.deepEqual(left, []);
  await server.close();
  await live.close();
});

it('a database is restored, indexed and checked over HTTP within the limits of D1', async () => {
  const copied = await createBackup('for-http');
  const state = createEmptyDatabases('over-http');
  const local = await openDatabases({ isWritten: true, persistTo: state });
  const bindings = Object.fromEntries(
    [...local.bindings].map(([name, database]) => [name, toBinding(database)]),
  );
  const server = await serveD1(bindings);
  const openRemote = (name: string) =>
    new Database(openRemoteDatabase(server.account, name), new CostMeter());
  for (const record of copied.records) {
    const target = { database: openRemote(record.binding), schema: getSchema(record.binding) };
    await loadDatabase(copied.folder, record, target);
    assert.deepEqual(await compareDatabase(record, target), []);
  }
  const cell = openRemote('CELL_0');
  const cells = new Map([[0, cell]]);
  await rebuildSearch(cell, { fromScratch: true });
  const findings = await checkData(openRemote('DIRECTORY'), cells, { now: Date.now(), hasCron: false });
  assert.deepEqual(
    findings.filter(({ offenders }) => offenders.length > 0),
    [],
  );
  assert.deepEqual(server.rejections, []);
  const forbidden = new Database(
    openRemoteDatabase({ ...server.account, token: 'x' }, 'CELL_0'),
    new CostMeter(),
  );
  await assert.rejects(
    forbidden.batch([createRawStatement({ sql: 'SELECT 1 AS one' })]),
    /D1 rejected the batch: Authentication error/,
  );
  await server.close();
  await local.close();
});
