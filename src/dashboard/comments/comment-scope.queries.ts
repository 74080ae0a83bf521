import type { Caller } from '../../kernel/access/access.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { comments } from '../../schema/cell/comments.ts';
import {
  coversWorkspace,
  hasPeopleFilter,
  includesPeople,
  isInIdList,
  type ScopeFilter,
  selectIdList,
} from '../scope/scope.queries.ts';
import { selectOtherProjects } from '../scope/scope-sources.queries.ts';

const c = aliasTable(comments, 'c');

export function buildCommentScopeCondition(
  caller: Caller,
  filter: ScopeFilter,
): { tables: SQL; condition: SQL } {
  const tables = sql`elsewhere_list (ids) AS MATERIALIZED (${selectIdList('id', selectOtherProjects(caller, filter))})`;
  // Comments of deleted tasks have negative project numbers.
  const inMine = coversWorkspace(filter) ? sql`${c.project} > 0` : isInIdList('my_project_list', c.project);
  const ofSeen = sql`(${isInIdList('seen_list', c.assignee)} AND ${isInIdList('elsewhere_list', c.project)})`;
  const shown = includesPeople(filter) ? sql`(${inMine} OR ${ofSeen})` : inMine;
  const picked = hasPeopleFilter(filter) ? isInIdList('picked_list', c.assignee) : sql`true`;
  return { tables, condition: sql`(${shown} AND ${picked})` };
}
