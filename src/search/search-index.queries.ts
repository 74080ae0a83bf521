import { type Statement, write } from '../kernel/database.ts';
import { names, type SQL, sql } from '../kernel/sql.ts';
import { tasks } from '../task-model/tasks.sql.ts';
import { halfOf, tokensOf } from './grams.ts';
import { taskSearch } from './search.sql.ts';
import { descriptionKeyOf, searchKeyOf } from './search-key.ts';

const t = names(tasks, 't');

/** Rows of the index are numbered by half (grams.ts) and task: newer tasks of a half have higher numbers. */
export function searchRowid(ws: SQL, archived: SQL, task: SQL): SQL {
  return sql`(((${ws} * 2 + ${archived}) << 32) | ${task})`;
}

export const TASK_BITS = sql.raw('4294967295');

export interface SearchTexts {
  project: number;
  name: string;
  description: string | null;
}

/** What the index holds of a task. */
export function tokensOfTask(
  ws: number,
  archived: number,
  { project, name, description }: SearchTexts,
): string {
  return tokensOf(halfOf(ws, archived), [searchKeyOf(name), descriptionKeyOf(description)], project);
}

/** Tokens are several times as long as their texts, and D1 takes 2 MB a parameter. */
const TOKENS_BYTES_MAX = 1_000_000;

/** Parts of a list whose tokens fit into a parameter each, with the place of their first item. */
function partsOf<T extends { tokens: string }>(items: readonly T[]): { from: number; items: T[] }[] {
  const parts: { from: number; items: T[]; bytes: number }[] = [];
  for (const [index, item] of items.entries()) {
    const last = parts.at(-1);
    if (last && last.bytes + item.tokens.length <= TOKENS_BYTES_MAX) {
      last.items.push(item);
      last.bytes += item.tokens.length;
    } else parts.push({ from: index, items: [item], bytes: item.tokens.length });
  }
  return parts;
}

/** Indexes the tasks that the same batch inserted; `texts` in the order of their ids, the last of which is the newest. */
export function indexNewTasks(ws: number, texts: readonly SearchTexts[]): Statement<void>[] {
  const tokens = texts.map((each) => ({ tokens: tokensOfTask(ws, 0, each) }));
  return partsOf(tokens).map(({ from, items }) =>
    write(sql`
      INSERT INTO ${taskSearch} (rowid, grams)
      SELECT ${searchRowid(t.ws, t.archived, t.id)}, d.value
      FROM json_each(${JSON.stringify(items.map((each) => each.tokens))}) d
      CROSS JOIN ${t} ON ${t.id} = (SELECT max(${tasks.id})
        FROM ${tasks}) - CAST(${texts.length - from} AS INTEGER) + 1 + d.key`),
  );
}

export interface ReindexedTask {
  id: number;
  ws: number;
  from: { archived: number };
  to: SearchTexts & { archived: number };
}

/** Does the same as `reindexTask` for many tasks. */
export function reindexTasks(changed: readonly ReindexedTask[]): Statement<void>[] {
  const rowid = (archived: SQL) => searchRowid(sql`(d.value ->> 'ws')`, archived, sql`(d.value ->> 'id')`);
  const rows = changed.map(({ id, ws, from, to }) => ({
    id,
    ws,
    from: from.archived,
    to: to.archived,
    tokens: tokensOfTask(ws, to.archived, to),
  }));
  const places = JSON.stringify(rows.map(({ tokens: _, ...place }) => place));
  return [
    write(sql`
      DELETE FROM ${taskSearch} WHERE rowid IN (
        SELECT ${rowid(sql`(d.value ->> 'from')`)} FROM json_each(${places}) d)`),
    ...partsOf(rows).map(({ items }) =>
      write(sql`
        INSERT INTO ${taskSearch} (rowid, ${taskSearch.grams})
        SELECT ${rowid(sql`(d.value ->> 'to')`)}, d.value ->> 'tokens' FROM json_each(${JSON.stringify(items)}) d`),
    ),
  ];
}

/** Replaces a task's texts, or moves them between the archived and the other half of the index. */
export function reindexTask(
  task: { id: number; ws: number },
  from: { archived: number },
  to: SearchTexts & { archived: number },
): Statement<void>[] {
  // The casts matter: D1 binds numbers as REAL.
  const rowid = (archived: number) =>
    searchRowid(
      sql`CAST(${task.ws} AS INTEGER)`,
      sql.raw(String(archived)),
      sql`CAST(${task.id} AS INTEGER)`,
    );
  return [
    write(sql`DELETE FROM ${taskSearch} WHERE rowid = ${rowid(from.archived)}`),
    write(sql`
      INSERT INTO ${taskSearch} (rowid, ${taskSearch.grams})
        VALUES (${rowid(to.archived)}, ${tokensOfTask(task.ws, to.archived, to)})`),
  ];
}
