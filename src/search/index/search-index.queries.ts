import { type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, nameInsertColumns, type SQL, sql } from '../../kernel/sql/sql.ts';
import { taskSearch, unindexedTasks } from '../../schema/cell/search.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { buildSearchTokens, buildWaitingTokens, countTokens, toTaskTokenOwner } from './ngrams.ts';
import { toDescriptionKey, toSearchKey } from './search-key.ts';

const t = aliasTable(tasks, 't');

/** In each workspace, newer tasks have higher row numbers. */
export function toSearchRowid(ws: SQL, task: SQL): SQL {
  return sql`(((${ws} * 2) << 32) | ${task})`;
}

export const TASK_ID_MASK = sql.raw('4294967295');

/** Indexing this many tokens takes about 30 ms. Further tasks wait for a later batch (docs/adr/0011). */
export const TOKENS_PER_BATCH_MAX = 25_000;

export interface SearchTexts {
  project: number;
  name: string;
  description: string | null;
}

/** `description` is undefined if it is too long to be read in this batch. A later batch then indexes the task. */
interface ChangedTexts extends Omit<SearchTexts, 'description'> {
  id: number;
  ws: number;
  description: string | null | undefined;
}

export function toTaskTokens(ws: number, { project, name, description }: SearchTexts): string {
  return buildSearchTokens(toTaskTokenOwner(ws), [toSearchKey(name), toDescriptionKey(description)], project);
}

/** Returns the token limit for each of two groups in a batch: half of `tokensMax`, or all of it if one is empty. */
export function splitTokens(
  one: readonly unknown[],
  other: readonly unknown[],
  tokensMax: number = TOKENS_PER_BATCH_MAX,
): number {
  return one.length > 0 && other.length > 0 ? tokensMax / 2 : tokensMax;
}

interface PlannedText {
  tokens: string;
  waits: boolean;
}

/** The first task that exceeds the limit and all tasks after it wait for a later batch. */
function planTokens(texts: readonly Omit<ChangedTexts, 'id'>[], tokensMax: number): PlannedText[] {
  let left = tokensMax;
  return texts.map(({ description, ...text }) => {
    if (description !== undefined && left > 0) {
      const tokens = toTaskTokens(text.ws, { ...text, description });
      left -= countTokens(tokens);
      if (left >= 0) return { tokens, waits: false };
    }
    return { tokens: buildWaitingTokens(toTaskTokenOwner(text.ws), text.project), waits: true };
  });
}

/** `texts` must be sorted by id, and the last one must belong to the cell's newest task. */
export function indexNewTasks(
  ws: number,
  texts: readonly SearchTexts[],
  tokensMax: number = TOKENS_PER_BATCH_MAX,
): Statement<void>[] {
  const planned = planTokens(
    texts.map((text) => ({ ...text, ws })),
    tokensMax,
  );
  const rows = planned.map((each, place) => ({ ...each, place }));
  const isNewTask = (place: SQL) => sql`
    ${t.id} = (SELECT max(${tasks.id}) FROM ${tasks}) - CAST(${texts.length} AS INTEGER) + 1 + ${place}`;
  const waiting = rows.filter(({ waits }) => waits).map(({ place }) => place);
  return [
    write(sql`
      INSERT INTO ${taskSearch} (rowid, grams)
      SELECT ${toSearchRowid(t.ws, t.id)}, d.value ->> 'tokens'
      FROM json_each(${JSON.stringify(rows)}) d CROSS JOIN ${t} ON ${isNewTask(sql`(d.value ->> 'place')`)}`),
    ...(waiting.length === 0
      ? []
      : [
          insertWaitingTasks(sql`
            SELECT ${t.id}, ${t.ws} FROM json_each(${JSON.stringify(waiting)}) d
            CROSS JOIN ${t} ON ${isNewTask(sql`d.value`)}`),
        ]),
  ];
}

export function reindexTasks(
  changed: readonly ChangedTexts[],
  tokensMax: number = TOKENS_PER_BATCH_MAX,
): Statement<void>[] {
  const planned = planTokens(changed, tokensMax);
  const rows = changed.map(({ id, ws }, index) => ({ id, ws, ...planned[index] }));
  const rowid = toSearchRowid(sql`(d.value ->> 'ws')`, sql`(d.value ->> 'id')`);
  const places = JSON.stringify(rows.map(({ id, ws }) => ({ id, ws })));
  const waiting = rows.filter(({ waits }) => waits).map(({ id, ws }) => ({ id, ws }));
  return [
    write(sql`
      DELETE FROM ${taskSearch} WHERE rowid IN (SELECT ${rowid} FROM json_each(${places}) d)`),
    write(sql`
      INSERT INTO ${taskSearch} (rowid, ${taskSearch.grams})
      SELECT ${rowid}, d.value ->> 'tokens' FROM json_each(${JSON.stringify(rows)}) d`),
    ...(waiting.length === 0
      ? []
      : [
          insertWaitingTasks(sql`
            SELECT d.value ->> 'id', d.value ->> 'ws' FROM json_each(${JSON.stringify(waiting)}) d`),
        ]),
  ];
}

/**
 * Call this for tasks that were moved to another project. Until a later batch indexes them, searches read their text.
 * @param moved the new project of each task.
 */
export function requeueTasks(ws: number, moved: ReadonlyMap<number, number>): Statement<void>[] {
  const rows = [...moved].map(([id, project]) => [id, buildWaitingTokens(toTaskTokenOwner(ws), project)]);
  const listed = JSON.stringify(rows);
  const id = sql`(d.value ->> 0)`;
  const rowid = toSearchRowid(sql`CAST(${ws} AS INTEGER)`, id);
  return [
    write(sql`DELETE FROM ${taskSearch} WHERE rowid IN (SELECT ${rowid} FROM json_each(${listed}) d)`),
    write(sql`
      INSERT INTO ${taskSearch} (rowid, ${taskSearch.grams})
      SELECT ${rowid}, d.value ->> 1 FROM json_each(${listed}) d`),
    insertWaitingTasks(sql`SELECT ${id}, CAST(${ws} AS INTEGER) FROM json_each(${listed}) d`),
  ];
}

function insertWaitingTasks(waiting: SQL): Statement<void> {
  return {
    ...write(sql`INSERT OR IGNORE INTO ${nameInsertColumns(unindexedTasks, 'task', 'ws')} ${waiting}`),
    leavesWork: true,
  };
}
