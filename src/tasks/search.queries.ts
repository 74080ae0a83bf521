import { type SQL, sql } from 'drizzle-orm';
import type { Caller } from '../kernel/access.ts';
import { number, type Statement, write } from '../kernel/database.ts';
import { isAfter, limitOf, type Range } from '../kernel/pagination.ts';
import { BUCKETS } from './buckets.ts';
import { bucketList, memberNumber } from './counts.queries.ts';
import { fold, foldPadded } from './fold.ts';
import { needsMine, type PageFilter } from './pages.queries.ts';
import { plainText } from './rich-text.ts';
import { isMine } from './visibility.queries.ts';

/** Rows of the index are numbered by workspace and archived flag, so that a range of numbers is one tenant's part. */
export function searchRowid(ws: SQL, archived: SQL, task: SQL): SQL {
  return sql`(((${ws} * 2 + ${archived}) << 32) | ${task})`;
}

export const TASK_BITS = sql.raw('4294967295');

/** A trigram index answers three characters and more; shorter terms are the beginnings of trigrams. */
const TRIGRAM = 3;

function matchExpression(search: string): SQL {
  const folded = fold(search);
  if ([...folded].length >= TRIGRAM) return sql`${quote(folded)}`;
  // Without a match the list is NULL, and FTS5 finds nothing for an empty phrase.
  return sql`coalesce((
    SELECT group_concat('"' || replace(st.term, '"', '""') || '"', ' OR ') FROM task_search_terms st
    WHERE st.term >= ${folded} AND st.term < ${folded} || char(1114111)), '""')`;
}

/** User text is a phrase, never FTS syntax. */
export function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/**
 * FROM and WHERE of a search: matches `s` with their tasks `t`, archived or not.
 * The CASTs matter: D1 binds numbers as REAL, and FTS5 ignores a range of REALs silently.
 */
export function searchedTasks(caller: Caller, search: string, isArchived: boolean): SQL {
  const ws = sql`CAST(${caller.workspace} AS INTEGER)`;
  const archived = sql.raw(isArchived ? '1' : '0');
  return sql`
    task_search s CROSS JOIN tasks t ON t.id = (s.rowid & ${TASK_BITS})
    WHERE task_search MATCH ${matchExpression(search)}
    AND s.rowid BETWEEN ${searchRowid(ws, archived, sql`0`)} AND ${searchRowid(ws, archived, TASK_BITS)}
    AND t.ws = ${caller.workspace}`;
}

function matches(caller: Caller, search: string, filter: PageFilter): SQL {
  const isArchived = filter.buckets.some((bucket) => bucket >= BUCKETS / 2);
  const conditions = [searchedTasks(caller, search, isArchived), sql`t.k IN ${bucketList(filter.buckets)}`];
  if (filter.projectId !== undefined) conditions.push(sql`t.project = ${filter.projectId}`);
  if (filter.assigneeId !== undefined) {
    conditions.push(sql`t.member = ${memberNumber(caller, filter.assigneeId)}`);
  }
  if (needsMine(caller, filter)) conditions.push(isMine(caller));
  return sql.join(conditions, sql` AND `);
}

/** Selects the column `id` of one page of matching tasks, newest first. */
export function searchPageIds(caller: Caller, search: string, filter: PageFilter, range: Range): SQL {
  return sql`
    SELECT t.id AS id FROM ${matches(caller, search, filter)}
    AND ${isAfter(range, [{ column: sql`t.id`, isDescending: true }])} ORDER BY s.rowid DESC ${limitOf(range)}`;
}

export function countMatches(caller: Caller, search: string, filter: PageFilter): Statement<number> {
  return number(sql`SELECT count(*) AS total FROM ${matches(caller, search, filter)}`);
}

export interface SearchTexts {
  name: string;
  description: string | null;
}

/** Texts as the index holds them. */
export function searchColumns({ name, description }: SearchTexts): [string, string] {
  return [foldPadded(name), foldPadded(description === null ? '' : plainText(description))];
}

/** Indexes the tasks that the same batch inserted; `texts` in the order of their ids, the last of which is the newest. */
export function indexNewTasks(texts: readonly SearchTexts[]): Statement<void> {
  const folded = JSON.stringify(texts.map(searchColumns));
  return write(sql`
    INSERT INTO task_search (rowid, name, description)
    SELECT ${searchRowid(sql`t.ws`, sql`t.archived`, sql`t.id`)}, json_extract(d.value, '$[0]'), json_extract(d.value, '$[1]')
    FROM json_each(${folded}) d
    CROSS JOIN tasks t ON t.id = (SELECT max(id) FROM tasks) - CAST(${texts.length} AS INTEGER) + 1 + d.key`);
}

/** Replaces a task's texts, or moves them between the archived and the other half of the index. */
export function reindexTask(
  task: { id: number; ws: number },
  from: { archived: number },
  to: SearchTexts & { archived: number },
): Statement<void>[] {
  const rowid = (archived: number) =>
    searchRowid(
      sql`CAST(${task.ws} AS INTEGER)`,
      sql.raw(String(archived)),
      sql`CAST(${task.id} AS INTEGER)`,
    );
  const [name, description] = searchColumns(to);
  return [
    write(sql`DELETE FROM task_search WHERE rowid = ${rowid(from.archived)}`),
    write(sql`
      INSERT INTO task_search (rowid, name, description) VALUES (${rowid(to.archived)}, ${name}, ${description})`),
  ];
}
