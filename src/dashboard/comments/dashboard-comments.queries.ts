import type { Caller } from '../../kernel/access/access.ts';
import { type MergeOrder, mergePage, unionByKind } from '../../kernel/lists/merge-page.queries.ts';
import { isAfter, type PageRange } from '../../kernel/lists/pagination.ts';
import { readNumber, readRows, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { comments } from '../../schema/cell/comments.ts';
import { projects } from '../../schema/cell/projects.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { buildContentColumns } from '../../tasks/comment-contents/long-contents.queries.ts';
import { type CommentContentRow, getInlineBytesMax } from '../../tasks/comment-contents/long-contents.ts';
import {
  buildMentionedPeopleColumn,
  type RowWithMentions,
} from '../../tasks/mentions/mentioned-people.queries.ts';
import { buildScopeTables, type ScopeFilter } from '../scope/scope.queries.ts';
import { buildScopeSources, type ScopeSources } from '../scope/scope-sources.queries.ts';
import { buildCommentTotal, type DayRange } from './comment-totals.queries.ts';

const c = aliasTable(comments, 'c');
const e = aliasTable(comments, 'e');
const m = aliasTable(members, 'm');
const p = aliasTable(projects, 'p');
const t = aliasTable(tasks, 't');

export type CommentFilter = ScopeFilter & DayRange;

export function countDashboardComments(caller: Caller, filter: CommentFilter): Statement<number> {
  const summed = buildCommentTotal(caller, buildScopeSources(caller, filter), filter);
  return readNumber(sql`
    WITH RECURSIVE ${buildScopeTables(caller, filter)}, ${summed.tables} ${summed.total}`);
}

const commentColumns = selectColumns({
  id: c.id,
  created_at: c.created_at,
  author_id: m.user_id,
  author_name: m.name,
  author_email: m.email,
  author_image: m.image,
  task_id: t.id,
  task_name: t.name,
  project_id: p.id,
  project_name: p.name,
});
export type DashboardCommentRow = Row<typeof commentColumns> & CommentContentRow & RowWithMentions;

export function listDashboardComments(
  caller: Caller,
  filter: CommentFilter,
  range: PageRange,
): Statement<DashboardCommentRow[]> {
  const { tables, ids } = buildCommentIdQuery(caller, filter, range);
  return listCommentPage(caller, sql`${buildScopeTables(caller, filter)}, ${tables}`, ids, range.limit + 1);
}

export function listCommentsByIds(caller: Caller, ids: readonly number[]): Statement<DashboardCommentRow[]> {
  const found = sql`SELECT j.value AS id FROM json_each(${JSON.stringify(ids)}) j`;
  return listCommentPage(caller, sql`found (id) AS (${found})`, sql`SELECT id FROM found`, ids.length);
}

export function listCommentPage(caller: Caller, tables: SQL, ids: SQL, rowsMax: number) {
  const isShort = sql`${c.bytes} <= ${getInlineBytesMax(rowsMax)}`;
  return readRows(sql`
    WITH RECURSIVE ${tables}, page (id) AS MATERIALIZED (${ids})
    SELECT ${commentColumns}, ${buildContentColumns(isShort)}, ${buildMentionedPeopleColumn(c.ws, c.content, isShort)}
    FROM page CROSS JOIN ${c} ON ${c.id} = page.id AND ${c.ws} = ${caller.workspace}
    CROSS JOIN ${m} ON ${m.no} = ${c.author}
    CROSS JOIN ${t} ON ${t.id} = ${c.task} AND ${t.project} = ${c.project}
    CROSS JOIN ${p} ON ${p.id} = ${t.project}
    ORDER BY ${c.id} DESC`);
}

interface CommentIdQuery {
  tables: SQL;
  ids: SQL;
}

/** Newer comments have higher ids, so a range of days is a range of ids. */
export function selectBoundaryId(
  caller: Caller,
  day: string | undefined,
  which: 'first' | 'last',
): SQL | null {
  if (day === undefined) return null;
  const compared = sql.raw(which === 'first' ? '>=' : '<=');
  const direction = sql.raw(which === 'first' ? 'ASC' : 'DESC');
  return sql`(
    SELECT ${e.id} FROM ${e} INDEXED BY comments_by_day WHERE ${e.ws} = ${caller.workspace}
    AND ${e.day} ${compared} ${day} ORDER BY ${e.day} ${direction}, ${e.id} ${direction} LIMIT 1)`;
}

/** `m` is a row of `ranges`. `comments` contains the FROM and WHERE clauses for the comments in that range. */
interface CommentRanges {
  ranges: SQL;
  comments: SQL;
}

function buildCommentRanges({ projects, assignees, both }: ScopeSources): CommentRanges[] {
  const ofProject = sql`
    ${c} INDEXED BY comments_by_project WHERE ${c.archived} = 0 AND ${c.project} = m.project`;
  const ofAssignee = sql`
    ${c} INDEXED BY comments_by_assignee WHERE ${c.archived} = 0 AND ${c.assignee} > 0
      AND ${c.assignee} = m.member`;
  const ofBoth = sql`
    ${c} INDEXED BY comments_by_assignee_project
    WHERE ${c.archived} = 0 AND ${c.assignee} > 0 AND ${c.assignee} = m.member AND ${c.project} = m.project`;
  return [
    ...(projects
      ? [{ ranges: sql`SELECT 0 AS member, pr.id AS project FROM (${projects}) pr`, comments: ofProject }]
      : []),
    ...(assignees
      ? [{ ranges: sql`SELECT pp.no AS member, 0 AS project FROM (${assignees}) pp`, comments: ofAssignee }]
      : []),
    ...both.map(({ people, projects: within }) => ({
      ranges: sql`SELECT pp.no AS member, pr.id AS project FROM (${within}) pr CROSS JOIN (${people}) pp`,
      comments: ofBoth,
    })),
  ];
}

const newestFirstOrder: MergeOrder = {
  columns: ['member', 'project'],
  isDescending: true,
  end: sql`-1`,
  id: sql`key`,
};

function buildCommentIdQuery(caller: Caller, filter: CommentFilter, range: PageRange): CommentIdQuery {
  const scope = buildScopeSources(caller, filter);
  const [from, to] = [
    selectBoundaryId(caller, filter.from, 'first'),
    selectBoundaryId(caller, filter.to, 'last'),
  ];
  const since = from ? sql`AND ${c.id} >= (SELECT first FROM edges)` : sql``;
  const until = to ? sql`AND ${c.id} <= (SELECT last FROM edges)` : sql``;
  const behindCursor = isAfter(range, [{ column: c.id, isDescending: true }]);
  const sources = buildCommentRanges(scope);
  const readers = sources.map(({ comments }) => {
    const newest = (below: SQL) =>
      sql`(SELECT ${c.id} FROM ${comments} ${since} ${below} ORDER BY ${c.id} DESC LIMIT 1)`;
    return { first: newest(sql`${until} AND ${behindCursor}`), next: newest(sql`AND ${c.id} < m.key`) };
  });
  const ranges = unionByKind(sources.map((source) => source.ranges));
  return {
    tables: sql`edges (first, last) AS MATERIALIZED (SELECT ${from ?? sql`NULL`}, ${to ?? sql`NULL`})`,
    ids: mergePage({ ranges, readers, repeatsMax: scope.overlap !== null ? 2 : 1 }, newestFirstOrder, range),
  };
}
