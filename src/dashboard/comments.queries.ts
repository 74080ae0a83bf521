import { type SQL, sql } from 'drizzle-orm';
import type { Caller } from '../kernel/access.ts';
import { number, rows, type Statement } from '../kernel/database.ts';
import { isAfter, limitOf, type Range } from '../kernel/pagination.ts';
import { fold } from '../tasks/fold.ts';
import { inScope, type ScopeFilter, scopeTables } from './scope.queries.ts';

export interface CommentFilter extends ScopeFilter {
  search?: string | undefined;
  /** Instants: from the first included to the first excluded. */
  since?: number | undefined;
  until?: number | undefined;
}

function comments(caller: Caller, filter: CommentFilter): SQL {
  const conditions = [
    sql`c.ws = ${caller.workspace}`,
    sql`t.archived = 0`,
    inScope(caller, filter, sql`t.project`, sql`t.member`),
  ];
  if (filter.search !== undefined) conditions.push(sql`instr(c.content_key, ${fold(filter.search)}) > 0`);
  if (filter.since !== undefined) conditions.push(sql`c.created_at >= ${filter.since}`);
  if (filter.until !== undefined) conditions.push(sql`c.created_at < ${filter.until}`);
  return sql`
    comments c INDEXED BY comments_by_workspace CROSS JOIN tasks t ON t.id = c.task
    WHERE ${sql.join(conditions, sql` AND `)}`;
}

export function countDashboardComments(caller: Caller, filter: CommentFilter): Statement<number> {
  return number(sql`
    WITH RECURSIVE ${scopeTables(caller, filter)} SELECT count(*) AS total FROM ${comments(caller, filter)}`);
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
  return rows<DashboardCommentRow>(sql`
    WITH RECURSIVE ${scopeTables(caller, filter)},
    page (id) AS MATERIALIZED (
      SELECT c.id FROM ${comments(caller, filter)} AND ${isAfter(range, [{ column: sql`c.id`, isDescending: true }])}
      ORDER BY c.id DESC ${limitOf(range)})
    SELECT c.id AS id, c.content AS content, c.created_at AS created_at,
      m.user_id AS author_id, m.name AS author_name, m.email AS author_email, m.image AS author_image,
      t.id AS task_id, t.name AS task_name, p.id AS project_id, p.name AS project_name
    FROM page CROSS JOIN comments c ON c.id = page.id
    CROSS JOIN members m ON m.no = c.author
    CROSS JOIN tasks t ON t.id = c.task
    CROSS JOIN projects p ON p.id = t.project
    ORDER BY c.id DESC`);
}
