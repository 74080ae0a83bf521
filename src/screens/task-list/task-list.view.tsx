import { taskPriorities } from '../../task-model/tasks.schema.ts';
import { Blank } from '../../web/components/blank.tsx';
import { useVisit } from '../../web/components/context.ts';
import { Pager } from '../../web/components/pager.tsx';
import { PersonName } from '../../web/components/people.tsx';
import { count, Due } from '../../web/components/time.tsx';
import { Priority, priorityLabels, Status } from '../../web/components/work.tsx';
import type { ViewProps } from '../../web/page-model/page.ts';
import type { taskListParams, taskListReads } from './task-list.tsx';

type Props = ViewProps<typeof taskListParams, typeof taskListReads, Record<never, never>>;

export function TaskListView({ visit: { base }, params, answers }: Props) {
  const { tasks, statuses } = answers;
  const project = answers.projects.data.find(({ id }) => id === params.project);
  return (
    <div data-project={params.project}>
      <header class="head">
        <h1>
          <bdi>{project?.name ?? 'All tasks'}</bdi>
        </h1>
        {params.project === undefined ? null : (
          <nav class="tabs" aria-label="Views of the project">
            <a href={`${base}/projects/${params.project}`}>Board</a>
            <a href={`${base}/tasks?project=${params.project}`} aria-current="page">
              List
            </a>
          </nav>
        )}
      </header>
      <Filters params={params} answers={answers} />
      {tasks.data.length === 0 ? (
        <Blank icon="layout-list">
          <p>No task fits. Take a filter away, or look at the archived ones.</p>
        </Blank>
      ) : (
        <div class="panel scroll-x">
          <table class="data">
            <caption class="off-screen">{count(tasks.meta.total, 'task')}</caption>
            <thead>
              <tr>
                <th scope="col" class="name">
                  Task
                </th>
                <th scope="col">Status</th>
                <th scope="col" class="wide-only">
                  <span class="off-screen">Priority</span>
                </th>
                <th scope="col">Assignee</th>
                <th scope="col">Deadline</th>
                {params.project === undefined ? (
                  <th scope="col" class="wide-only">
                    Project
                  </th>
                ) : null}
              </tr>
            </thead>
            <tbody>
              {tasks.data.map((task) => (
                <tr id={`task-${task.id}`}>
                  <td class="name">
                    <a href={`${base}/tasks/${task.id}`}>{task.name}</a>
                  </td>
                  <td>
                    <Status status={statuses.data.find(({ value }) => value === task.status)} />
                  </td>
                  <td class="wide-only">
                    <Priority priority={task.priority} />
                  </td>
                  <td>{task.assignee ? <PersonName person={task.assignee} /> : null}</td>
                  <td>
                    {task.deadline ? <Due date={task.deadline} isDone={task.status === 'completed'} /> : null}
                  </td>
                  {params.project === undefined ? <td class="wide-only">{task.project.name}</td> : null}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Pager meta={tasks.meta} />
    </div>
  );
}

function Filters({ params, answers }: Pick<Props, 'params' | 'answers'>) {
  const { address } = useVisit();
  const [path] = address.split('?');
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
    [
      'assignee',
      'Everyone',
      [
        ['me', 'Me'] as const,
        ['none', 'Nobody'] as const,
        ...answers.people.data.map(({ id, name }) => [id, name] as const),
      ],
    ],
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
      <button type="submit" class="plain auto">
        Filter
      </button>
      {isFiltered ? <a href={path}>Clear</a> : null}
    </form>
  );
}
