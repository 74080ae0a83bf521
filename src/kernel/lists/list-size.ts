const ITEMS_MAX = 1_000;

/**
 * Names a list that is longer than any operation takes. This check runs before the schema, which would take a second to
 * describe a problem for each of half a million items.
 */
export function describeLongList(input: unknown): string | null {
  if (input === null || typeof input !== 'object') return null;
  for (const [name, value] of Object.entries(input)) {
    if (Array.isArray(value) && value.length > ITEMS_MAX) {
      return `${name.slice(0, 60)} must have at most ${ITEMS_MAX} items; got ${value.length}`;
    }
  }
  return null;
}
