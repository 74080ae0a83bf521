import { readRows, type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { taskSearch, unindexedTasks } from '../../schema/cell/search.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { selectDescriptionKey, selectDescriptionKeyBytes } from '../../tasks/texts/task-texts.queries.ts';
import { buildSearchTokens, countTokens, toTaskTokenOwner } from './ngrams.ts';
import { TOKENS_PER_BATCH_MAX, toSearchRowid } from './search-index.queries.ts';
import { hasWaitingDetails } from './waiting-details.queries.ts';

const t = aliasTable(tasks, 't');
const w = aliasTable(unindexedTasks, 'w');

const TASKS_PER_SLICE_MAX = 50;
/** The first task of a slice is read even if its text is longer. */
const BYTES_PER_SLICE_MAX = 400_000;

/** Two statements read the waiting texts, and up to five index them. */
export const STATEMENTS_PER_WAITING_SLICE = 7;

const waitingColumns = selectColumns({
  id: w.task,
  ws: w.ws,
  project: t.project,
  version: t.version,
  name_key: t.name_key,
  description_key: selectDescriptionKey(t),
});
export type WaitingTask = Row<typeof waitingColumns>;

export function hasWaitingTexts(): SQL {
  return sql`EXISTS (SELECT 1 FROM ${w}) OR ${hasWaitingDetails()}`;
}

export function listWaitingTasks(): Statement<WaitingTask[]> {
  return readRows(sql`
    SELECT ${waitingColumns} FROM (
      SELECT task, ws, sum(bytes) OVER (ORDER BY task) - bytes AS bytes_before FROM (
        SELECT ${w.task}, ${w.ws}, ${selectDescriptionKeyBytes(t)} AS bytes
        FROM ${w} CROSS JOIN ${t} ON ${t.id} = ${w.task} AND ${t.ws} = ${w.ws}
        ORDER BY ${w.task} LIMIT ${TASKS_PER_SLICE_MAX})) w
    CROSS JOIN ${t} ON ${t.id} = ${w.task}
    WHERE w.bytes_before < ${BYTES_PER_SLICE_MAX} ORDER BY ${w.task}`);
}

export function planWaitingSlice(waiting: readonly WaitingTask[]): (WaitingTask & { tokens: string })[] {
  let left = TOKENS_PER_BATCH_MAX;
  return waiting.flatMap((task) => {
    if (left <= 0) return [];
    const tokens = buildSearchTokens(
      toTaskTokenOwner(task.ws),
      [task.name_key, task.description_key],
      task.project,
    );
    const isFirst = left === TOKENS_PER_BATCH_MAX;
    left -= countTokens(tokens);
    return left >= 0 || isFirst ? [{ ...task, tokens }] : [];
  });
}

/** Skips tasks that have changed since they were read, and tasks that another run has already indexed. */
export function indexWaitingSlice(slice: readonly (WaitingTask & { tokens: string })[]): Statement<void>[] {
  const given = JSON.stringify(slice.map(({ id, version, tokens }) => ({ id, version, tokens })));
  const current = sql`
    json_each(${given}) d CROSS JOIN ${w} ON ${w.task} = d.value ->> 'id'
    CROSS JOIN ${t} ON ${t.id} = ${w.task} AND ${t.version} = d.value ->> 'version' AND ${t.ws} = ${w.ws}`;
  return [
    write(sql`
      DELETE FROM ${taskSearch} WHERE rowid IN (SELECT ${toSearchRowid(t.ws, t.id)} FROM ${current})`),
    write(sql`
      INSERT INTO ${taskSearch} (rowid, grams) SELECT ${toSearchRowid(t.ws, t.id)}, d.value ->> 'tokens' FROM ${current}`),
    write(sql`
      DELETE FROM ${unindexedTasks} WHERE ${unindexedTasks.task} IN (SELECT ${w.task} FROM ${current})`),
  ];
}
