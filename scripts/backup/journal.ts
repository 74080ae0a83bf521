// Records which rows of a live database change during a backup. The changed rows are then read again in one
// transaction, and the copy shows the state of the database at that moment. The journal consists of triggers and a
// table, which are removed after the backup.
import type { Database, Statement } from '../../src/kernel/sql/database.ts';
import { getKey, readSequences, readTextRow, selectTextColumns, type TextRow } from './rows.ts';
import { quoteName, type Schema, type Table } from './schema.ts';
import { buildValueSql } from './values.ts';

const JOURNAL_TABLE = 'backup_changes';
const TRIGGER_PREFIX = 'backup_note_';
/**
 * The number of changed rows that each round reads per table. The copy shows the state of the database at the time of
 * the first round that reads all of them.
 */
const ROWS_PER_ROUND = 200;
const ROUNDS_MAX = 100_000;

type Row = Record<string, unknown>;
const createWriteStatement = (sql: string, params: readonly unknown[] = []): Statement<void> => ({
  sql,
  params,
  read: () => undefined,
});
const createReadStatement = <T>(sql: string, read: (rows: Row[]) => T): Statement<T> => ({
  sql,
  params: [],
  read,
});

/** The current values of a table's changed rows, by key. A deleted row is null. */
export type ChangedRows = Map<string, TextRow | null>;

export const formatKey = (table: Table, row: TextRow) => JSON.stringify(getKey(table, row));

/** Throws if another backup is running or was interrupted. */
export async function beginJournal(database: Database, { tables }: Schema): Promise<void> {
  const [found] = await database.batch([
    createReadStatement(
      `SELECT name FROM sqlite_master WHERE name = '${JOURNAL_TABLE}'`,
      (rows) => rows.length,
    ),
  ]);
  if (found > 0) {
    throw new Error(
      `The table ${JOURNAL_TABLE} exists, because another backup is running or was interrupted. If it was interrupted, add --take-over.`,
    );
  }
  await database.batch([
    createWriteStatement(
      `CREATE TABLE ${JOURNAL_TABLE} (tbl TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (tbl, key)) WITHOUT ROWID`,
    ),
    ...tables.flatMap(buildTriggers),
  ]);
}

/** Builds each trigger on one line, because D1 requires it. */
function buildTriggers(table: Table): Statement<void>[] {
  const key = (row: 'OLD' | 'NEW') =>
    table.key.map((column) => buildTaggedKey(`${row}.${quoteName(column)}`));
  const note = (row: 'OLD' | 'NEW') =>
    `INSERT INTO ${JOURNAL_TABLE} (tbl, key) VALUES ('${table.name}', json_array(${key(row)})) ON CONFLICT DO NOTHING;`;
  const notes = { INSERT: note('NEW'), UPDATE: `${note('OLD')} ${note('NEW')}`, DELETE: note('OLD') };
  return Object.entries(notes).map(([event, body]) =>
    createWriteStatement(
      `CREATE TRIGGER ${quoteName(`${TRIGGER_PREFIX}${table.name}_${event}`)} AFTER ${event} ON ${quoteName(table.name)} BEGIN ${body} END`,
    ),
  );
}

/** Keys are integers or text. Uses no CASE, because D1 would read its END as the end of the trigger. */
function buildTaggedKey(column: string): string {
  return `iif(typeof(${column}) = 'integer', 'i', 't') || ${column}`;
}

function readChangedRows(table: Table): Statement<ChangedRows> {
  const isRow = table.key.map(
    (column, index) => `t.${quoteName(column)} = ${buildValueSql(`json_extract(c.key, '$[${index}]')`)}`,
  );
  return createReadStatement(
    `SELECT c.key AS changed, ${selectTextColumns(table, true)}
    FROM (SELECT key FROM ${JOURNAL_TABLE} WHERE tbl = '${table.name}' ORDER BY key LIMIT ${ROWS_PER_ROUND}) c
    LEFT JOIN ${quoteName(table.name)} t ON ${isRow.join(' AND ')}`,
    (rows) =>
      new Map(
        rows.map((row) => {
          const carried = readTextRow(row, table);
          const isGone = getKey(table, carried).every((part) => part === null);
          return [JSON.stringify(JSON.parse(String(row.changed))), isGone ? null : carried];
        }),
      ),
  );
}

function deleteJournaledChanges(table: Table): Statement<void> {
  return createWriteStatement(`DELETE FROM ${JOURNAL_TABLE} WHERE tbl = '${table.name}' AND key IN (
    SELECT key FROM ${JOURNAL_TABLE} WHERE tbl = '${table.name}' ORDER BY key LIMIT ${ROWS_PER_ROUND})`);
}

export interface MissedChanges {
  changes: Map<Table, ChangedRows>;
  sequences: Record<string, string>;
}

/** Reads changed rows in rounds, until one round reads all of them in its transaction. */
export async function readMissedChanges(database: Database, { tables }: Schema): Promise<MissedChanges> {
  const changes = new Map(tables.map((table) => [table, new Map() as ChangedRows]));
  const hasSequences = tables.some((table) => table.hasSequence);
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const results = await database.batch([
      ...tables.flatMap((table) => [readChangedRows(table), deleteJournaledChanges(table)]),
      ...(hasSequences ? [readSequences()] : []),
    ]);
    let isLast = true;
    for (const [index, table] of tables.entries()) {
      const read = results[index * 2] as unknown as ChangedRows;
      if (read.size === ROWS_PER_ROUND) isLast = false;
      for (const [key, row] of read) changes.get(table)?.set(key, row);
    }
    if (isLast) return { changes, sequences: (hasSequences ? results.at(-1) : {}) as Record<string, string> };
  }
  throw new Error('The database changes faster than it can be read. Try again when there are fewer writes.');
}

export async function endJournal(database: Database, { tables }: Schema): Promise<void> {
  const names = tables.flatMap(({ name }) =>
    ['INSERT', 'UPDATE', 'DELETE'].map((event) => `${TRIGGER_PREFIX}${name}_${event}`),
  );
  await database.batch([
    ...names.map((name) => createWriteStatement(`DROP TRIGGER IF EXISTS ${quoteName(name)}`)),
    createWriteStatement(`DROP TABLE IF EXISTS ${JOURNAL_TABLE}`),
  ]);
}
