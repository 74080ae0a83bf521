import type { Caller } from '../../kernel/access/access.ts';
import { rows, type Statement } from '../../kernel/sql/database.ts';
import { type Columns, columns, names, type Row, type SQL, sql, typed } from '../../kernel/sql/sql.ts';
import { taskSearch } from '../../schema/cell/search.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { descriptionKeyBytes, descriptionKeyOfTask } from '../../tasks/texts/task-texts.queries.ts';
import type { TaskNames } from '../../tasks/visibility/task-visibility.queries.ts';
import { ownerOfTasks, type Question, questionsFor } from './grams.ts';
import { searchRowid, TASK_BITS } from './search-index.queries.ts';
import { searchKeyOf } from './search-key.ts';

const s = names(taskSearch, 's');
const t = names(tasks, 't');

/** A part of a search that holds the database only for a moment: the newest `limit` candidates before a task. */
export interface Part {
  readonly question: Question;
  /** The folded search. */
  readonly pattern: string;
  readonly archived: number;
  readonly before: number | null;
  readonly limit: number;
  /** What the limits of later parts grow to. */
  readonly limitMax: number;
}

/** Candidates of a part; limits rows if few texts are read, and the bytes of texts if many are. */
const USUAL_MAX = 20_000;
/** One or two characters find nearly every task, and what is found is looked at. */
const SHORT_MAX = 6_000;
const SHORT_CHARACTERS_MAX = 2;
const LARGE_FIRST = 100;
const LARGE_BYTES_MAX = 8_000_000;
const GROWTH_MAX = 4;

/** The first parts of a search. Nearly always they are all of it. */
export function firstParts(
  caller: Caller,
  search: string,
  { isArchived, projectId }: { isArchived: boolean; projectId?: number | undefined },
): Part[] {
  const [pattern, archived] = [searchKeyOf(search), isArchived ? 1 : 0];
  const { usual, large } = questionsFor(ownerOfTasks(caller.workspace), pattern, projectId);
  const limitMax = pattern.length > SHORT_CHARACTERS_MAX ? USUAL_MAX : SHORT_MAX;
  const part = { pattern, archived, before: null, limitMax };
  return [
    { ...part, question: usual, limit: limitMax },
    { ...part, question: large, limit: LARGE_FIRST },
  ];
}

const progressColumns = columns({
  candidates: typed<number>(sql`count(*)`),
  /** The oldest of them. */
  reached: typed<number | null>(sql`min(task)`),
  bytes: typed<number>(sql`total(bytes)`),
});
/** The progress of a part. */
export type Progress = Row<typeof progressColumns>;

/** The next part; null if nothing is left. */
export function nextPart(part: Part, { candidates, reached, bytes }: Progress): Part | null {
  if (candidates < part.limit || reached === null) return null;
  if (part.limit >= part.limitMax) return { ...part, before: reached };
  const fitting = Math.floor((part.limit * LARGE_BYTES_MAX) / Math.max(1, bytes));
  const limit = Math.max(1, Math.min(fitting, part.limit * GROWTH_MAX, part.limitMax));
  return { ...part, before: reached, limit };
}

/**
 * A table of the rows `at` of a part, newest first, and whether the texts have to be read (`doubt`).
 * @param isWanted condition without which there are none.
 */
function candidates(caller: Caller, { question, before, limit }: Part, isWanted = sql`true`): SQL {
  // The CASTs matter: D1 binds numbers as REAL, and FTS5 ignores a range of REALs silently.
  const ws = sql`CAST(${caller.workspace} AS INTEGER)`;
  const last = before === null ? TASK_BITS : sql`CAST(${before - 1} AS INTEGER)`;
  return sql`
    SELECT * FROM (
      SELECT s.rowid AS at, ${sql.raw(question.isExact ? '0' : '1')} AS doubt FROM ${s}
      WHERE task_search MATCH ${question.match}
      AND s.rowid BETWEEN ${searchRowid(ws, sql`0`)} AND ${searchRowid(ws, last)}
      ORDER BY s.rowid DESC LIMIT iif(${isWanted}, ${limit}, 0))`;
}

/**
 * Condition: the candidate is an archived, or unarchived, task of the caller's workspace that holds the pattern. Put it
 * last: it reads texts.
 */
function holds(caller: Caller, { pattern, archived }: Pick<Part, 'pattern' | 'archived'>): SQL {
  return sql`
    ${t.ws} = ${caller.workspace} AND ${t.archived} = ${archived}
    AND (c.doubt = 0 OR instr(${t.name_key}, ${pattern}) > 0 OR instr(${descriptionKeyOfTask(t)}, ${pattern}) > 0)`;
}

/** Condition on a task that was found without the index: its name or description contains the text. */
export function containsText(t: TaskNames, search: string): SQL {
  const pattern = searchKeyOf(search);
  return sql`(instr(${t.name_key}, ${pattern}) > 0 OR instr(${descriptionKeyOfTask(t)}, ${pattern}) > 0)`;
}

/** FROM and WHERE of what the parts of one search find: tasks `t`, of one part the newest first by `c.at DESC`. */
export function searchedTasks(caller: Caller, parts: readonly Part[], conditions: SQL): SQL {
  const [first = { pattern: '', archived: 0 }] = parts;
  const table = sql.join(
    parts.map((part) => candidates(caller, part)),
    sql` UNION ALL `,
  );
  return sql`
    (${table}) c CROSS JOIN ${t} ON ${t.id} = (c.at & ${TASK_BITS})
    WHERE ${conditions} AND ${holds(caller, first)}`;
}

interface Tally<T> {
  /** What the conditions read, as a WITH. */
  tables?: SQL;
  /** On each task `t`. */
  conditions: SQL;
  columns: Columns<T>;
  /** Condition without which nothing is counted. */
  isWanted?: SQL;
}

/** One row a part: its progress, and `columns`, aggregates over the columns `project`, `due` and `found` of candidates. */
export function tally<T extends object>(
  caller: Caller,
  parts: readonly Part[],
  { tables = sql``, conditions, columns, isWanted }: Tally<T>,
): Statement<(T & Progress)[]> {
  // With the LIMIT the condition is computed once a candidate, however many columns use it.
  const ofPart = (part: Part) => sql`
    SELECT ${columns}, ${progressColumns} FROM (
      SELECT c.at & ${TASK_BITS} AS task, iif(c.doubt, ${descriptionKeyBytes(t)}, 0) AS bytes,
        ${t.project} AS project,
        ${t.due} AS due, (${conditions} AND ${holds(caller, part)}) AS found
      FROM (${candidates(caller, part, isWanted)}) c LEFT JOIN ${t} ON ${t.id} = (c.at & ${TASK_BITS}) LIMIT -1)`;
  const found = sql.join(parts.map(ofPart), sql` UNION ALL `);
  return rows(typed<T & Progress>(sql`${tables} ${found}`));
}
