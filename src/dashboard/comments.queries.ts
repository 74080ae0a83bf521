import { type SQL, sql } from 'drizzle-orm';
import { searchedComments } from '../comments/comment-search.queries.ts';
import type { Caller } from '../kernel/access.ts';
import { number, rows, type Statement } from '../kernel/database.ts';
import { isAfter, limitOf, type Range } from '../kernel/pagination.ts';
import { isShown, type Sources, sourcesOf } from './comment-sources.queries.ts';
import { type DayRange, summedTotal } from './comment-totals.queries.ts';
import { type ScopeFilter, scopeTables } from './scope.queries.ts';

export interface CommentFilter extends ScopeFilter, DayRange {
  search?: string | undefined;
}

export function countDashboardComments(caller: Caller, filter: CommentFilter): Statement<number> {
  const tables = scopeTables(caller, filter);
  if (filter.search === undefined) {
    return number(sql`WITH RECURSIVE ${tables} ${summedTotal(caller, sourcesOf(caller, filter), filter)}`);
  }
  const found = foundComments(caller, filter, filter.search);
  return number(sql`
    WITH RECURSIVE ${tables}, ${found.tables} SELECT count(*) AS total FROM ${found.comments}`);
}

export interface DashboardCommentRow {
  id: number;
  content: string;
  created_at: number;
  author_id: string;
  author_name: string;
  author_email: string;
  author_image: string | null;
  task_id: number;
  task_name: string;
  project_id: number;
  project_name: string;
}

/** Newest first. */
export function listDashboardComments(
  caller: Caller,
  filter: CommentFilter,
  range: Range,
): Statement<DashboardCommentRow[]> {
  const { tables, ids } =
    filter.search === undefined
      ? mergedPage(caller, filter, range)
      : searchedPage(caller, filter, filter.search, range);
  return rows<DashboardCommentRow>(sql`
    WITH RECURSIVE ${scopeTables(caller, filter)}, ${tables}, page (id) AS MATERIALIZED (${ids})
    SELECT c.id AS id, c.content AS content, c.created_at AS created_at,
      m.user_id AS author_id, m.name AS author_name, m.email AS author_email, m.image AS author_image,
      t.id AS task_id, t.name AS task_name, p.id AS project_id, p.name AS project_name
    FROM page CROSS JOIN comments c ON c.id = page.id AND c.ws = ${caller.workspace}
    CROSS JOIN members m ON m.no = c.author
    CROSS JOIN tasks t ON t.id = c.task
    CROSS JOIN projects p ON p.id = t.project
    ORDER BY c.id DESC`);
}

/** A page: tables for its WITH, and a SELECT of the column `id`. */
interface PageOfIds {
  tables: SQL;
  ids: SQL;
}

/** Days are ranges of ids, since the comments of a workspace are in the order of their days. */
function edge(caller: Caller, day: string | undefined, which: 'first' | 'last'): SQL | null {
  if (day === undefined) return null;
  const compared = sql.raw(which === 'first' ? '>=' : '<=');
  const direction = sql.raw(which === 'first' ? 'ASC' : 'DESC');
  return sql`(
    SELECT e.id FROM comments e INDEXED BY comments_by_day WHERE e.ws = ${caller.workspace}
    AND e.day ${compared} ${day} ORDER BY e.day ${direction}, e.id ${direction} LIMIT 1)`;
}

const kinds = ['projects', 'assignees', 'both'] as const;

/** How to walk each kind of source `m`, by an index whose entries end with the id. */
const walks: Record<(typeof kinds)[number], { names: (rows: SQL) => SQL; comments: SQL }> = {
  projects: {
    names: (rows) => sql`SELECT 0 AS kind, 0 AS member, n.id AS project FROM (${rows}) n`,
    comments: sql`comments c INDEXED BY comments_by_project WHERE c.archived = 0 AND c.project = m.project`,
  },
  assignees: {
    names: (rows) => sql`SELECT 1 AS kind, n.no AS member, 0 AS project FROM (${rows}) n`,
    comments: sql`
      comments c INDEXED BY comments_by_member WHERE c.archived = 0 AND c.member > 0 AND c.member = m.member`,
  },
  both: {
    names: (rows) => sql`SELECT 2 AS kind, n.member AS member, n.project AS project FROM (${rows}) n`,
    comments: sql`
      comments c INDEXED BY comments_by_member_project
      WHERE c.archived = 0 AND c.member > 0 AND c.member = m.member AND c.project = m.project`,
  },
};

/** The same k-way merge as in tasks/pages: a queue that holds the newest unread comment of every source. */
function mergedPage(caller: Caller, filter: CommentFilter, range: Range): PageOfIds {
  const sources: Sources = sourcesOf(caller, filter);
  const used = kinds.flatMap((kind) => {
    const names = sources[kind];
    return names === null ? [] : [{ kind, names }];
  });
  const [from, to] = [edge(caller, filter.from, 'first'), edge(caller, filter.to, 'last')];
  const since = from ? sql`AND c.id >= (SELECT first FROM edges)` : sql``;
  const until = to ? sql`AND c.id <= (SELECT last FROM edges)` : sql``;
  const next = (below: SQL) => {
    const cases = used.map(
      ({ kind }) => sql`
        WHEN ${sql.raw(String(kinds.indexOf(kind)))} THEN (
          SELECT c.id FROM ${walks[kind].comments} ${since} ${below} ORDER BY c.id DESC LIMIT 1)`,
    );
    return sql`CASE m.kind ${sql.join(cases, sql` `)} END`;
  };
  const behindCursor = isAfter(range, [{ column: sql`c.id`, isDescending: true }]);
  // A comment that two sources hold comes twice, next to itself.
  const mayRepeat = sources.overlap !== null;
  const steps = mayRepeat ? sql`LIMIT ${2 * (range.offset + range.limit + 1)}` : limitOf(range);
  const distinct = mayRepeat ? sql`GROUP BY id ORDER BY id DESC ${limitOf(range)}` : sql``;
  const names = used.map(({ kind, names }) => walks[kind].names(names));
  return {
    tables: sql`
      edges (first, last) AS MATERIALIZED (SELECT ${from ?? sql`NULL`}, ${to ?? sql`NULL`}),
      sources (kind, member, project) AS MATERIALIZED (${sql.join(names, sql` UNION ALL `)}),
      stream (id, kind, member, project) AS (
        SELECT ${next(sql`${until} AND ${behindCursor}`)}, m.kind, m.member, m.project FROM sources m
        UNION ALL
        SELECT ${next(sql`AND c.id < m.id`)}, m.kind, m.member, m.project FROM stream m WHERE m.id IS NOT NULL
        ORDER BY 1 DESC ${steps})`,
    ids: sql`SELECT id FROM stream WHERE id IS NOT NULL ${distinct}`,
  };
}

/** FROM and WHERE of what a search finds in the scope: comments `c` with their rows `s` of the index. */
function foundComments(caller: Caller, filter: CommentFilter, search: string) {
  const { tables, condition } = isShown(caller, filter);
  const ids = {
    from: sql`coalesce(${edge(caller, filter.from, 'first') ?? sql`NULL`}, ${filter.from === undefined ? sql`0` : NOTHING})`,
    to: sql`coalesce(${edge(caller, filter.to, 'last') ?? sql`NULL`}, ${filter.to === undefined ? NOTHING : sql`0`})`,
  };
  return {
    tables,
    comments: sql`${searchedComments(caller.workspace, search, ids)} AND c.archived = 0 AND ${condition}`,
  };
}

/** Above every id: a first id that ends a range before it begins, a last one that ends none. */
const NOTHING = sql.raw('4294967295');

function searchedPage(caller: Caller, filter: CommentFilter, search: string, range: Range): PageOfIds {
  const { tables, comments } = foundComments(caller, filter, search);
  return {
    tables,
    ids: sql`
      SELECT c.id FROM ${comments} AND ${isAfter(range, [{ column: sql`c.id`, isDescending: true }])}
      ORDER BY s.rowid DESC ${limitOf(range)}`,
  };
}
