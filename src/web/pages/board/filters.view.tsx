import type { Child } from 'hono/jsx';
import { isSortedByDeadline, type TaskFilter } from '../../../tasks/saved-filters/task-filter.ts';
import {
  buildAssigneeChoice,
  buildDeadlineChoice,
  buildPriorityChoice,
  type FilterField,
} from '../../components/filter-choices.ts';
import { Filters, TagFilter } from '../../components/filters.tsx';
import type { LabelChoices } from '../../components/tags.tsx';

interface BoardFiltersProps {
  filter: Pick<TaskFilter, 'q' | 'assignee' | 'priority' | 'tag' | 'due' | 'from' | 'to' | 'sort'>;
  labels: LabelChoices | null;
  people: NonNullable<FilterField['people']>;
  orders: FilterField['options'];
  before?: readonly FilterField[];
  isSet?: boolean;
  children?: Child;
}

export function BoardFilters({
  filter,
  labels,
  people,
  orders,
  before = [],
  isSet,
  children,
}: BoardFiltersProps) {
  const { q, assignee, priority, tag, due, sort } = filter;
  return (
    <Filters
      label="Filter the board"
      isMenu
      text={q}
      isSet={isSet || Boolean(assignee || priority || tag || due || sort)}
      choices={[
        ...before,
        buildAssigneeChoice(assignee, people),
        buildPriorityChoice(priority),
        buildDeadlineChoice(due),
        {
          name: 'sort',
          label: 'Sort by',
          value: sort,
          options: isSortedByDeadline(filter) && sort !== 'due' ? [['', 'Deadline']] : orders,
        },
      ]}
    >
      <TagFilter value={tag} labels={labels} />
      {children}
    </Filters>
  );
}
