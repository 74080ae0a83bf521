/** Parameters that change what a page shows, but not which list it is of. */
const besideTheList = ['cursor', 'offset', 'limit', 'fields', 'expand'];

/** The list that a cursor belongs to: a path with its filters and its order. */
export function listOf({ pathname, searchParams }: URL): string {
  const filters = new URLSearchParams(searchParams);
  for (const name of besideTheList) filters.delete(name);
  filters.sort();
  return `${pathname}?${filters}`;
}
