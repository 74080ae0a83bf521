import type { Child } from 'hono/jsx';
import type { FieldChoice } from '../../../tasks/custom-fields/custom-fields.schema.ts';
import { isSortedByDeadline, type TaskFilter } from '../../../tasks/saved-filters/task-filter.ts';
import { buildFieldFilterChoices } from '../../components/field-filter-choices.ts';
import {
  buildAssigneeChoice,
  buildBlockedChoice,
  buildDeadlineChoice,
  buildParentChoice,
  buildPriorityChoice,
  type FilterField,
} from '../../components/filter-choices.ts';
import { Filters, TagFilter } from '../../components/filters.tsx';
import type { LabelChoices } from '../../components/tags.tsx';

interface BoardFiltersProps {
  filter: Pick<
    TaskFilter,
    'q' | 'assignee' | 'priority' | 'tag' | 'blocked' | 'parent' | 'fields' | 'due' | 'from' | 'to' | 'sort'
  > & { project?: number | undefined };
  fields: readonly FieldChoice[];
  parentName: string | undefined;
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
  fields,
  parentName,
  orders,
  before = [],
  isSet,
  children,
}: BoardFiltersProps) {
  const { q, assignee, priority, tag, blocked, parent, due, sort } = filter;
  const isAnyFilterSet = assignee || priority || tag || blocked || parent || filter.fields || due || sort;
  return (
    <Filters
      label="Filter the board"
      isMenu
      text={q}
      isSet={isSet || Boolean(isAnyFilterSet)}
      choices={[
        ...before,
        buildAssigneeChoice(assignee, people),
        buildPriorityChoice(priority),
        buildDeadlineChoice(due),
        ...buildFieldFilterChoices(filter, { defined: fields, people: people.people.data }),
        buildBlockedChoice(blocked),
        buildParentChoice(parent, parentName),
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
