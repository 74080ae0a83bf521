import { isSortedByDeadline } from '../../../tasks/saved-filters/task-filter.ts';
import { buildFieldFilterChoices } from '../../components/field-filter-choices.ts';
import {
  buildAssigneeChoice,
  buildBlockedChoice,
  buildDeadlineChoice,
  buildParentChoice,
  buildPriorityChoice,
  buildProjectChoice,
  buildStatusChoice,
} from '../../components/filter-choices.ts';
import { DateFilterChip, Filters, TagFilter } from '../../components/filters.tsx';
import { getVisibleColumns, listColumnLabels } from './columns.tsx';
import type { Props } from './task-list.view.tsx';

export function TaskFilters({ params, answers }: Pick<Props, 'params' | 'answers'>) {
  const {
    q,
    due,
    from,
    to,
    project,
    status,
    assignee,
    priority,
    tag,
    blocked,
    parent,
    archived,
    sort,
    fields,
  } = params;
  const { projects, statuses, people, chosen, chosenProject, chosenParent, saved, labels } = answers;
  return (
    <Filters
      label="Filter tasks"
      isMenu
      text={q}
      keptParams={['project', 'cols']}
      isSet={Boolean(
        due ||
          from ||
          to ||
          status ||
          assignee ||
          priority ||
          tag ||
          blocked ||
          parent ||
          archived ||
          sort ||
          fields,
      )}
      choices={[
        buildProjectChoice(project, { projects, current: chosenProject }),
        buildStatusChoice(status, statuses.data),
        buildAssigneeChoice(assignee, { people, current: chosen?.people }),
        buildPriorityChoice(priority),
        buildDeadlineChoice(due),
        ...buildFieldFilterChoices(params, { defined: answers.fields.data, people: people.data }),
        buildBlockedChoice(blocked),
        buildParentChoice(parent, chosenParent?.name),
        {
          name: 'archived',
          label: 'Archived',
          value: archived,
          options: [
            ['', 'Archived: No'],
            ['true', 'Archived: Yes'],
          ],
        },
        {
          name: 'sort',
          label: 'Sort by',
          value: sort,
          options: getSortOptions(params),
        },
      ]}
    >
      <TagFilter value={tag} labels={labels} />
      <DateFilterChip name="from" label="Due from" value={from} />
      <DateFilterChip name="to" label="Due by" value={to} />
      <ColumnsMenu params={params} answers={answers} />
      {saved ? <input type="hidden" name="filter" value={String(saved.id)} /> : null}
    </Filters>
  );
}

/** Has a button so that people can select several columns before they submit the form. */
function ColumnsMenu({ params, answers }: Pick<Props, 'params' | 'answers'>) {
  const visibleNames = getVisibleColumns(params, answers.fields.data).map(({ name }) => name);
  return (
    <details class="drop-down">
      <summary>Columns</summary>
      <fieldset data-default={params.cols === undefined}>
        <legend class="off-screen">Columns</legend>
        {listColumnLabels(answers.fields.data).map(([name, label]) => (
          <label>
            <input type="checkbox" name="cols" value={name} checked={visibleNames.includes(name)} /> {label}
          </label>
        ))}
        <button type="submit" class="plain">
          Apply
        </button>
      </fieldset>
    </details>
  );
}

function getSortOptions(filter: Props['params']): readonly (readonly [string, string])[] {
  if (isSortedByDeadline(filter) && filter.sort !== 'due') return [['', 'Deadline']];
  return [
    ['', 'Newest first'],
    ['due', 'Deadline'],
    ...(filter.archived ? [] : [['updated', 'Recently updated'] as const]),
  ];
}
