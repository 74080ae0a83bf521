import { type TaskPriority, type TaskStatus, taskPriorities, taskStatuses } from './tasks.schema.ts';

/** Counters and pages cut the tasks into 30 buckets: archived × status × priority. */
export const BUCKETS = 30;

interface BucketParts {
  archived: number;
  status: number;
  priority: number;
}

export function bucketOf({ archived, status, priority }: BucketParts): number {
  return archived * 15 + status * 3 + priority;
}

/** Buckets below this one hold unarchived tasks, the others archived ones. */
export const FIRST_ARCHIVED = bucketOf({ archived: 1, status: 0, priority: 0 });

interface BucketFilter {
  isArchived: boolean;
  status?: TaskStatus | undefined;
  priority?: TaskPriority | undefined;
}

/** Every bucket that a filter reaches; 15 without a status or a priority, 1 with both. */
export function bucketsMatching(filter: BucketFilter): number[] {
  const archived = filter.isArchived ? 1 : 0;
  const statuses = filter.status ? [taskStatuses.indexOf(filter.status)] : taskStatuses.keys();
  return [...statuses].flatMap((status) => {
    const priorities = filter.priority ? [taskPriorities.indexOf(filter.priority)] : taskPriorities.keys();
    return [...priorities].map((priority) => bucketOf({ archived, status, priority }));
  });
}
