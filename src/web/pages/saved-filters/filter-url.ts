import type { SavedFilter } from '../../../tasks/saved-filters/saved-filters.schema.ts';
import { type TaskFilter, toQueryString } from '../../../tasks/saved-filters/task-filter.ts';

export function toFilterQuery(filter: TaskFilter, saved?: Pick<SavedFilter, 'id'> | null): string {
  const query = [toQueryString(filter), saved ? `filter=${saved.id}` : '']
    .filter((part) => part !== '')
    .join('&');
  return query === '' ? '' : `?${query}`;
}

/** Relative to the workspace's URL. Boards can't filter by archived or blocked tasks, so these filters open a list. */
export function toFilterUrl(saved: Pick<SavedFilter, 'id' | 'filter'>): string {
  return (
    (saved.filter.archived || saved.filter.blocked ? '/tasks' : '/board') + toFilterQuery(saved.filter, saved)
  );
}
