import type { SavedFilter } from '../../../tasks/saved-filters/saved-filters.schema.ts';
import { type TaskFilter, toQuery } from '../../../tasks/saved-filters/task-filter.ts';

/** The query of a page that shows what a filter finds, and under which name it was saved. */
export function queryOf(filter: TaskFilter, saved?: Pick<SavedFilter, 'id'> | null): string {
  const query = [toQuery(filter), saved ? `filter=${saved.id}` : ''].filter((part) => part !== '').join('&');
  return query === '' ? '' : `?${query}`;
}

/** Where a saved filter shows what it finds, behind the address of the workspace. No board has archived tasks. */
export function addressOf(saved: Pick<SavedFilter, 'id' | 'filter'>): string {
  return (saved.filter.archived ? '/tasks' : '/board') + queryOf(saved.filter, saved);
}
