// Records which rows of a live database change during a backup, so that they can be read again in one transaction.
// The copy then shows that point in time. The journal consists of triggers and a table, which are removed after the
// backup.
import type { Database, Statement } from '../../src/kernel/sql/database.ts';
import { getKey, readSequences, readTextRow, selectTextColumns, type TextRow } from './rows.ts';
import { quoteName, type Schema, type Table } from './schema.ts';
import { buildValueSql } from './values.ts';

const JOURNAL = 'backup_changes';
const PREFIX = 'backup_note_';
/**
 * The number of changed rows that each round reads per table. The copy shows the point in time of the first round
 * that reads all of them.
 */
const ROWS_PER_ROUND = 200;
const ROUNDS_MAX = 100_000;

type Row = Record<string, unknown>;
const run = (sql: string, params: readonly unknown[] = []): Statement<void> => ({
  sql,
  params,
  read: () => undefined,
});
const all = <T>(sql: string, read: (rows: Row[]) => T): Statement<T> => ({ sql, params: [], read });

/** The current values of a table's changed rows, by key. Null for a deleted row. */
export type Changes = Map<string, TextRow | null>;

export const formatKey = (table: Table, row: TextRow) => JSON.stringify(getKey(table, row));

/** Throws if another backup is running or was interrupted. */
export async function beginJournal(database: Database, { tables }: Schema): Promise<void> {
  const [found] = await database.batch([
    all(`SELECT name FROM sqlite_master WHERE name = '${JOURNAL}'`, (rows) => rows.length),
  ]);
  if (found > 0) {
    throw new Error(
      `The table ${JOURNAL} exists, because another backup is running or was interrupted. If it was interrupted, add --take-over.`,
    );
  }
  await database.batch([
    run(
      `CREATE TABLE ${JOURNAL} (tbl TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (tbl, key)) WITHOUT ROWID`,
    ),
    ...tables.flatMap(buildTriggers),
  ]);
}

/** Builds each trigger on one line, because D1 requires it. */
function buildTriggers(table: Table): Statement<void>[] {
  const key = (row: 'OLD' | 'NEW') =>
    table.key.map((column) => buildTaggedKey(`${row}.${quoteName(column)}`));
  const note = (row: 'OLD' | 'NEW') =>
    `INSERT INTO ${JOURNAL} (tbl, key) VALUES ('${table.name}', json_array(${key(row)})) ON CONFLICT DO NOTHING;`;
  const notes = { INSERT: note('NEW'), UPDATE: `${note('OLD')} ${note('NEW')}`, DELETE: note('OLD') };
  return Object.entries(notes).map(([event, body]) =>
    run(
      `CREATE TRIGGER ${quoteName(`${PREFIX}${table.name}_${event}`)} AFTER ${event} ON ${quoteName(table.name)} BEGIN ${body} END`,
    ),
  );
}

/** Keys are integers or text. CASE can't be used, because D1 would end the trigger at its END. */
function buildTaggedKey(column: string): string {
  return `iif(typeof(${column}) = 'integer', 'i', 't') || ${column}`;
}

function readChanged(table: Table): Statement<Changes> {
  const isRow = table.key.map(
    (column, index) => `t.${quoteName(column)} = ${buildValueSql(`json_extract(c.key, '$[${index}]')`)}`,
  );
  return all(
    `SELECT c.key AS changed, ${selectTextColumns(table, true)}
    FROM (SELECT key FROM ${JOURNAL} WHERE tbl = '${table.name}' ORDER BY key LIMIT ${ROWS_PER_ROUND}) c
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

function deleteReadChanges(table: Table): Statement<void> {
  return run(`DELETE FROM ${JOURNAL} WHERE tbl = '${table.name}' AND key IN (
    SELECT key FROM ${JOURNAL} WHERE tbl = '${table.name}' ORDER BY key LIMIT ${ROWS_PER_ROUND})`);
}

export interface MissedChanges {
  changes: Map<Table, Changes>;
  sequences: Record<string, string>;
}

/** Reads changed rows in rounds, until one round reads all of them in its transaction. */
export async function readMissedChanges(database: Database, { tables }: Schema): Promise<MissedChanges> {
  const changes = new Map(tables.map((table) => [table, new Map() as Changes]));
  const hasSequences = tables.some((table) => table.hasSequence);
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const results = await database.batch([
      ...tables.flatMap((table) => [readChanged(table), deleteReadChanges(table)]),
      ...(hasSequences ? [readSequences()] : []),
    ]);
    let isLast = true;
    for (const [index, table] of tables.entries()) {
      const read = results[index * 2] as unknown as Changes;
      if (read.size === ROWS_PER_ROUND) isLast = false;
      for (const [key, row] of read) changes.get(table)?.set(key, row);
    }
    if (isLast) return { changes, sequences: (hasSequences ? results.at(-1) : {}) as Record<string, string> };
  }
  throw new Error('The database changes faster than it can be read. Try again when there are fewer writes.');
}

export async function endJournal(database: Database, { tables }: Schema): Promise<void> {
  const names = tables.flatMap(({ name }) =>
    ['INSERT', 'UPDATE', 'DELETE'].map((event) => `${PREFIX}${name}_${event}`),
  );
  await database.batch([
    ...names.map((name) => run(`DROP TRIGGER IF EXISTS ${quoteName(name)}`)),
    run(`DROP TABLE IF EXISTS ${JOURNAL}`),
  ]);
}
