import { HOUR_MS, MINUTE_MS } from '../../kernel/dates/durations.ts';

const SECOND_MS = 1000;

/** The delays that Standard Webhooks 1.0.0 recommends, plus 30 seconds and a minute for receivers that restart. */
const RETRY_DELAYS_MS = [
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
/** Each wait varies by up to this share, so that receivers that failed together aren't retried together. */
const JITTER_SHARE = 0.2;
const RETRY_AFTER_MS_MAX = 24 * HOUR_MS;

const FAILING_MS_MAX = 72 * HOUR_MS;
const WARN_AFTER_MS = FAILING_MS_MAX - 24 * HOUR_MS;

interface FailureHistory {
  readonly failures: number;
  readonly failingSince: number | null;
  readonly wasWarned: boolean;
  readonly retryAfterMs: number | null;
}

export interface RetryPlan {
  readonly nextAttemptAt: number | null;
  readonly warns: boolean;
}

export function planRetry(
  { failures, failingSince, wasWarned, retryAfterMs }: FailureHistory,
  now: number,
  random: number,
): RetryPlan {
  const since = failingSince ?? now;
  if (now >= since + FAILING_MS_MAX) return { nextAttemptAt: null, warns: false };
  const wait = RETRY_DELAYS_MS[Math.min(failures, RETRY_DELAYS_MS.length - 1)] ?? 0;
  const usual = now + Math.round(wait * (1 - JITTER_SHARE + 2 * JITTER_SHARE * random));
  // Tries again when the warning is due, and before the webhook stops, in case the receiver has recovered.
  const deadlines = [since + WARN_AFTER_MS, since + FAILING_MS_MAX].filter((mark) => mark > now);
  const asked = now + Math.min(retryAfterMs ?? 0, RETRY_AFTER_MS_MAX);
  return {
    nextAttemptAt: Math.max(Math.min(usual, ...deadlines), asked),
    warns: !wasWarned && now >= since + WARN_AFTER_MS,
  };
}
