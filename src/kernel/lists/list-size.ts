const ITEMS_MAX = 1_000;

/** Called before the schema is applied, because describing half a million invalid items would take a second. */
export function findTooLongList(input: unknown): { name: string; problem: string } | null {
  if (input === null || typeof input !== 'object') return null;
  for (const [name, value] of Object.entries(input)) {
    if (Array.isArray(value) && value.length > ITEMS_MAX) {
      const problem = `${name.slice(0, 60)} must have at most ${ITEMS_MAX} items; got ${value.length}`;
      return { name, problem };
    }
  }
  return null;
}
