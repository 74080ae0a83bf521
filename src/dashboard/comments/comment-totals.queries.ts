import type { Caller } from '../../kernel/access/access.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { commentCounts, dayColumns } from '../../schema/cell/counters.ts';
import { projects } from '../../schema/cell/projects.ts';
import { isRowInRange, sumRowInRange, toMonthColumn } from '../../tasks/counters/day-columns.queries.ts';
import type { PeopleAndProjects, ScopeSources } from '../scope/scope-sources.queries.ts';

const c = aliasTable(commentCounts, 'c');
const p = aliasTable(projects, 'p');

export interface DayRange {
  from?: string | undefined;
  to?: string | undefined;
}

/** Every month sorts between these days. The all-time row's month is `''`, which sorts before them. */
const FIRST_DAY = '0000-01-01';
const LAST_DAY = '9999-12-31';

export function buildCommentTotal(
  caller: Caller,
  sources: ScopeSources,
  days: DayRange,
): { tables: SQL; total: SQL } {
  const { months, amount } = buildCounterRange(days);
  const sum = (names: SQL, member: SQL, project: SQL, sign: 1 | -1 = 1) => sql`
    SELECT ${sql.raw(String(sign))} * coalesce(sum(${amount}), 0) AS n FROM ${names}
    CROSS JOIN ${c} ON ${c.ws} = ${caller.workspace} AND ${c.member} = ${member}
      AND ${c.project} = ${project} AND ${months}`;
  const sumProjects = (projects: SQL) => sum(sql`(${projects}) pr`, sql`0`, sql`pr.id`);
  const sumPeople = (people: SQL) => sum(sql`(${people}) pp`, sql`pp.no`, sql`0`);
  const sumPairs = (people: SQL, projects: SQL, sign: 1 | -1 = 1) =>
    sum(sql`(${projects}) pr CROSS JOIN (${people}) pp`, sql`pp.no`, sql`pr.id`, sign);
  const { projects, assignees, both, overlap } = sources;
  const terms = [
    ...(projects ? [sumProjects(projects)] : []),
    ...(assignees ? [sumPeople(assignees)] : []),
    ...both.flatMap((pairs) =>
      pairs.isWide ? sumWidePairs(pairs) : [sumPairs(pairs.people, pairs.projects)],
    ),
    ...(overlap ? [sumPairs(overlap.people, overlap.projects, -1)] : []),
  ];
  const wide = both.find(({ isWide }) => isWide);
  return {
    tables: sql`
      all_projects (id) AS (SELECT ${p.id} FROM ${p} WHERE ${p.ws} = ${caller.workspace}),
      wide (ids, is_most) AS MATERIALIZED (
        SELECT coalesce(group_concat('/' || id || '/', ''), ''),
          count(*) * 2 > (SELECT count(*) FROM all_projects)
        FROM (${wide?.projects ?? sql`SELECT 0 AS id WHERE false`}))`,
    total: sql`SELECT sum(n) AS total FROM (${sql.join(terms, sql` UNION ALL `)})`,
  };

  /** If the filter matches most projects, saves reads by subtracting the other projects from each person's total. */
  function sumWidePairs({ people, projects }: PeopleAndProjects): SQL[] {
    const others = sql`
      SELECT id FROM all_projects WHERE instr((SELECT ids FROM wide), '/' || id || '/') = 0`;
    const isMost = sql`(SELECT is_most FROM wide)`;
    return [
      sql`${sumPairs(people, projects)} WHERE NOT ${isMost}`,
      sql`${sumPeople(people)} WHERE ${isMost}`,
      sql`${sumPairs(people, others, -1)} WHERE ${isMost}`,
    ];
  }
}

function buildCounterRange({ from, to }: DayRange): { months: SQL; amount: SQL } {
  if (from === undefined && to === undefined) return { months: sql`${c.month} = ''`, amount: c.total };
  const span = { first: toMonthColumn(from ?? FIRST_DAY), last: toMonthColumn(to ?? LAST_DAY) };
  const days = dayColumns.map((column) => c[column]);
  return { months: isRowInRange(c.month, span), amount: sumRowInRange(c.month, span, days, c.total) };
}
