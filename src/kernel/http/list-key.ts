const paginationParameters = ['cursor', 'offset', 'limit', 'fields', 'expand'];

export function buildListKey({ pathname, searchParams }: URL): string {
  const filters = new URLSearchParams(searchParams);
  for (const name of paginationParameters) filters.delete(name);
  filters.sort();
  return `${pathname}?${filters}`;
}
