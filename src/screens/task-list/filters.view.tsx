import { Filters } from '../../web/components/filters.tsx';
import { priorityOptions } from '../../web/components/work.tsx';
import { columnLabels, columnsShown } from './columns.tsx';
import type { Props } from './task-list.view.tsx';

export function TaskFilters({ params, answers }: Pick<Props, 'params' | 'answers'>) {
  const { q, from, to, project, status, assignee, priority, archived, sort } = params;
  const { projects, statuses, people, chosen, chosenProject } = answers;
  return (
    <Filters
      label="Filter the tasks"
      text={q}
      kept={['project', 'cols']}
      isSet={Boolean(from || to || status || assignee || priority || archived || sort)}
      choices={[
        {
          name: 'project',
          label: 'Project',
          value: project,
          options: [['', 'Every project']],
          projects: { projects, current: chosenProject },
        },
        {
          name: 'status',
          label: 'Status',
          value: status,
          options: [
            ['', 'Any status'],
            ['open', 'Open'],
            ...statuses.data.map(({ value, label }) => [value, label] as const),
          ],
        },
        {
          name: 'assignee',
          label: 'Assignee',
          value: assignee,
          options: [
            ['', 'Everyone'],
            ['me', 'Me'],
            ['none', 'Nobody'],
          ],
          people: { people, current: chosen },
        },
        {
          name: 'priority',
          label: 'Priority',
          value: priority,
          options: [['', 'Any priority'], ...priorityOptions],
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
          options: [
            ['', 'Newest first'],
            ['due', 'By deadline'],
            ['updated', 'Last changed'],
          ],
        },
      ]}
    >
      <label class="dated">
        Due from <input type="date" name="from" value={from} />
      </label>
      <label class="dated">
        to <input type="date" name="to" value={to} aria-label="Due to" />
      </label>
      <ColumnChoice params={params} />
    </Filters>
  );
}

/** Sent with the filters, by a button of its own, so that several can be ticked before. */
function ColumnChoice({ params }: Pick<Props, 'params'>) {
  const shown = columnsShown(params).map(({ name }) => name);
  return (
    <details class="columns-choice">
      <summary>Columns</summary>
      <fieldset data-waits>
        <legend class="off-screen">Columns</legend>
        {columnLabels.map(([name, label]) => (
          <label>
            <input type="checkbox" name="cols" value={name} checked={shown.includes(name)} /> {label}
          </label>
        ))}
        <button type="submit" class="plain">
          Show these
        </button>
      </fieldset>
    </details>
  );
}
