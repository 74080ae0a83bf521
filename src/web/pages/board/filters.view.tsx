import type { Child } from 'hono/jsx';
import { isSortedByDeadline, type TaskFilter } from '../../../tasks/saved-filters/task-filter.ts';
import {
  buildAssigneeChoice,
  buildDeadlineChoice,
  buildPriorityChoice,
  type FilterChoice,
} from '../../components/filter-choices.ts';
import { Filters } from '../../components/filters.tsx';

interface FiltersProps {
  filter: Pick<TaskFilter, 'q' | 'assignee' | 'priority' | 'due' | 'from' | 'to' | 'sort'>;
  people: NonNullable<FilterChoice['people']>;
  orders: FilterChoice['options'];
  before?: readonly FilterChoice[];
  isSet?: boolean;
  children?: Child;
}

export function BoardFilters({ filter, people, orders, before = [], isSet, children }: FiltersProps) {
  const { q, assignee, priority, due, sort } = filter;
  return (
    <Filters
      label="Filter the board"
      text={q}
      isSet={isSet || Boolean(assignee || priority || due || sort)}
      choices={[
        ...before,
        buildAssigneeChoice(assignee, people),
        buildPriorityChoice(priority),
        buildDeadlineChoice(due),
        {
          name: 'sort',
          label: 'Order',
          value: sort,
          options: isSortedByDeadline(filter) && sort !== 'due' ? [['', 'By deadline']] : orders,
        },
      ]}
    >
      {children}
    </Filters>
  );
}
