import { toInstant } from './civil-date.ts';

export function toInstantRange(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  timezone: string,
) {
  return {
    ...(from !== undefined && { sinceMs: toInstant(from, '00:00', timezone) }),
    // ISO 8601 allows 24:00. The next day at 00:00 would fail for 9999-12-31, the last valid date.
    ...(to !== undefined && { beforeMs: toInstant(to, '24:00', timezone) }),
  };
}
