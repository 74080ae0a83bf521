import { taskPriorities } from '../../task-model/tasks.schema.ts';
import { useVisit } from '../../web/components/context.ts';
import { priorityLabels } from '../../web/components/work.tsx';
import { columnLabels, columnsShown } from './columns.tsx';
import type { Props } from './task-list.view.tsx';

/** Filters, order and columns stand in the address, so a list can be sent to somebody as it is. */
export function Filters({ params, answers }: Pick<Props, 'params' | 'answers'>) {
  const { address } = useVisit();
  const [path] = address.split('?');
  const people = answers.people.data.map(({ id, name }) => [id, name] as const);
  const choices = [
    ['project', 'Every project', answers.projects.data.map(({ id, name }) => [String(id), name] as const)],
    [
      'status',
      'Any status',
      [
        ['open', 'Open'] as const,
        ...answers.statuses.data.map(({ value, label }) => [value, label] as const),
      ],
    ],
    ['assignee', 'Everyone', [['me', 'Me'] as const, ['none', 'Nobody'] as const, ...people]],
    ['priority', 'Any priority', taskPriorities.map((value) => [value, priorityLabels[value]] as const)],
    ['archived', 'Not archived', [['true', 'Archived']] as const],
    [
      'sort',
      'Newest first',
      [
        ['due', 'By deadline'],
        ['updated', 'Last changed'],
      ] as const,
    ],
  ] as const;
  const isFiltered = address.includes('?');
  return (
    <form method="get" action={path} class="filters" aria-label="Filter the tasks" data-auto>
      <input
        type="search"
        name="q"
        value={params.q}
        maxlength={200}
        placeholder="Filter by text"
        aria-label="Text"
      />
      <input type="date" name="from" value={params.from} aria-label="Deadline from" title="Deadline from" />
      <input type="date" name="to" value={params.to} aria-label="Deadline to" title="Deadline to" />
      {choices.map(([name, every, options]) => (
        <select name={name} aria-label={name}>
          <option value="">{every}</option>
          {options.map(([value, label]) => (
            <option value={value} selected={value === String(params[name] ?? '')}>
              {label}
            </option>
          ))}
        </select>
      ))}
      <ColumnChoice params={params} />
      <button type="submit" class="plain auto">
        Filter
      </button>
      {isFiltered ? <a href={path}>Clear</a> : null}
    </form>
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
