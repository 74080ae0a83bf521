import { addDays, wallClock, weekOf } from '../kernel/civil.ts';
import { operation } from '../kernel/operation.ts';
import { stats, statsInput } from './dashboard.schema.ts';
import { toTaskFilter } from './filter.ts';
import type { TaskFilter } from './found-tasks.queries.ts';
import {
  countDays,
  countFoundTiles,
  countPastBorder,
  countProjects,
  type DayCount,
  type TileCounts,
} from './stats.queries.ts';
import { openStatuses } from './statuses.ts';

export const getDashboardStats = operation(
  {
    name: 'getDashboardStats',
    summary: 'Count projects, and tasks overdue, due today and due this week',
    access: 'dashboard:read',
    effect: 'read',
    input: statsInput,
    output: stats,
  },
  async ({ db, caller, now }, input) => {
    const filter = toTaskFilter(input, openStatuses);
    const today = input.localDate ?? wallClock(now, caller.timezone).date;
    const sunday = weekOf(today).to;
    if (filter.search !== undefined || filter.taskId !== undefined) {
      const [projects, found] = await db.batch([
        countProjects(caller, filter),
        countFoundTiles(caller, filter, today, sunday),
      ]);
      return { projects, ...(found ?? { overdue: 0, dueToday: 0, dueThisWeek: 0 }) };
    }
    const overdueEnds = filter.to === undefined ? today : earlier(addDays(filter.to, 1), today);
    const first = earlier(filter.from ?? today, overdueEnds);
    const [projects, { past, border }, days] = await db.batch([
      countProjects(caller, filter),
      countPastBorder(caller, filter),
      countDays(caller, filter, first, sunday),
    ]);
    return { projects, ...tiles({ past, border, days }, filter, { today, sunday, overdueEnds }) };
  },
);

interface Deadlines {
  /** Deadlines before the border. */
  past: number;
  border: string;
  /** Every day from the border, and from the first day that a tile may reach. */
  days: DayCount[];
}

interface TileDates {
  today: string;
  sunday: string;
  /** First day that is not overdue, or that `to` leaves out. */
  overdueEnds: string;
}

/** Each tile has a window of its own, which `from` and `to` can only narrow. */
function tiles(deadlines: Deadlines, { from, to }: TaskFilter, dates: TileDates): TileCounts {
  const { today, sunday, overdueEnds } = dates;
  const between = (first: string, last: string) => {
    const start = from === undefined ? first : later(first, from);
    const end = to === undefined ? last : earlier(last, to);
    return sum(deadlines.days, (day) => day >= start && day <= end);
  };
  return {
    overdue:
      from === undefined
        ? countBefore(deadlines, overdueEnds)
        : sum(deadlines.days, (day) => day >= from && day < overdueEnds),
    dueToday: between(today, today),
    dueThisWeek: between(today, sunday),
  };
}

/** The days between the border and the asked one are added, or taken away where that lies before the border. */
function countBefore({ past, border, days }: Deadlines, end: string): number {
  return (
    past + sum(days, (day) => day >= border && day < end) - sum(days, (day) => day >= end && day < border)
  );
}

function sum(days: readonly DayCount[], includes: (day: string) => boolean): number {
  return days.reduce((total, { day, n }) => (includes(day) ? total + n : total), 0);
}

function earlier(one: string, other: string): string {
  return one < other ? one : other;
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}
