/** `US/Eastern` and the like are old names of the same places, which software still writes. */
const AREAS =
  'Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc|US|Canada|Brazil|Chile|Mexico';
const AREA_NAME = new RegExp(`^(${AREAS})(/[A-Z][A-Za-z0-9_+-]*)+$`);

/**
 * Whether a text names a time zone as people know it: `UTC`, or an area and a place of the IANA database. `Intl` also takes
 * offsets such as `+05:00`, which know no summer time, and names that stand for no place, such as `Factory`.
 */
export function isTimeZone(name: string): boolean {
  if (name === 'UTC') return true;
  if (!AREA_NAME.test(name) || name === 'Etc/Unknown') return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
