import type { SavedFilter } from '../../../tasks/saved-filters/saved-filters.schema.ts';
import type { TaskFilter } from '../../../tasks/saved-filters/task-filter.ts';
import { useVisit } from '../../components/context.ts';
import { toFilterQuery } from './filter-url.ts';

interface TaskTabsProps {
  here: 'List' | 'Board' | 'Saved filters';
  filter?: TaskFilter;
  saved?: SavedFilter | null;
}

export function TaskTabs({ here, filter = {}, saved }: TaskTabsProps) {
  const { base } = useVisit();
  const query = toFilterQuery(filter, saved);
  const tabs = [
    ['List', `${base}/tasks${query}`],
    ['Board', `${base}/board${query}`],
    ['Saved filters', `${base}/filters`],
  ] as const;
  return (
    <nav class="tabs" aria-label="Task views">
      {tabs.map(([label, address]) => (
        <a href={address} aria-current={label === here ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}
