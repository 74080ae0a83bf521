import { invalidRequest } from '../../kernel/errors/errors.ts';
import { toTimestamp } from '../../kernel/operation/schema.ts';
import type { Span } from './entries.queries.ts';

const HOUR_MS = 3_600_000;
/** A longer one is a mistake: a timer that nobody stopped, or a wrong day. */
const HOURS_MAX = 24;

/** A time that somebody may have worked: forward, not in the future, and of a day at most. */
export function requireSpan(now: number, task: number, started_at: number, ended_at: number): Span {
  if (ended_at <= started_at) {
    throw invalidRequest(
      ({ field }) =>
        `${field('endTime')} must be after ${field('startTime')}; got ${toTimestamp(started_at)} and ${toTimestamp(ended_at)}`,
    );
  }
  if (ended_at > now) {
    throw invalidRequest(
      ({ field }) =>
        `${field('endTime')} must not be in the future; got ${toTimestamp(ended_at)}, and it is ${toTimestamp(now)}`,
    );
  }
  if (ended_at - started_at > HOURS_MAX * HOUR_MS) {
    throw invalidRequest(
      ({ field }) =>
        `${field('startTime')} and ${field('endTime')} must be at most ${HOURS_MAX} hours apart. Log longer work as several entries.`,
    );
  }
  return { task, started_at, ended_at };
}
