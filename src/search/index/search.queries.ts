import type { Caller } from '../../kernel/access/access.ts';
import { readRows, type Statement } from '../../kernel/sql/database.ts';
import {
  aliasTable,
  type Columns,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { detailSearch, taskSearch, waitingDetails } from '../../schema/cell/search.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { selectDescriptionKey, selectDescriptionKeyBytes } from '../../tasks/texts/task-texts.queries.ts';
import type { TaskAlias } from '../../tasks/visibility/task-visibility.queries.ts';
import { detailsContain, waitingDetailsContain } from './detail-search.queries.ts';
import { buildIndexQueries, type IndexQuery, toTaskTokenOwner } from './ngrams.ts';
import { TASK_ID_MASK, toSearchRowid } from './search-index.queries.ts';
import { toSearchKey } from './search-key.ts';

const ds = aliasTable(detailSearch, 's');
const s = aliasTable(taskSearch, 's');
const t = aliasTable(tasks, 't');
const w = aliasTable(waitingDetails, 'w');

/** A part of a search. One batch reads the newest `limit` candidates that are older than `before`. */
export interface SearchPart {
  readonly query: IndexQuery;
  readonly pattern: string;
  readonly archived: number;
  readonly before: number | null;
  readonly limit: number;
  readonly limitMax: number;
  /**
   * Set if the part covers text other than names and descriptions. `getNextPart` returns null for such a part.
   */
  readonly details?: 'indexed' | 'waiting';
}

const USUAL_CANDIDATES_MAX = 20_000;
/**
 * Lower than the usual limit, because a pattern of one or two characters matches nearly every task, and a search reads
 * every match.
 */
const SHORT_PATTERN_CANDIDATES_MAX = 6_000;
const SHORT_PATTERN_CHARACTERS_MAX = 2;
const LARGE_TEXT_CANDIDATES_IN_FIRST_PART = 100;
const LARGE_TEXT_BYTES_PER_PART_MAX = 8_000_000;
const PART_GROWTH_MAX = 4;
const DETAIL_CANDIDATES_MAX = { indexed: 2_000, waiting: 200 };

/** Builds the parts that a search reads first. They usually contain every match. */
export function buildFirstParts(
  caller: Caller,
  search: string,
  {
    isArchived,
    projectId,
    hasDetails = false,
  }: {
    isArchived: boolean;
    projectId?: number | undefined;
    hasDetails?: boolean | undefined;
  },
): SearchPart[] {
  const [pattern, archived] = [toSearchKey(search), isArchived ? 1 : 0];
  const { usual, large } = buildIndexQueries(toTaskTokenOwner(caller.workspace), pattern, projectId);
  const limitMax =
    pattern.length > SHORT_PATTERN_CHARACTERS_MAX ? USUAL_CANDIDATES_MAX : SHORT_PATTERN_CANDIDATES_MAX;
  const part = { pattern, archived, before: null, limitMax };
  return [
    { ...part, query: usual, limit: limitMax },
    { ...part, query: large, limit: LARGE_TEXT_CANDIDATES_IN_FIRST_PART },
    ...(hasDetails ? buildDetailParts(part, { usual, large }) : []),
  ];
}

function buildDetailParts(
  part: Pick<SearchPart, 'pattern' | 'archived' | 'before'>,
  { usual, large }: Record<'usual' | 'large', IndexQuery>,
): SearchPart[] {
  const query = { match: `(${usual.match}) OR (${large.match})`, isExact: false };
  return (['indexed', 'waiting'] as const).map((details) => {
    const limit = DETAIL_CANDIDATES_MAX[details];
    return { ...part, query, limit, limitMax: limit, details };
  });
}

const progressColumns = selectColumns({
  candidates: withType<number>(sql`count(*)`),
  reached: withType<number | null>(sql`min(task)`),
  bytes: withType<number>(sql`total(bytes)`),
});
export type PartProgress = Row<typeof progressColumns>;

export function getNextPart(
  part: SearchPart,
  { candidates, reached, bytes }: PartProgress,
): SearchPart | null {
  if (candidates < part.limit || reached === null || part.details !== undefined) return null;
  if (part.limit >= part.limitMax) return { ...part, before: reached };
  const fitting = Math.floor((part.limit * LARGE_TEXT_BYTES_PER_PART_MAX) / Math.max(1, bytes));
  const limit = Math.max(1, Math.min(fitting, part.limit * PART_GROWTH_MAX, part.limitMax));
  return { ...part, before: reached, limit };
}

/** The values of `text_check`: how a candidate's text must be compared. */
const TEXT_CHECK_VALUES = { none: 0, some: 1, indexed: 2, waiting: 3 };

function selectCandidates(caller: Caller, part: SearchPart, isWanted = sql`true`): SQL {
  const { query, before, limit, details } = part;
  const textCheck = sql.raw(String(TEXT_CHECK_VALUES[details ?? (query.isExact ? 'none' : 'some')]));
  // D1 binds numbers as REAL, and FTS5 silently ignores a range of REALs.
  const ws = sql`CAST(${caller.workspace} AS INTEGER)`;
  if (details === 'waiting') {
    return sql`
      SELECT * FROM (
        SELECT ${toSearchRowid(w.ws, w.task)} AS at, ${textCheck} AS text_check FROM ${w} WHERE ${w.ws} = ${ws}
        ORDER BY ${w.task} DESC LIMIT iif(${isWanted}, ${limit}, 0))`;
  }
  const last = before === null ? TASK_ID_MASK : sql`CAST(${before - 1} AS INTEGER)`;
  const isIndexed = details ? sql`${ds} WHERE detail_search MATCH` : sql`${s} WHERE task_search MATCH`;
  return sql`
    SELECT * FROM (
      SELECT s.rowid AS at, ${textCheck} AS text_check FROM ${isIndexed} ${query.match}
      AND s.rowid BETWEEN ${toSearchRowid(ws, sql`0`)} AND ${toSearchRowid(ws, last)}
      ORDER BY s.rowid DESC LIMIT iif(${isWanted}, ${limit}, 0))`;
}

/** Must be the last condition, because it reads the text, which is expensive. */
function matchesTask(caller: Caller, parts: readonly SearchPart[]): SQL {
  const [{ pattern, archived } = { pattern: '', archived: 0 }] = parts;
  return sql`
    ${t.ws} = ${caller.workspace} AND ${t.archived} = ${archived}
    AND ${matchesText(parts, pattern)}`;
}

/** If a task's name or description matches, its details aren't compared, so that it is found only once. */
function matchesText(parts: readonly SearchPart[], pattern: string): SQL {
  const isNamed = taskKeysContain(t, pattern);
  const found = new Set(parts.map(({ details = 'named' }) => details));
  const conditions = [
    ...(found.has('named') ? [sql`(c.text_check = 0 OR (c.text_check = 1 AND ${isNamed}))`] : []),
    ...(found.has('indexed')
      ? [sql`(c.text_check = 2 AND ${detailsContain(t, pattern)} AND NOT ${isNamed})`]
      : []),
    ...(found.has('waiting')
      ? [sql`(c.text_check = 3 AND ${waitingDetailsContain(t, pattern)} AND NOT ${isNamed})`]
      : []),
  ];
  return sql`(${sql.join(conditions, sql` OR `)})`;
}

/** For tasks that were selected without the search index. */
export function taskContainsText(t: TaskAlias, search: string): SQL {
  return taskKeysContain(t, toSearchKey(search));
}

function taskKeysContain(t: TaskAlias, pattern: string): SQL {
  return sql`(instr(${t.name_key}, ${pattern}) > 0 OR instr(${selectDescriptionKey(t)}, ${pattern}) > 0)`;
}

/**
 * Builds the FROM and WHERE clauses for the matching tasks `t`. With a single part, callers can add
 * `ORDER BY c.at DESC` to get the newest tasks first.
 */
export function buildMatchesFromClause(caller: Caller, parts: readonly SearchPart[], conditions: SQL): SQL {
  const table = sql.join(
    parts.map((part) => selectCandidates(caller, part)),
    sql` UNION ALL `,
  );
  return sql`
    (${table}) c CROSS JOIN ${t} ON ${t.id} = (c.at & ${TASK_ID_MASK})
    WHERE ${conditions} AND ${matchesTask(caller, parts)}`;
}

interface PartCountOptions<T> {
  tables?: SQL;
  conditions: SQL;
  columns: Columns<T>;
  isWanted?: SQL;
}

/** Returns one row per part. `columns` must aggregate the candidates' columns `project`, `due` and `found`. */
export function countPartMatches<T extends object>(
  caller: Caller,
  parts: readonly SearchPart[],
  { tables = sql``, conditions, columns, isWanted }: PartCountOptions<T>,
): Statement<(T & PartProgress)[]> {
  // The LIMIT makes SQLite compute the condition once per candidate instead of once for each column that uses it.
  const countPart = (part: SearchPart) => sql`
    SELECT ${columns}, ${progressColumns} FROM (
      SELECT c.at & ${TASK_ID_MASK} AS task, iif(c.text_check, ${selectDescriptionKeyBytes(t)}, 0) AS bytes,
        ${t.project} AS project,
        ${t.due} AS due, (${conditions} AND ${matchesTask(caller, [part])}) AS found
      FROM (${selectCandidates(caller, part, isWanted)}) c LEFT JOIN ${t} ON ${t.id} = (c.at & ${TASK_ID_MASK}) LIMIT -1)`;
  const found = sql.join(parts.map(countPart), sql` UNION ALL `);
  return readRows(withType<T & PartProgress>(sql`${tables} ${found}`));
}
