/** Parameters that select a part of a list, but don't change which list it is. */
const besideTheList = ['cursor', 'offset', 'limit', 'fields', 'expand'];

export function listOf({ pathname, searchParams }: URL): string {
  const filters = new URLSearchParams(searchParams);
  for (const name of besideTheList) filters.delete(name);
  filters.sort();
  return `${pathname}?${filters}`;
}
