import { rows, type Statement, write } from '../../kernel/sql/database.ts';
import { columns, names, type Row, sql } from '../../kernel/sql/sql.ts';
import { searchWaiting, taskSearch } from '../../schema/cell/search.ts';
import { longTexts, tasks } from '../../schema/cell/tasks.ts';
import { descriptionKeyOfTask, descriptionOfTask } from '../../tasks/texts/task-texts.queries.ts';
import { ownerOfTasks, questionsFor } from './grams.ts';
import { searchRowid, TASK_BITS, tokensOfTask } from './search-index.queries.ts';
import { descriptionKeyOf, searchKeyOf } from './search-key.ts';

const s = names(taskSearch, 's');
const t = names(tasks, 't');
const x = names(longTexts, 'x');

export type IndexedTask = Row<typeof texts>;

const texts = columns({
  id: t.id,
  ws: t.ws,
  project: t.project,
  name: t.name,
  description: descriptionOfTask(t),
  version: t.version,
  name_key: t.name_key,
  description_key: descriptionKeyOfTask(t),
});

export function listTexts(after: number, limit: number): Statement<IndexedTask[]> {
  return rows(sql`
    SELECT ${texts} FROM ${t} NOT INDEXED WHERE ${t.id} > ${after} AND ${t.ws} > 0 ORDER BY ${t.id} LIMIT ${limit}`);
}

/** About `count` tasks spread over the cell, or all of them if there are fewer. */
export function sampleTexts(count: number): Statement<IndexedTask[]> {
  const step = sql`max(1, (SELECT max(${tasks.id}) FROM ${tasks}) / ${count})`;
  return rows(sql`
    SELECT ${texts} FROM ${t} NOT INDEXED WHERE ${t.id} % CAST(${step} AS INTEGER) = 0 AND ${t.ws} > 0 ORDER BY ${t.id} DESC
      LIMIT ${count}`);
}

const isSame = sql.raw(`${t.version} = json_extract(d.value, '$.version')`);
const CHARACTERS_ASKED_MAX = 60;

/** The beginning and the end of each text. */
function question({ ws, project, name, description }: IndexedTask): string {
  const owner = ownerOfTasks(ws);
  const asked = [searchKeyOf(name), descriptionKeyOf(description)]
    .filter((text) => text !== '')
    .flatMap((text) => [text.slice(0, CHARACTERS_ASKED_MAX), text.slice(-CHARACTERS_ASKED_MAX)])
    .map((pattern) => questionsFor(owner, pattern, project));
  const both = asked.map(({ usual, large }) => `((${usual.match}) OR (${large.match}))`);
  return both.join(' AND ');
}

const idColumn = columns({ id: t.id });

/** Tasks that a search for their own texts misses, unless they have changed since. */
export function listUnfound(found: readonly IndexedTask[]): Statement<{ id: number }[]> {
  const asked = found.map((task) => ({ id: task.id, version: task.version, match: question(task) }));
  return rows(sql`
    SELECT ${idColumn} FROM json_each(${JSON.stringify(asked)}) d
    CROSS JOIN ${t} ON ${t.id} = json_extract(d.value, '$.id') AND ${isSame}
    WHERE NOT EXISTS (SELECT 1 FROM ${s} WHERE task_search MATCH json_extract(d.value, '$.match')
      AND s.rowid = ${searchRowid(t.ws, t.id)})`);
}

/** Searches read the folded forms, and lists sort by the folded name. */
export function isFolded({ name, description, name_key, description_key }: IndexedTask): boolean {
  return searchKeyOf(name) === name_key && descriptionKeyOf(description) === description_key;
}

/** Rewrites the rows of these tasks. Skips tasks that have changed since: their change indexed them. */
export function reindexTasks(found: readonly IndexedTask[]): Statement<void>[] {
  const columns = JSON.stringify(
    found.map((task) => ({
      id: task.id,
      version: task.version,
      tokens: tokensOfTask(task.ws, task),
      name: searchKeyOf(task.name),
      description: descriptionKeyOf(task.description),
    })),
  );
  const current = sql`json_each(${columns}) d CROSS JOIN ${t} ON ${t.id} = json_extract(d.value, '$.id')
    AND ${isSame}`;
  const name = sql.raw(`json_extract(d.value, '$.name')`);
  const description = sql.raw(`json_extract(d.value, '$.description')`);
  const inRow = sql`iif(${t.long_text} IS NULL, ${description}, '')`;
  return [
    write(sql`DELETE FROM ${taskSearch} WHERE rowid IN (SELECT ${searchRowid(t.ws, t.id)} FROM ${current})`),
    write(sql`
      INSERT INTO ${taskSearch} (rowid, grams)
      SELECT ${searchRowid(t.ws, t.id)}, json_extract(d.value, '$.tokens')
        FROM ${current}`),
    write(sql`
      DELETE FROM ${searchWaiting} WHERE ${searchWaiting.task} IN (SELECT ${t.id} FROM ${current})`),
    write(sql`
      UPDATE ${tasks} AS t SET ${tasks.name_key} = ${name}, ${tasks.description_key} = ${inRow}
        FROM json_each(${columns}) d
      WHERE ${t.id} = json_extract(d.value, '$.id') AND ${isSame}
        AND (${t.name_key} <> ${name} OR ${t.description_key} <> ${inRow})`),
    write(sql`
      UPDATE ${longTexts} AS x SET ${longTexts.description_key} = ${description} FROM ${current}
      WHERE ${x.ws} = ${t.ws} AND ${x.id} = ${t.long_text} AND ${x.description_key} <> ${description}`),
  ];
}

/** Deletes rows without a task, at most `limit` per run. */
export function deleteStrayRows(limit: number): Statement<void>[] {
  return [
    write(sql`
      DELETE FROM ${taskSearch} WHERE rowid IN (
        SELECT s.rowid FROM ${s} WHERE NOT EXISTS (
          SELECT 1 FROM ${t} WHERE ${t.id} = (s.rowid & ${TASK_BITS})
            AND s.rowid = ${searchRowid(t.ws, t.id)})
        LIMIT ${limit})`),
    write(sql`
      DELETE FROM ${searchWaiting} WHERE NOT EXISTS (
        SELECT 1 FROM ${t} WHERE ${t.id} = ${searchWaiting.task} AND abs(${t.ws}) = ${searchWaiting.ws})`),
  ];
}

/** For an index that is damaged beyond single rows. Searches find nothing until it is filled again. */
export function emptySearch(): Statement<void> {
  return write(sql`INSERT INTO ${taskSearch} (task_search) VALUES ('delete-all')`);
}
