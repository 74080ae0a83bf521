import type { Caller } from '../../kernel/access/access.ts';
import { names, type SQL, sql } from '../../kernel/sql/sql.ts';
import { comments } from '../../schema/cell/comments.ts';
import {
  coversWorkspace,
  isIn,
  listed,
  picksPeople,
  type ScopeFilter,
  seesPeople,
} from '../scope/scope.queries.ts';
import { elsewhere } from '../scope/scope-sources.queries.ts';

const c = names(comments, 'c');

/**
 * Condition on a comment `c` that a search found: it is in the scope of the dashboard. It checks numbers in a text, because
 * each lookup in a table would count as a row.
 */
export function isShown(caller: Caller, filter: ScopeFilter): { tables: SQL; condition: SQL } {
  const tables = sql`elsewhere_list (ids) AS MATERIALIZED (${listed('id', elsewhere(caller, filter))})`;
  const inMine = coversWorkspace(filter) ? sql`true` : isIn('my_project_list', c.project);
  const ofSeen = sql`(${isIn('seen_list', c.assignee)} AND ${isIn('elsewhere_list', c.project)})`;
  const shown = seesPeople(filter) ? sql`(${inMine} OR ${ofSeen})` : inMine;
  const picked = picksPeople(filter) ? isIn('picked_list', c.assignee) : sql`true`;
  return { tables, condition: sql`(${shown} AND ${picked})` };
}
