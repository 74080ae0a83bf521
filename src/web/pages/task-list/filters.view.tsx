import { isSortedByDeadline } from '../../../tasks/saved-filters/task-filter.ts';
import {
  buildAssigneeChoice,
  buildDeadlineChoice,
  buildPriorityChoice,
  buildProjectChoice,
  buildStatusChoice,
} from '../../components/filter-choices.ts';
import { DateFilter, Filters, TagFilter } from '../../components/filters.tsx';
import { columnLabels, getVisibleColumns } from './columns.tsx';
import type { Props } from './task-list.view.tsx';

export function TaskFilters({ params, answers }: Pick<Props, 'params' | 'answers'>) {
  const { q, due, from, to, project, status, assignee, priority, tag, blocked, archived, sort } = params;
  const { projects, statuses, people, chosen, chosenProject, saved, labels } = answers;
  return (
    <Filters
      label="Filter tasks"
      text={q}
      kept={['project', 'cols']}
      isSet={Boolean(
        due || from || to || status || assignee || priority || tag || blocked || archived || sort,
      )}
      choices={[
        buildProjectChoice(project, { projects, current: chosenProject }),
        buildStatusChoice(status, statuses.data),
        buildAssigneeChoice(assignee, { people, current: chosen }),
        buildPriorityChoice(priority),
        buildDeadlineChoice(due),
        {
          name: 'blocked',
          label: 'Blocked',
          value: blocked,
          options: [
            ['', 'Blocked or not'],
            ['true', 'Blocked'],
            ['false', 'Not blocked'],
          ],
        },
        {
          name: 'archived',
          label: 'Archive',
          value: archived,
          options: [
            ['', 'Not archived'],
            ['true', 'Archived'],
          ],
        },
        {
          name: 'sort',
          label: 'Order',
          value: sort,
          options: getSortOptions(params),
        },
      ]}
    >
      <TagFilter value={tag} labels={labels} />
      <DateFilter name="from" label="Due from" value={from} />
      <DateFilter name="to" label="to" says="Due to" value={to} />
      <ColumnChoice params={params} />
      {saved ? <input type="hidden" name="filter" value={String(saved.id)} /> : null}
    </Filters>
  );
}

/** Has a button, so that people can select several columns before they submit the form. */
function ColumnChoice({ params }: Pick<Props, 'params'>) {
  const shown = getVisibleColumns(params).map(({ name }) => name);
  return (
    <details class="drop-down">
      <summary>Columns</summary>
      <fieldset>
        <legend class="off-screen">Columns</legend>
        {columnLabels.map(([name, label]) => (
          <label>
            <input type="checkbox" name="cols" value={name} checked={shown.includes(name)} /> {label}
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
  if (isSortedByDeadline(filter) && filter.sort !== 'due') return [['', 'By deadline']];
  return [
    ['', 'Newest first'],
    ['due', 'By deadline'],
    ...(filter.archived ? [] : [['updated', 'Recently updated'] as const]),
  ];
}
