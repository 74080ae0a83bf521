import { toTimestamp } from '../../kernel/operation/schema.ts';
import type { PeriodDays } from './periods.ts';
import type { TaskTotalRow, TimeEntryRow } from './time-tracking.queries.ts';
import {
  TASKS_IN_STATS_MAX,
  type TimeEntry,
  type TimePeriod,
  type TimeStats,
} from './time-tracking.schema.ts';

export function toTimeEntry(row: TimeEntryRow): TimeEntry {
  return {
    id: row.id,
    taskId: row.task_id,
    task: { id: row.task_id, name: row.task_name },
    project: { id: row.project_id, name: row.project_name },
    startTime: toTimestamp(row.started_at),
    endTime: row.ended_at === null ? null : toTimestamp(row.ended_at),
    durationSeconds: Math.floor((row.counted_until - row.started_at) / 1000),
  };
}

export function toTimeStats(
  period: TimePeriod,
  days: PeriodDays,
  totals: readonly TaskTotalRow[],
): TimeStats {
  const totalSeconds = totals.reduce((sum, each) => sum + each.total_seconds, 0);
  return {
    period,
    ...days,
    totalSeconds,
    totalHours: toHours(totalSeconds),
    entryCount: totals.reduce((sum, each) => sum + each.entry_count, 0),
    tasks: totals.slice(0, TASKS_IN_STATS_MAX).map((each) => ({
      taskId: each.task_id,
      taskName: each.task_name,
      project: { id: each.project_id, name: each.project_name },
      totalSeconds: each.total_seconds,
      totalHours: toHours(each.total_seconds),
      entryCount: each.entry_count,
    })),
  };
}

function toHours(seconds: number): number {
  return Math.round(seconds / 36) / 100;
}
