import type { Child } from 'hono/jsx';
import { isByDeadline, type TaskFilter } from '../../saved-filters/task-filter.ts';
import { Filters } from '../../web/components/filters.tsx';
import { dueOptions, priorityOptions } from '../../web/components/work.tsx';

type Choices = Parameters<typeof Filters>[0]['choices'];
type Choice = Choices[number];

interface FiltersProps {
  filter: Pick<TaskFilter, 'q' | 'assignee' | 'priority' | 'due' | 'from' | 'to' | 'sort'>;
  people: NonNullable<Choice['people']>;
  orders: Choice['options'];
  /** Choices before those of every board. */
  before?: Choices;
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
        {
          name: 'assignee',
          label: 'Assignee',
          value: assignee,
          options: [
            ['', 'Everyone'],
            ['me', 'Me'],
            ['none', 'Nobody'],
          ],
          people,
        },
        {
          name: 'priority',
          label: 'Priority',
          value: priority,
          options: [['', 'Any priority'], ...priorityOptions],
        },
        { name: 'due', label: 'Deadline', value: due, options: [['', 'Any deadline'], ...dueOptions] },
        {
          name: 'sort',
          label: 'Order',
          value: sort,
          options: isByDeadline(filter) && sort !== 'due' ? [['', 'By deadline']] : orders,
        },
      ]}
    >
      {children}
    </Filters>
  );
}
