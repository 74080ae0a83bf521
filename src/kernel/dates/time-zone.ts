/** The time zone of new workspaces whose owner's time zone is unknown. */
export const DEFAULT_TIME_ZONE = 'UTC';

/** Includes the areas of old names such as `US/Eastern`, which some software still sends. */
const TIME_ZONE_AREAS =
  'Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc|US|Canada|Brazil|Chile|Mexico';
const TIME_ZONE_PATTERN = new RegExp(`^(${TIME_ZONE_AREAS})(/[A-Z][A-Za-z0-9_+-]*)+$`);

/**
 * Stricter than `Intl`, which also accepts offsets such as `+05:00`, and names such as `Factory` that aren't places.
 */
export function isTimeZone(name: string): boolean {
  if (name === 'UTC') return true;
  if (!TIME_ZONE_PATTERN.test(name) || name === 'Etc/Unknown') return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
