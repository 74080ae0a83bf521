import type { Caller } from '../../kernel/access/access.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { taskCounts } from '../../schema/cell/counters.ts';
import { projects } from '../../schema/cell/projects.ts';
import {
  allowsEveryProject,
  coversWorkspace,
  hasPeopleFilter,
  includesPeople,
  isOutsideMyProjects,
  type ScopeFilter,
} from './scope.queries.ts';

const c = aliasTable(taskCounts, 'c');
const p = aliasTable(projects, 'p');

/** `amount` is an expression over a row `c` of the `task_counts` table. Selects one row with an `n` column. */
export function sumInScope(caller: Caller, filter: ScopeFilter, amount: SQL): SQL {
  return sumEachInScope(caller, filter, { n: amount });
}

export function sumEachInScope(caller: Caller, filter: ScopeFilter, amounts: Record<string, SQL>): SQL {
  const joinCounter = (member: SQL, project: SQL) =>
    sql`${c} ON ${c.ws} = ${caller.workspace} AND ${c.member} = ${member} AND ${c.project} = ${project}`;
  const people = hasPeopleFilter(filter)
    ? sql`(SELECT no FROM picked INTERSECT SELECT no FROM seen_people)`
    : sql`seen_people`;
  const mapAmounts = (column: (name: SQL, amount: SQL) => SQL) =>
    sql.join(
      Object.entries(amounts).map(([name, amount]) => column(sql.raw(name), amount)),
      sql`, `,
    );
  const sums = mapAmounts((name, amount) => sql`sum(${amount}) AS ${name}`);
  const terms = [sumMyProjects(), ...(includesPeople(filter) ? sumPeopleInOtherProjects() : [])];
  return sql`
    SELECT ${mapAmounts((name) => sql`coalesce(sum(${name}), 0) AS ${name}`)}
    FROM (${sql.join(terms, sql` UNION ALL `)})`;

  function sumMyProjects(): SQL {
    if (coversWorkspace(filter)) {
      return hasPeopleFilter(filter)
        ? sql`SELECT ${sums} FROM picked pp CROSS JOIN ${joinCounter(sql`pp.no`, sql`0`)}`
        : sql`SELECT ${sums} FROM ${c} WHERE ${c.ws} = ${caller.workspace} AND ${c.member} = 0`;
    }
    if (hasPeopleFilter(filter))
      return sql`SELECT ${sums} FROM picked pp CROSS JOIN my_projects mp CROSS JOIN ${joinCounter(sql`pp.no`, sql`mp.id`)}`;
    return sql`SELECT ${sums} FROM my_projects mp CROSS JOIN ${joinCounter(sql`0`, sql`mp.id`)}`;
  }

  function sumPeopleInOtherProjects(): SQL[] {
    if (allowsEveryProject(filter)) {
      const taken = mapAmounts((name, amount) => sql`-sum(${amount}) AS ${name}`);
      return [
        sql`SELECT ${sums} FROM ${people} pp CROSS JOIN ${joinCounter(sql`pp.no`, sql`0`)}`,
        sql`SELECT ${taken} FROM my_projects mp CROSS JOIN ${people} pp CROSS JOIN ${joinCounter(sql`pp.no`, sql`mp.id`)}`,
      ];
    }
    return [
      sql`
        SELECT ${sums} FROM ${p} CROSS JOIN ${people} pp CROSS JOIN ${joinCounter(sql`pp.no`, p.id)}
        WHERE ${p.ws} = ${caller.workspace} AND ${isOutsideMyProjects(filter, p.id)}`,
    ];
  }
}

export function selectProjectsWithTasks(caller: Caller, filter: ScopeFilter, amount: SQL): SQL {
  const members = hasPeopleFilter(filter) ? sql`SELECT no FROM picked` : sql`SELECT 0 AS no`;
  return sql`
    SELECT hp.id AS id FROM my_projects hp WHERE EXISTS (
      SELECT 1 FROM (${members}) pp CROSS JOIN ${c} ON ${c.ws} = ${caller.workspace} AND ${c.member} = pp.no
        AND ${c.project} = hp.id
      WHERE ${amount} > 0)`;
}
