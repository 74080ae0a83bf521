import { HOUR_MS } from '../../kernel/dates/durations.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { toTimestamp } from '../../kernel/operation/schema.ts';
import type { TimeSpan } from './entries.queries.ts';

/** A longer span is probably a mistake, such as a forgotten timer or a wrong day. */
const ENTRY_HOURS_MAX = 24;

export function requireTimeSpan(now: number, task: number, started_at: number, ended_at: number): TimeSpan {
  if (ended_at <= started_at) {
    throw invalidRequestError(
      ({ field }) =>
        `${field('endTime')} must be after ${field('startTime')}; got ${toTimestamp(started_at)} and ${toTimestamp(ended_at)}`,
    );
  }
  if (ended_at > now) {
    throw invalidRequestError(
      ({ field }) =>
        `${field('endTime')} must not be in the future; got ${toTimestamp(ended_at)}, and it is now ${toTimestamp(now)}`,
    );
  }
  if (ended_at - started_at > ENTRY_HOURS_MAX * HOUR_MS) {
    throw invalidRequestError(
      ({ field }) =>
        `${field('startTime')} and ${field('endTime')} must be at most ${ENTRY_HOURS_MAX} hours apart. Log longer work as several entries.`,
    );
  }
  return { task, started_at, ended_at };
}
