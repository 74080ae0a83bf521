import type { Child } from 'hono/jsx';
import { BOUNDED_COUNT_MAX } from '../../../kernel/lists/bounded-count.ts';
import { formatCount, formatNumberUpTo } from '../../../kernel/text/number-format.ts';
import { CompleteButton, CompleteTasksForm } from '../../components/complete-button.tsx';
import { PersonName } from '../../components/people.tsx';
import { PriorityIcon } from '../../components/status-and-priority.tsx';
import { Deadline } from '../../components/time.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import { commandGroups, filterAvailableCommands, findCommands } from './commands.ts';
import { CommandRows } from './commands.view.tsx';
import type { searchOptionalReads, searchParams, searchReads } from './search.tsx';

type Props = ViewProps<typeof searchParams, typeof searchReads, typeof searchOptionalReads>;

const COMMANDS_SHOWN_MAX = 6;

export function SearchView({ visit, params: { q }, answers }: Props) {
  const { base, address } = visit;
  const [path] = address.split('?');
  const commands = findCommands(q ?? '', visit).slice(0, COMMANDS_SHOWN_MAX);
  const { tasks, statuses } = answers;
  const matches = tasks?.data ?? [];
  const numbered = (answers.numbered?.data ?? []).filter(({ id }) => matches.every((task) => task.id !== id));
  const { projects = [], people = [] } = answers.names ?? {};
  const isEmpty =
    tasks?.data.length === 0 && [commands, projects, people, numbered].every(({ length }) => length === 0);
  return (
    <>
      <header class="head">
        <h1 class="off-screen">Search</h1>
        <search class="search-box">
          <form method="get" action={path} data-live>
            <input
              type="search"
              name="q"
              value={q}
              maxlength={200}
              autofocus
              autocomplete="off"
              placeholder="Tasks, projects, people, commands…"
              aria-label="Search"
              aria-describedby="search-keys"
            />
            <button type="submit" class="plain">
              Search
            </button>
          </form>
          <p class="hint" id="search-keys">
            {q ? null : 'Search projects, people and tasks, including checklists, tags and text fields. '}
            <span class="scripted-only">
              <kbd>↓</kbd> and <kbd>↑</kbd> to select, <kbd>Enter</kbd> to open.
            </span>
          </p>
        </search>
      </header>
      <div id="found" aria-live="polite" class={q?.trim() ? undefined : 'commands'}>
        {q?.trim()
          ? null
          : commandGroups.map(([title, group]) => {
              const offered = filterAvailableCommands(group, visit);
              return (
                <ResultGroup title={title} total={offered.length} isCounted={false}>
                  <CommandRows commands={offered} />
                </ResultGroup>
              );
            })}
        {isEmpty ? <p class="empty">No results for “{q}”.</p> : null}
        <ResultGroup title="Commands" total={commands.length}>
          <CommandRows commands={commands} />
        </ResultGroup>
        <ResultGroup title="Projects" total={projects.length}>
          {projects.map(({ id, name }) => (
            <li>
              <a class="row-name" href={`${base}/projects/${id}`}>
                {name}
              </a>
            </li>
          ))}
        </ResultGroup>
        <ResultGroup title="People" total={people.length}>
          {people.map(({ id, name }) => (
            <li>
              <a class="row-name" href={`${base}/tasks?assignee=${encodeURIComponent(id)}`}>
                <PersonName person={{ id, name }} />
              </a>
            </li>
          ))}
        </ResultGroup>
        <CompleteTasksForm />
        <ResultGroup
          title="Tasks"
          total={(tasks?.meta.total ?? 0) + numbered.length}
          countedTo={BOUNDED_COUNT_MAX}
        >
          {[...numbered, ...matches].map((task) => (
            <li>
              <CompleteButton
                task={task}
                nameId={`task-${task.id}`}
                status={statuses.data.find(({ value }) => value === task.status)}
              />
              <a id={`task-${task.id}`} class="row-name" href={`${base}/tasks/${task.id}`}>
                {task.name}
              </a>
              <PriorityIcon priority={task.priority} />
              <span class="row-meta row-project wide-only">{task.project.name}</span>
              <span class="row-date">
                {task.deadline ? (
                  <Deadline date={task.deadline} isDone={task.status === 'completed'} />
                ) : null}
              </span>
            </li>
          ))}
        </ResultGroup>
        {tasks?.meta.hasMore && q ? (
          <p>
            <a href={`${base}/tasks?q=${encodeURIComponent(q)}`}>
              All {formatCount(tasks.meta.total, 'task', BOUNDED_COUNT_MAX)}
            </a>
          </p>
        ) : null}
      </div>
    </>
  );
}

interface ResultGroupProps {
  title: string;
  total: number;
  countedTo?: number;
  isCounted?: boolean;
  children: Child;
}

function ResultGroup({ title, total, countedTo = total, isCounted = true, children }: ResultGroupProps) {
  if (total === 0) return null;
  return (
    <section class="group">
      <h2>
        {title} {isCounted ? <span class="number">{formatNumberUpTo(total, countedTo)}</span> : null}
      </h2>
      <ul class="rows panel">{children}</ul>
    </section>
  );
}
