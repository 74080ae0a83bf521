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
  name: string;
  description: string | null;
}

/** What the index holds of a task. */
export function tokensOfTask(ws: number, archived: number, { name, description }: SearchTexts): string {
  return tokensOf(halfOf(ws, archived), [searchKeyOf(name), descriptionKeyOf(description)]);
}

/** Indexes the tasks that the same batch inserted; `texts` in the order of their ids, the last of which is the newest. */
export function indexNewTasks(ws: number, texts: readonly SearchTexts[]): Statement<void> {
  const tokens = JSON.stringify(texts.map((each) => tokensOfTask(ws, 0, each)));
  return write(sql`
    INSERT INTO ${taskSearch} (rowid, grams)
    SELECT ${searchRowid(t.ws, t.archived, t.id)}, d.value
    FROM json_each(${tokens}) d
    CROSS JOIN ${t} ON ${t.id} = (SELECT max(${tasks.id})
      FROM ${tasks}) - CAST(${texts.length} AS INTEGER) + 1 + d.key`);
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
