import { comments } from '../comments/comments.sql.ts';
import {
  coversWorkspace,
  isIn,
  listed,
  picksPeople,
  type ScopeFilter,
  seesPeople,
} from '../dashboard-scope/scope.queries.ts';
import { elsewhere } from '../dashboard-scope/scope-sources.queries.ts';
import type { Caller } from '../kernel/access.ts';
import { names, type SQL, sql } from '../kernel/sql.ts';

const c = names(comments, 'c');

/**
 * The sources of the dashboard as a condition on a comment `c`, for the comments that a search finds. It looks into texts:
 * a look into a table would count as a row each time.
 */
export function isShown(caller: Caller, filter: ScopeFilter): { tables: SQL; condition: SQL } {
  const tables = sql`elsewhere_list (ids) AS MATERIALIZED (${listed('id', elsewhere(caller, filter))})`;
  const inMine = coversWorkspace(filter) ? sql`true` : isIn('my_project_list', c.project);
  const ofSeen = sql`(${isIn('seen_list', c.assignee)} AND ${isIn('elsewhere_list', c.project)})`;
  const shown = seesPeople(filter) ? sql`(${inMine} OR ${ofSeen})` : inMine;
  const picked = picksPeople(filter) ? isIn('picked_list', c.assignee) : sql`true`;
  return { tables, condition: sql`(${shown} AND ${picked})` };
}
