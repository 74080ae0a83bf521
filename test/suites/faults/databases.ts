import { CostMeter } from '../../../src/kernel/sql/cost.ts';
import { Database } from '../../../src/kernel/sql/database.ts';
import { checkData } from '../../../src/upkeep/integrity/check.ts';
import { runWithoutDeleteTriggers } from '../../support/delete-triggers.ts';
import { env, getCell } from '../../support/env.ts';
import { listColumns, listTables, readJsonRows, readRows } from '../../support/tables.ts';

const databases: [string, D1Database][] = [
  ['directory', env.DIRECTORY],
  ['cell 0', getCell(0)],
  ['cell 1', getCell(1)],
];

/** Tables that the migrations fill and that never change. */
const fixedTables = ['task_statuses', 'project_statuses'];
const indexes = ['task_search', 'comment_search', 'detail_search'];
const isIndexTable = (table: string) => indexes.some((index) => table.startsWith(`${index}_`));
/** Index segments aren't compared, because other writes can move the same words to different segments. */
const isIndexSegment = (table: string) => isIndexTable(table) && !table.endsWith('_docsize');
/** Idempotency keys and objects to delete are checked separately. */
const excludedTables = ['idempotency_keys', 'objects_to_delete'];

/** Empties every database, so that snapshots stay small. */
export async function emptyDatabases(): Promise<void> {
  for (const [, db] of databases) {
    const tables = (await listTables(db)).filter(
      (table) => !isIndexTable(table) && !fixedTables.includes(table),
    );
    const emptied = db === env.DIRECTORY ? [] : indexes;
    await runWithoutDeleteTriggers(
      db,
      [
        ...tables.map((table) => `DELETE FROM ${table}`),
        ...emptied.map((index) => `INSERT INTO ${index} (${index}) VALUES ('delete-all')`),
      ].map((statement) => db.prepare(statement)),
    );
  }
}

export async function takeSnapshot(): Promise<Map<string, string[]>> {
  const found = await Promise.all(
    databases.map(async ([name, db]) => {
      const tables = (await listTables(db)).filter(
        (table) => !isIndexSegment(table) && !excludedTables.includes(table),
      );
      return [...(await readRows(db, tables))].map(([table, rows]): [string, string[]] => [
        `${name}.${table}`,
        rows,
      ]);
    }),
  );
  return new Map(found.flat());
}

/** Saves all rows of a database except its search indexes. Returns a function that restores them. */
export async function saveDatabase(db: D1Database): Promise<() => Promise<unknown>> {
  const tables = (await listTables(db)).filter(
    (table) => !isIndexTable(table) && !fixedTables.includes(table),
  );
  const statements: D1PreparedStatement[] = [];
  for (const table of tables) {
    const names = (await listColumns(db, table)).map(({ name }) => name);
    const values = names.map((name) => `json_extract(d.value, '$.${name}')`);
    const insert = `INSERT INTO ${table} (${names}) SELECT ${values} FROM json_each(?) d`;
    const rows = `[${await readJsonRows(db, table)}]`;
    statements.push(db.prepare(`DELETE FROM ${table}`), db.prepare(insert).bind(rows));
  }
  return () => runWithoutDeleteTriggers(db, statements);
}

/** Returns the numbers of added and removed rows per table, which are the same for equal requests. */
export function countChangedRows(before: Map<string, string[]>, after: Map<string, string[]>) {
  const changed: Record<string, string> = {};
  for (const [table, rows] of after) {
    const [old, current] = [new Set(before.get(table)), new Set(rows)];
    const came = rows.filter((row) => !old.has(row)).length;
    const went = [...old].filter((row) => !current.has(row)).length;
    if (came > 0 || went > 0) changed[table] = `+${came} -${went}`;
  }
  return changed;
}

const openDatabase = (d1: D1Database) => new Database(d1, new CostMeter());

/** Returns the findings of `scripts/operate.ts check`. The list is empty if everything is consistent. */
export async function findInconsistencies(numbers = [0, 1]): Promise<string[]> {
  const now = Date.now();
  const cells = new Map(numbers.map((no) => [no, openDatabase(getCell(no))]));
  const findings = await checkData(openDatabase(env.DIRECTORY), cells, { now, hasCron: true });
  return findings.flatMap(({ database, invariant, offenders }) =>
    offenders.map((offender) => `${database}: ${invariant}: ${offender}`),
  );
}
