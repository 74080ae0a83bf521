import type { CellJob } from '../../kernel/operation/jobs.ts';
import type { WriteContext } from '../../kernel/operation/operation.ts';
import { countAffordableUnits } from '../../kernel/sql/budget.ts';
import { type BatchDatabase, type Statement, WriteConflictError } from '../../kernel/sql/database.ts';
import { buildAssigneeReplacement } from '../../tasks/model/other-assignees.queries.ts';
import { selectTasksById } from '../../tasks/model/selection.queries.ts';
import { changeTasks } from '../../tasks/write/tasks.write.ts';
import {
  assertTasksAssigned,
  type Departure,
  deleteDeparture,
  findDeparture,
  hasDepartures,
  listDepartures,
  listOpenTasks,
  type OpenTask,
} from './people.queries.ts';

export const TASKS_PER_SLICE = 100;
const SLICE_COST = 40;
const PEOPLE_PER_RUN_MAX = 20;
const SLICES_PER_PERSON_MAX = 10;

/** If `heir` is 0, no one takes the person's place, and any other assignees keep the tasks. */
export function reassignTasks(
  ctx: WriteContext,
  { member, heir }: Pick<Departure, 'member' | 'heir'>,
  tasks: readonly OpenTask[],
): Statement<void>[] {
  if (tasks.length === 0) return [];
  const selection = selectTasksById(tasks.map(({ id }) => id));
  const areShared = tasks.some(({ is_shared }) => is_shared === 1);
  return [
    assertTasksAssigned(member, tasks),
    ...(areShared
      ? changeTasks(ctx, selection, buildAssigneeReplacement(member, heir))
      : changeTasks(ctx, selection, { assignee: heir }, { mayHaveOtherAssignees: false })),
  ];
}

export const finishDepartures: CellJob = {
  name: 'departures.finish',
  cost: 1 + SLICE_COST,
  isDue: hasDepartures,
  async run(scope, no, allowance) {
    const cell = scope.cell(no);
    const limit = countAffordableUnits({ left: allowance.left - 1 }, SLICE_COST, PEOPLE_PER_RUN_MAX);
    const [departures] = await cell.batch([listDepartures(limit)]);
    let isDone = departures.length < limit;
    for (const { member } of departures) {
      const slices = countAffordableUnits(allowance, SLICE_COST, SLICES_PER_PERSON_MAX);
      isDone = (await finishDeparture(cell, member, scope.now, slices)) && isDone;
    }
    return !isDone;
  },
};

export async function finishDeparture(
  cell: BatchDatabase,
  member: number,
  now: number,
  slicesMax: number,
): Promise<boolean> {
  for (let slice = 0; slice < slicesMax; slice += 1) {
    if (await reassignNextSlice(cell, member, now)) return true;
  }
  return false;
}

async function reassignNextSlice(cell: BatchDatabase, member: number, now: number): Promise<boolean> {
  const [departure] = await cell.batch([findDeparture(member)]);
  if (!departure) return true;
  const [tasks] = await cell.batch([listOpenTasks(departure.ws, member, TASKS_PER_SLICE)]);
  const caller = { workspace: departure.ws, member: departure.actor, timezone: departure.timezone };
  const ctx: WriteContext = { caller, via: 'session', now };
  try {
    await cell.batch([...reassignTasks(ctx, departure, tasks), deleteDeparture(member)]);
  } catch (error) {
    // A task has changed since it was read, so the next slice will read it again.
    if (!(error instanceof WriteConflictError)) throw error;
    return false;
  }
  return tasks.length < TASKS_PER_SLICE;
}
