import type { Caller } from '../../kernel/access/access.ts';
import { countWeekdays, monthOf, wallClock } from '../../kernel/dates/civil.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { initials } from '../../workspaces/reference/initials.ts';
import {
  type DaysRow,
  type DueRow,
  listSinceCutoff,
  listWindow,
  listWorkloads,
  type WorkloadRow,
} from './workload.queries.ts';
import { breakdownKeys, type WorkloadInput, workload, workloadInput } from './workload.schema.ts';

const labels: Record<(typeof breakdownKeys)[number], [label: string, color: string]> = {
  overdue: ['Overdue', '#b91c1c'],
  due: ['Due', '#ea580c'],
  'in-progress': ['In progress', '#2563eb'],
  'internal-review': ['Internal review', '#9333ea'],
  'client-review': ['Client review', '#d97706'],
  completed: ['Completed', '#16a34a'],
};

export const getWorkload = operation(
  {
    name: 'getWorkload',
    summary: "Get people's workload by day or month",
    description:
      'Not paginated. Hours are the estimate of the task, else of its type, else of its category, else 1.',
    access: 'dashboard:read',
    capability: 'seeWorkload',
    effect: 'read',
    input: workloadInput,
    output: workload,
  },
  async ({ db, caller, reach, now }, input) => {
    const today = wallClock(now, caller.timezone).date;
    const { from, to } = windowOf(input, today);
    const frame = { mode: input.mode, from, to };
    if (reach === 'none') return { ...frame, workloads: [] };
    const capacityHours = capacityOf(caller, from, to);
    const window = { from, to, today };
    const filter = { ...input, reach };
    const [people, inWindow, sinceCutoff] = await db.batch([
      listWorkloads(caller, filter),
      listWindow(caller, filter, window),
      listSinceCutoff(caller, filter, window),
    ]);
    const windows = byPerson(inWindow);
    const rows = people.map((row) => ({ ...nothing, ...windows.get(row.user_id), ...row }));
    return { ...frame, workloads: toWorkloads(rows, sinceCutoff, capacityHours) };
  },
);

export function capacityOf({ dailyCapacityHours }: Caller, from: string, to: string): number {
  return round(countWeekdays(from, to) * dailyCapacityHours);
}

/** A person with the totals of their open tasks, and their work in a window. */
export type LoadRow = WorkloadRow & Omit<DaysRow, 'user_id'>;

export function toWorkloads(rows: readonly LoadRow[], sinceCutoff: readonly DueRow[], capacityHours: number) {
  const sinceCutoffs = byPerson(sinceCutoff);
  return rows
    .toSorted(byName)
    .map((row) => toWorkload(row, sinceCutoffs.get(row.user_id) ?? nothing, capacityHours));
}

/** `from` replaces the window of the mode. It is a single day unless `to` is set. */
export function windowOf({ mode, from, to }: WorkloadInput, today: string): { from: string; to: string } {
  if (from !== undefined) return { from, to: to ?? from };
  const implicit = mode === 'monthly' ? monthOf(today) : { from: today, to: today };
  return { from: implicit.from, to: to ?? implicit.to };
}

/** Ignores case; ids decide between equal names. */
function byName(a: WorkloadRow, b: WorkloadRow): number {
  const [first, second] = [foldAscii(a.name), foldAscii(b.name)];
  if (first !== second) return first < second ? -1 : 1;
  return a.user_id < b.user_id ? -1 : 1;
}

function foldAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

const nothing: Omit<DaysRow, 'user_id'> = { due: 0, due_hours: 0, completed: 0, completed_hours: 0 };

function byPerson<R extends DueRow>(found: readonly R[]): Map<string, R> {
  return new Map(found.map((row) => [row.user_id, row]));
}

function toWorkload(row: LoadRow, sinceCutoff: Omit<DueRow, 'user_id'>, capacityHours: number) {
  const { user_id: id, name, email, image } = row;
  const plannedHours = inHours(row.due_hours);
  const rows: Record<(typeof breakdownKeys)[number], [count: number, hundredths: number]> = {
    overdue: [row.past + sinceCutoff.due, row.past_hours + sinceCutoff.due_hours],
    due: [row.due, row.due_hours],
    'in-progress': [row.in_progress, row.in_progress_hours],
    'internal-review': [row.internal_review, row.internal_review_hours],
    'client-review': [row.client_review, row.client_review_hours],
    completed: [row.completed, row.completed_hours],
  };
  return {
    user: { id, name, email, image, initials: initials(name) },
    capacityHours,
    plannedHours,
    utilization: utilization(plannedHours, capacityHours),
    activeTasks: row.active,
    breakdown: breakdownKeys.map((key) => {
      const [label, color] = labels[key];
      const [count, hundredths] = rows[key];
      return { key, label, color, count, estimatedHours: inHours(hundredths) };
    }),
  };
}

/** A whole percentage, rounded half up. Work on a day without capacity is 100 %. */
function utilization(plannedHours: number, capacityHours: number): number {
  if (capacityHours === 0) return plannedHours > 0 ? 100 : 0;
  return Math.floor((plannedHours / capacityHours) * 100 + 0.5);
}

function inHours(hundredths: number): number {
  return hundredths / 100;
}

function round(hours: number): number {
  return Math.round(hours * 100) / 100;
}
