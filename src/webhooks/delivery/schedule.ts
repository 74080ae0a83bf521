const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits after the first, second, … failed attempt in a row: those of Standard Webhooks 1.0.0, with two more for a restart of the receiver. */
const WAITS_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** Each wait is longer or shorter by up to this share, so that receivers that fell together do not get up together. */
const JITTER = 0.2;
const RETRY_AFTER_MS_MAX = 24 * HOUR_MS;

/** A webhook that fails as long as this stops. */
const FAILING_MS_MAX = 72 * HOUR_MS;
/** Its creator is warned a day before. */
const WARN_AFTER_MS = FAILING_MS_MAX - 24 * HOUR_MS;

interface Failure {
  /** Failed attempts in a row before this one, and when the first of them was. */
  readonly failures: number;
  readonly failingSince: number | null;
  readonly wasWarned: boolean;
  /** What the receiver asked for; null where it asked for nothing. */
  readonly retryAfterMs: number | null;
}

export interface Consequence {
  /** Null: it stops. */
  readonly nextAttemptAt: number | null;
  readonly warns: boolean;
}

/** What follows from a failed attempt. @param random from 0 to 1. */
export function afterFailure(
  { failures, failingSince, wasWarned, retryAfterMs }: Failure,
  now: number,
  random: number,
): Consequence {
  const since = failingSince ?? now;
  if (now >= since + FAILING_MS_MAX) return { nextAttemptAt: null, warns: false };
  const wait = WAITS_MS[Math.min(failures, WAITS_MS.length - 1)] ?? 0;
  const usual = now + Math.round(wait * (1 - JITTER + 2 * JITTER * random));
  // One more attempt at the moments of the warning and of the end: a receiver that is back gets neither.
  const marks = [since + WARN_AFTER_MS, since + FAILING_MS_MAX].filter((mark) => mark > now);
  const asked = now + Math.min(retryAfterMs ?? 0, RETRY_AFTER_MS_MAX);
  return {
    nextAttemptAt: Math.max(Math.min(usual, ...marks), asked),
    warns: !wasWarned && now >= since + WARN_AFTER_MS,
  };
}

/** `Retry-After` in seconds or as a date (RFC 9110, 10.2.3); null where it is neither. */
export function readRetryAfter(value: string | null, now: number): number | null {
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * SECOND_MS;
  const date = /^[A-Za-z]{3}, /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
