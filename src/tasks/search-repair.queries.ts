import { sql } from 'drizzle-orm';
import { rows, type Statement, write } from '../kernel/database.ts';
import { fold } from './fold.ts';
import { quote, type SearchTexts, searchColumns, searchRowid, TASK_BITS } from './search.queries.ts';

/** The source of a row of the search index. */
export interface IndexedTask extends SearchTexts {
  id: number;
  version: number;
  name_key: string;
}

const texts = sql`t.id AS id, t.name AS name, t.description AS description, t.version AS version, t.name_key AS name_key`;

/** The next tasks of the cell, by id. */
export function listTexts(after: number, limit: number): Statement<IndexedTask[]> {
  return rows<IndexedTask>(sql`
    SELECT ${texts} FROM tasks t NOT INDEXED WHERE t.id > ${after} ORDER BY t.id LIMIT ${limit}`);
}

/** About `count` tasks from all over the cell; all of them where there are no more. */
export function sampleTexts(count: number): Statement<IndexedTask[]> {
  const step = sql`max(1, (SELECT max(id) FROM tasks) / ${count})`;
  return rows<IndexedTask>(sql`
    SELECT ${texts} FROM tasks t NOT INDEXED WHERE t.id % CAST(${step} AS INTEGER) = 0 ORDER BY t.id DESC LIMIT ${count}`);
}

const isSame = sql.raw(`t.version = json_extract(d.value, '$.version')`);
const CHARACTERS_ASKED_MAX = 60;

/** What of the texts is asked for: the beginning and the padded end of each. */
function question(task: IndexedTask): string {
  const [name, description] = searchColumns(task);
  return [...endsOf('name', name), ...endsOf('description', description)].join(' AND ');
}

function endsOf(column: string, folded: string): string[] {
  const characters = [...folded];
  if (characters.length === 0) return [];
  const ends = [characters.slice(0, CHARACTERS_ASKED_MAX), characters.slice(-CHARACTERS_ASKED_MAX)];
  return ends.map((end) => `${column} : ${quote(end.join(''))}`);
}

/** Those of the tasks that a search for their own texts does not find, unless they have changed since. */
export function listUnfound(tasks: readonly IndexedTask[]): Statement<{ id: number }[]> {
  const asked = tasks.map((task) => ({ id: task.id, version: task.version, match: question(task) }));
  return rows<{ id: number }>(sql`
    SELECT t.id AS id FROM json_each(${JSON.stringify(asked)}) d
    CROSS JOIN tasks t ON t.id = json_extract(d.value, '$.id') AND ${isSame}
    WHERE NOT EXISTS (SELECT 1 FROM task_search s WHERE task_search MATCH json_extract(d.value, '$.match')
      AND s.rowid = ${searchRowid(sql`t.ws`, sql`t.archived`, sql`t.id`)})`);
}

/** Names are sorted by their folded form. */
export function isFolded({ name, name_key }: IndexedTask): boolean {
  return fold(name) === name_key;
}

/** Writes the rows of these tasks anew. Who has changed since was indexed by the change itself, and stays. */
export function reindexTasks(tasks: readonly IndexedTask[]): Statement<void>[] {
  const columns = JSON.stringify(
    tasks.map((task) => {
      const [name, description] = searchColumns(task);
      return { id: task.id, version: task.version, name, description, key: fold(task.name) };
    }),
  );
  const current = sql`json_each(${columns}) d CROSS JOIN tasks t ON t.id = json_extract(d.value, '$.id') AND ${isSame}`;
  const rowid = (archived: number) =>
    sql`SELECT ${searchRowid(sql`t.ws`, sql.raw(String(archived)), sql`t.id`)} FROM ${current}`;
  return [
    write(sql`DELETE FROM task_search WHERE rowid IN (${rowid(0)} UNION ALL ${rowid(1)})`),
    write(sql`
      INSERT INTO task_search (rowid, name, description)
      SELECT ${searchRowid(sql`t.ws`, sql`t.archived`, sql`t.id`)}, json_extract(d.value, '$.name'),
        json_extract(d.value, '$.description')
      FROM ${current}`),
    write(sql`
      UPDATE tasks AS t SET name_key = json_extract(d.value, '$.key') FROM json_each(${columns}) d
      WHERE t.id = json_extract(d.value, '$.id') AND ${isSame} AND t.name_key <> json_extract(d.value, '$.key')`),
  ];
}

/** Deletes rows that belong to no task; answers how many there were. At most `limit` a run. */
export function dropStrayRows(limit: number): Statement<void>[] {
  return [
    write(sql`
      DELETE FROM task_search WHERE rowid IN (
        SELECT s.rowid FROM task_search s WHERE NOT EXISTS (
          SELECT 1 FROM tasks t WHERE t.id = (s.rowid & ${TASK_BITS})
            AND s.rowid = ${searchRowid(sql`t.ws`, sql`t.archived`, sql`t.id`)})
        LIMIT ${limit})`),
  ];
}

/** Empties the index, for one that is damaged beyond single rows. Searches find nothing until it is filled again. */
export function emptySearch(): Statement<void> {
  return write(sql`INSERT INTO task_search (task_search) VALUES ('delete-all')`);
}
