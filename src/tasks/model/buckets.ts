import {
  OPEN_STATUS,
  type TaskPriority,
  type TaskStatus,
  taskPriorities,
  taskStatuses,
} from './tasks.schema.ts';

/** A bucket is a combination of archived state, status and priority. There are 30. */
interface BucketState {
  archived: number;
  status: number;
  priority: number;
}

export function toBucket({ archived, status, priority }: BucketState): number {
  return archived * 15 + status * 3 + priority;
}

interface BucketFilter {
  isArchived: boolean;
  status?: readonly (TaskStatus | typeof OPEN_STATUS)[] | undefined;
  priority?: readonly TaskPriority[] | undefined;
}

const everyPriority = [...taskPriorities.keys()];

export function toBuckets({ isArchived, status, priority }: BucketFilter): number[] {
  return listBuckets(
    isArchived ? 1 : 0,
    [...taskStatuses.keys()].filter((index) => !status || status.some((name) => matchesStatus(name, index))),
    everyPriority.filter((index) => !priority || priority.some((name) => taskPriorities[index] === name)),
  );
}

function matchesStatus(name: TaskStatus | typeof OPEN_STATUS, index: number): boolean {
  return name === OPEN_STATUS ? taskStatuses[index] !== 'completed' : taskStatuses[index] === name;
}

/** `isWhole` is true if the buckets include every priority of these statuses. */
export function toArchivedStatuses(buckets: readonly number[]): { statuses: number[]; isWhole: boolean } {
  const statuses = [...new Set(buckets.map((bucket) => Math.floor(bucket / taskPriorities.length)))];
  return { statuses, isWhole: statuses.length * taskPriorities.length === buckets.length };
}

export function toStatusBuckets(statuses: readonly number[]): number[] {
  return listBuckets(0, statuses, everyPriority);
}

function listBuckets(archived: number, statuses: readonly number[], priorities: readonly number[]) {
  return statuses.flatMap((status) => priorities.map((priority) => toBucket({ archived, status, priority })));
}
