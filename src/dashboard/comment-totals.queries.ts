import { type SQL, sql } from 'drizzle-orm';
import type { Caller } from '../kernel/access.ts';
import type { Sources } from './comment-sources.queries.ts';

/** Days, both included. */
export interface DayRange {
  from?: string | undefined;
  to?: string | undefined;
}

/** Every month lies between these, and `''`, which stands for ever, before both. */
const FIRST_DAY = '0000-01-01';
const LAST_DAY = '9999-12-31';

/** One row, column `total`: the sum of the counters of the sources over the days. */
export function summedTotal(caller: Caller, sources: Sources, days: DayRange): SQL {
  const { months, amount } = spanOf(days);
  const sum = (names: SQL, member: SQL, project: SQL, sign: 1 | -1 = 1) => sql`
    SELECT ${sql.raw(String(sign))} * coalesce(sum(${amount}), 0) AS n FROM (${names}) s
    CROSS JOIN comment_counts c ON c.ws = ${caller.workspace} AND c.member = ${member}
      AND c.project = ${project} AND ${months}`;
  const [zero, both] = [sql`0`, [sql`s.member`, sql`s.project`] as const];
  const terms = [
    ...(sources.projects ? [sum(sources.projects, zero, sql`s.id`)] : []),
    ...(sources.assignees ? [sum(sources.assignees, sql`s.no`, zero)] : []),
    ...(sources.both ? [sum(sources.both, ...both)] : []),
    ...(sources.overlap ? [sum(sources.overlap, ...both, -1)] : []),
  ];
  return sql`SELECT sum(n) AS total FROM (${sql.join(terms, sql` UNION ALL `)})`;
}

/** Which rows of comment_counts to read, and what of a row: the whole of it, but for the first and the last month. */
function spanOf({ from, to }: DayRange): { months: SQL; amount: SQL } {
  if (from === undefined && to === undefined) return { months: sql`c.month = ''`, amount: sql`c.n` };
  const [first, last] = [parts(from ?? FIRST_DAY), parts(to ?? LAST_DAY)];
  const months = sql`c.month BETWEEN ${first.month} AND ${last.month}`;
  if (first.month === last.month) return { months, amount: dates(first.date, last.date) };
  const amount = sql`
    CASE c.month WHEN ${first.month} THEN ${dates(first.date, 31)} WHEN ${last.month} THEN ${dates(1, last.date)}
    ELSE c.n END`;
  return { months, amount };
}

function parts(day: string) {
  return { month: day.slice(0, 7), date: Number(day.slice(8)) };
}

/** Sum of the columns of these dates of a month. */
function dates(first: number, last: number): SQL {
  const columns = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => `c.d${first + index}`);
  return sql.raw(columns.length === 0 ? '0' : `(${columns.join(' + ')})`);
}
