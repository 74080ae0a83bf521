import * as z from 'zod';
import { countDaysBetween, toWallClock } from '../../kernel/dates/civil-date.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { listPersonWorkloads, type PersonWorkloadRow } from './person-workloads.queries.ts';
import { listSharedLoads, SHARED_TASKS_MAX, type SharedLoadRow } from './shared-loads.queries.ts';
import { listDueSinceCutoff } from './workload.queries.ts';
import { workload, workloadInput } from './workload.schema.ts';
import { type CombinedLoadRow, getCapacityHours, toWorkloads, toWorkloadWindow } from './workload.ts';

/** Each half month of the window adds a join to the query. */
const WINDOW_DAYS_MAX = 62;

export const getDashboardWorkload = defineOperation(
  {
    name: 'getDashboardWorkload',
    summary: "Get people's workload for the dashboard page",
    access: 'session',
    capability: 'seeWorkload',
    effect: 'read',
    input: workloadInput,
    output: workload.extend({
      tooMany: z.enum(['days', 'projects']).nullable(),
      /** False if too many tasks have several assignees. Their hours then count only toward the first assignee. */
      isSplit: z.boolean(),
    }),
  },
  async ({ db, caller, reach, now }, input) => {
    const today = toWallClock(now, caller.timezone).date;
    const { from, to } = toWorkloadWindow(input, today);
    const frame = { mode: input.mode, from, to, isSplit: true };
    if (reach === 'none') return { ...frame, workloads: [], tooMany: null };
    if (countDaysBetween(from, to) >= WINDOW_DAYS_MAX)
      return { ...frame, workloads: [], tooMany: 'days' as const };
    const window = { from, to, today };
    const filter = { ...input, reach };
    const [pairs, sinceCutoff, shared] = await db.batch([
      listPersonWorkloads(caller, filter, window),
      listDueSinceCutoff(caller, filter, window),
      listSharedLoads(caller, filter, window),
    ]);
    const isSplit = (shared[0]?.rows ?? 0) <= SHARED_TASKS_MAX;
    const loads = sumByPerson(pairs);
    const people = (isSplit ? addSharedLoads(loads, shared) : loads).filter(
      ({ active }) => active > 0 || input.assigneeId !== undefined,
    );
    const workloads = toWorkloads(people, sinceCutoff, getCapacityHours(caller, from, to));
    return { ...frame, workloads, isSplit, tooMany: pairs[0]?.few === 1 ? null : ('projects' as const) };
  },
);

function addSharedLoads(
  people: readonly CombinedLoadRow[],
  shared: readonly SharedLoadRow[],
): CombinedLoadRow[] {
  const byPerson = new Map(shared.map((row) => [row.user_id, row]));
  return people.map((person) => {
    const { user_id: _id, rows: _rows, ...added } = byPerson.get(person.user_id) ?? { user_id: '', rows: 0 };
    const sums = Object.entries(added).map(([key, number]) => [
      key,
      Number(person[key as keyof CombinedLoadRow]) + Number(number),
    ]);
    return { ...person, ...Object.fromEntries(sums) };
  });
}

function sumByPerson(pairs: readonly PersonWorkloadRow[]): CombinedLoadRow[] {
  const people = new Map<string, CombinedLoadRow>();
  for (const { few: _few, user_id, name, email, ...row } of pairs) {
    if (user_id === null || name === null || email === null) continue;
    const known = people.get(user_id);
    const numbers = Object.entries(row).filter((entry): entry is [keyof CombinedLoadRow & string, number] =>
      Number.isFinite(entry[1]),
    );
    const sums = numbers.map(([key, number]) => [key, Number(known?.[key] ?? 0) + number]);
    people.set(user_id, { ...row, user_id, name, email, ...Object.fromEntries(sums) });
  }
  return [...people.values()];
}
