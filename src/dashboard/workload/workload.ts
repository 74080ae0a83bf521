import type { Caller } from '../../kernel/access/access.ts';
import { countWeekdays, getMonthRange, toWallClock } from '../../kernel/dates/civil-date.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { toInitials } from '../../workspaces/reference/initials.ts';
import {
  type DueLoadRow,
  listDueSinceCutoff,
  listWindowLoads,
  listWorkloads,
  type WindowLoadRow,
  type WorkloadRow,
} from './workload.queries.ts';
import { breakdownKeys, type WorkloadInput, workload, workloadInput } from './workload.schema.ts';

const breakdownLabels: Record<(typeof breakdownKeys)[number], [label: string, color: string]> = {
  overdue: ['Overdue', '#b91c1c'],
  due: ['Due', '#ea580c'],
  'in-progress': ['In progress', '#2563eb'],
  'internal-review': ['Internal review', '#9333ea'],
  'client-review': ['Client review', '#d97706'],
  completed: ['Completed', '#16a34a'],
};

export const getWorkload = defineOperation(
  {
    name: 'getWorkload',
    summary: "Get people's workload by day or month",
    description:
      'Not paginated. A task without an estimate counts as the default hours of its type or category, or as 1 hour if there is no default.',
    access: 'dashboard:read',
    capability: 'seeWorkload',
    effect: 'read',
    input: workloadInput,
    output: workload,
  },
  async ({ db, caller, reach, now }, input) => {
    const today = toWallClock(now, caller.timezone).date;
    const { from, to } = toWorkloadWindow(input, today);
    const frame = { mode: input.mode, from, to };
    if (reach === 'none') return { ...frame, workloads: [] };
    const capacityHours = getCapacityHours(caller, from, to);
    const window = { from, to, today };
    const filter = { ...input, reach };
    const [people, inWindow, sinceCutoff] = await db.batch([
      listWorkloads(caller, filter),
      listWindowLoads(caller, filter, window),
      listDueSinceCutoff(caller, filter, window),
    ]);
    const windows = indexByPerson(inWindow);
    const rows = people.map((row) => ({ ...emptyLoad, ...windows.get(row.user_id), ...row }));
    return { ...frame, workloads: toWorkloads(rows, sinceCutoff, capacityHours) };
  },
);

export function getCapacityHours({ dailyCapacityHours }: Caller, from: string, to: string): number {
  return roundHours(countWeekdays(from, to) * dailyCapacityHours);
}

export type CombinedLoadRow = WorkloadRow & Omit<WindowLoadRow, 'user_id'>;

export function toWorkloads(
  rows: readonly CombinedLoadRow[],
  sinceCutoff: readonly DueLoadRow[],
  capacityHours: number,
) {
  const sinceCutoffs = indexByPerson(sinceCutoff);
  return rows
    .toSorted(compareByName)
    .map((row) => toWorkload(row, sinceCutoffs.get(row.user_id) ?? emptyLoad, capacityHours));
}

export function toWorkloadWindow(
  { mode, from, to }: WorkloadInput,
  today: string,
): { from: string; to: string } {
  if (from !== undefined) return { from, to: to ?? from };
  const implicit = mode === 'monthly' ? getMonthRange(today) : { from: today, to: today };
  return { from: implicit.from, to: to ?? implicit.to };
}

function compareByName(a: WorkloadRow, b: WorkloadRow): number {
  const [first, second] = [lowerCaseAscii(a.name), lowerCaseAscii(b.name)];
  if (first !== second) return first < second ? -1 : 1;
  return a.user_id < b.user_id ? -1 : 1;
}

function lowerCaseAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

const emptyLoad: Omit<WindowLoadRow, 'user_id'> = { due: 0, due_hours: 0, completed: 0, completed_hours: 0 };

function indexByPerson<R extends DueLoadRow>(found: readonly R[]): Map<string, R> {
  return new Map(found.map((row) => [row.user_id, row]));
}

function toWorkload(row: CombinedLoadRow, sinceCutoff: Omit<DueLoadRow, 'user_id'>, capacityHours: number) {
  const { user_id: id, name, email, image } = row;
  const plannedHours = toHours(row.due_hours);
  const rows: Record<(typeof breakdownKeys)[number], [count: number, hundredths: number]> = {
    overdue: [row.past + sinceCutoff.due, row.past_hours + sinceCutoff.due_hours],
    due: [row.due, row.due_hours],
    'in-progress': [row.in_progress, row.in_progress_hours],
    'internal-review': [row.internal_review, row.internal_review_hours],
    'client-review': [row.client_review, row.client_review_hours],
    completed: [row.completed, row.completed_hours],
  };
  return {
    user: { id, name, email, image, initials: toInitials(name) },
    capacityHours,
    plannedHours,
    utilization: calculateUtilization(plannedHours, capacityHours),
    activeTasks: row.active,
    breakdown: breakdownKeys.map((key) => {
      const [label, color] = breakdownLabels[key];
      const [count, hundredths] = rows[key];
      return { key, label, color, count, estimatedHours: toHours(hundredths) };
    }),
  };
}

function calculateUtilization(plannedHours: number, capacityHours: number): number {
  if (capacityHours === 0) return plannedHours > 0 ? 100 : 0;
  return Math.floor((plannedHours / capacityHours) * 100 + 0.5);
}

function toHours(hundredths: number): number {
  return hundredths / 100;
}

function roundHours(hours: number): number {
  return Math.round(hours * 100) / 100;
}
