import { readRows, type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { taskSearch, unindexedTasks } from '../../schema/cell/search.ts';
import { longTexts, tasks } from '../../schema/cell/tasks.ts';
import { selectDescription, selectDescriptionKey } from '../../tasks/texts/task-texts.queries.ts';
import { buildIndexQueries, toTaskTokenOwner } from './ngrams.ts';
import { TASK_ID_MASK, toSearchRowid, toTaskTokens } from './search-index.queries.ts';
import { toDescriptionKey, toSearchKey } from './search-key.ts';

const s = aliasTable(taskSearch, 's');
const t = aliasTable(tasks, 't');
const x = aliasTable(longTexts, 'x');

export type SearchableTask = Row<typeof searchableTaskColumns>;

const searchableTaskColumns = selectColumns({
  id: t.id,
  ws: t.ws,
  project: t.project,
  name: t.name,
  description: selectDescription(t),
  version: t.version,
  name_key: t.name_key,
  description_key: selectDescriptionKey(t),
});

export function listSearchableTasks(after: number, limit: number): Statement<SearchableTask[]> {
  return readRows(sql`
    SELECT ${searchableTaskColumns} FROM ${t} NOT INDEXED WHERE ${t.id} > ${after} AND ${t.ws} > 0 ORDER BY ${t.id} LIMIT ${limit}`);
}

export function sampleSearchableTasks(count: number): Statement<SearchableTask[]> {
  const step = sql`max(1, (SELECT max(${tasks.id}) FROM ${tasks}) / ${count})`;
  return readRows(sql`
    SELECT ${searchableTaskColumns} FROM ${t} NOT INDEXED WHERE ${t.id} % CAST(${step} AS INTEGER) = 0 AND ${t.ws} > 0 ORDER BY ${t.id} DESC
      LIMIT ${count}`);
}

const isUnchanged = sql.raw(`${t.version} = json_extract(d.value, '$.version')`);
const PATTERN_CHARACTERS_MAX = 60;

function buildTextEndsQuery({ ws, project, name, description }: SearchableTask): string {
  const owner = toTaskTokenOwner(ws);
  const asked = [toSearchKey(name), toDescriptionKey(description)]
    .filter((text) => text !== '')
    .flatMap((text) => [text.slice(0, PATTERN_CHARACTERS_MAX), text.slice(-PATTERN_CHARACTERS_MAX)])
    .map((pattern) => buildIndexQueries(owner, pattern, project));
  const both = asked.map(({ usual, large }) => `((${usual.match}) OR (${large.match}))`);
  return both.join(' AND ');
}

const idColumn = selectColumns({ id: t.id });

/**
 * Lists the tasks that aren't found by searching for their own text. Skips tasks that have changed since they were
 * read.
 */
export function listUnindexedTasks(found: readonly SearchableTask[]): Statement<{ id: number }[]> {
  const asked = found.map((task) => ({
    id: task.id,
    version: task.version,
    match: buildTextEndsQuery(task),
  }));
  return readRows(sql`
    SELECT ${idColumn} FROM json_each(${JSON.stringify(asked)}) d
    CROSS JOIN ${t} ON ${t.id} = json_extract(d.value, '$.id') AND ${isUnchanged}
    WHERE NOT EXISTS (SELECT 1 FROM ${s} WHERE task_search MATCH json_extract(d.value, '$.match')
      AND s.rowid = ${toSearchRowid(t.ws, t.id)})`);
}

export function hasCurrentKeys({ name, description, name_key, description_key }: SearchableTask): boolean {
  return toSearchKey(name) === name_key && toDescriptionKey(description) === description_key;
}

/** Skips tasks that have changed since they were read, because that change has already indexed them again. */
export function reindexTasks(found: readonly SearchableTask[]): Statement<void>[] {
  const columns = JSON.stringify(
    found.map((task) => ({
      id: task.id,
      version: task.version,
      tokens: toTaskTokens(task.ws, task),
      name: toSearchKey(task.name),
      description: toDescriptionKey(task.description),
    })),
  );
  const current = sql`json_each(${columns}) d CROSS JOIN ${t} ON ${t.id} = json_extract(d.value, '$.id')
    AND ${isUnchanged}`;
  const name = sql.raw(`json_extract(d.value, '$.name')`);
  const description = sql.raw(`json_extract(d.value, '$.description')`);
  const inRow = sql`iif(${t.long_text} IS NULL, ${description}, '')`;
  return [
    write(
      sql`DELETE FROM ${taskSearch} WHERE rowid IN (SELECT ${toSearchRowid(t.ws, t.id)} FROM ${current})`,
    ),
    write(sql`
      INSERT INTO ${taskSearch} (rowid, grams)
      SELECT ${toSearchRowid(t.ws, t.id)}, json_extract(d.value, '$.tokens')
        FROM ${current}`),
    write(sql`
      DELETE FROM ${unindexedTasks} WHERE ${unindexedTasks.task} IN (SELECT ${t.id} FROM ${current})`),
    write(sql`
      UPDATE ${tasks} AS t SET ${tasks.name_key} = ${name}, ${tasks.description_key} = ${inRow}
        FROM json_each(${columns}) d
      WHERE ${t.id} = json_extract(d.value, '$.id') AND ${isUnchanged}
        AND (${t.name_key} <> ${name} OR ${t.description_key} <> ${inRow})`),
    write(sql`
      UPDATE ${longTexts} AS x SET ${longTexts.description_key} = ${description} FROM ${current}
      WHERE ${x.ws} = ${t.ws} AND ${x.id} = ${t.long_text} AND ${x.description_key} <> ${description}`),
  ];
}

export function deleteStrayTaskRows(limit: number): Statement<void>[] {
  return [
    write(sql`
      DELETE FROM ${taskSearch} WHERE rowid IN (
        SELECT s.rowid FROM ${s} WHERE NOT EXISTS (
          SELECT 1 FROM ${t} WHERE ${t.id} = (s.rowid & ${TASK_ID_MASK})
            AND s.rowid = ${toSearchRowid(t.ws, t.id)})
        LIMIT ${limit})`),
    write(sql`
      DELETE FROM ${unindexedTasks} WHERE NOT EXISTS (
        SELECT 1 FROM ${t} WHERE ${t.id} = ${unindexedTasks.task} AND abs(${t.ws}) = ${unindexedTasks.ws})`),
  ];
}

/** Empties a damaged index. Searches find nothing until the index is rebuilt. */
export function clearTaskIndex(): Statement<void> {
  return write(sql`INSERT INTO ${taskSearch} (task_search) VALUES ('delete-all')`);
}
