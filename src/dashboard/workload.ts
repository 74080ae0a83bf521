import { countWeekdays, monthOf, wallClock } from '../kernel/civil.ts';
import { operation } from '../kernel/operation.ts';
import { initials } from '../reference/initials.ts';
import { breakdownKeys, type WorkloadInput, workload, workloadInput } from './dashboard.schema.ts';
import { listWorkloads, type WorkloadRow } from './workload.queries.ts';

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
    summary: "Show how full people's days or months are",
    description: 'Not paginated. Hours are estimates: of the task, else its type, else its category, else 1.',
    access: 'dashboard:read',
    effect: 'read',
    input: workloadInput,
    output: workload,
  },
  async ({ db, caller, now }, input) => {
    const today = wallClock(now, caller.timezone).date;
    const { from, to } = windowOf(input, today);
    const frame = { mode: input.mode, from, to };
    if (caller.role === 'client') return { ...frame, workloads: [] };
    const capacityHours = round(countWeekdays(from, to) * caller.dailyCapacityHours);
    const [found] = await db.batch([listWorkloads(caller, input, { from, to, today })]);
    return { ...frame, workloads: found.map((row) => toWorkload(row, capacityHours)) };
  },
);

/** `from` replaces the window of the mode, as a single day unless `to` says otherwise. */
function windowOf({ mode, from, to }: WorkloadInput, today: string): { from: string; to: string } {
  if (from !== undefined) return { from, to: to ?? from };
  const implicit = mode === 'monthly' ? monthOf(today) : { from: today, to: today };
  return { from: implicit.from, to: to ?? implicit.to };
}

function toWorkload(row: WorkloadRow, capacityHours: number) {
  const { user_id: id, name, email, image } = row;
  const plannedHours = round(row.planned_hours);
  return {
    user: { id, name, email, image, initials: initials(name) },
    capacityHours,
    plannedHours,
    utilization: utilization(plannedHours, capacityHours),
    activeTasks: row.active,
    breakdown: breakdownKeys.map((key) => {
      const column = key.replace('-', '_') as 'overdue';
      const [label, color] = labels[key];
      return { key, label, color, count: row[column], estimatedHours: round(row[`${column}_hours`]) };
    }),
  };
}

/** Whole percent, half up. Work on a day without capacity is 100 %. */
function utilization(plannedHours: number, capacityHours: number): number {
  if (capacityHours === 0) return plannedHours > 0 ? 100 : 0;
  return Math.floor((plannedHours / capacityHours) * 100 + 0.5);
}

function round(hours: number): number {
  return Math.round(hours * 100) / 100;
}
