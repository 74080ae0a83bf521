import { type TaskPriority, type TaskStatus, taskPriorities, taskStatuses } from './tasks.schema.ts';

/** Counters and pages divide the tasks into 30 buckets: archived × status × priority. */
export const BUCKETS = 30;

interface BucketParts {
  archived: number;
  status: number;
  priority: number;
}

export function bucketOf({ archived, status, priority }: BucketParts): number {
  return archived * 15 + status * 3 + priority;
}

interface BucketFilter {
  isArchived: boolean;
  status?: TaskStatus | undefined;
  priority?: TaskPriority | undefined;
}

const everyPriority = [...taskPriorities.keys()];

/** The buckets that a filter matches: 15 without a status or a priority, 1 with both. */
export function bucketsMatching({ isArchived, status, priority }: BucketFilter): number[] {
  return bucketsWithin(
    isArchived ? 1 : 0,
    status ? [taskStatuses.indexOf(status)] : [...taskStatuses.keys()],
    priority ? [taskPriorities.indexOf(priority)] : everyPriority,
  );
}

/** Those of unarchived tasks in these statuses, of any priority. */
export function bucketsOfStatuses(statuses: readonly number[]): number[] {
  return bucketsWithin(0, statuses, everyPriority);
}

function bucketsWithin(archived: number, statuses: readonly number[], priorities: readonly number[]) {
  return statuses.flatMap((status) => priorities.map((priority) => bucketOf({ archived, status, priority })));
}
