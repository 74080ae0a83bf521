import { taskStatuses } from '../task-model/tasks.schema.ts';

const COMPLETED = taskStatuses.indexOf('completed');

export const everyStatus = [...taskStatuses.keys()];
export const openStatuses = everyStatus.filter((status) => status !== COMPLETED);

/** Buckets (task-model/buckets) of unarchived tasks in these statuses, of any priority. */
export function bucketsOfStatuses(statuses: readonly number[]): number[] {
  return statuses.flatMap((status) => [status * 3, status * 3 + 1, status * 3 + 2]);
}
