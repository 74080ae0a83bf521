import { toInstant } from './civil-date.ts';

export function toInstantRange(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  timezone: string,
) {
  return {
    ...(from !== undefined && { sinceMs: toInstant(from, '00:00', timezone) }),
    // Uses 24:00, which ISO 8601 allows, because the next day would be invalid after 9999-12-31.
    ...(to !== undefined && { beforeMs: toInstant(to, '24:00', timezone) }),
  };
}
