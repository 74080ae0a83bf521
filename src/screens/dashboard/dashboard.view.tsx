import type { Child } from 'hono/jsx';
import { FOUND_COUNTED } from '../../dashboard/tracked-time.ts';
import { addDays, weekOf } from '../../kernel/civil.ts';
import { numberUpTo, wholeNumber } from '../../kernel/number-format.ts';
import { Blank } from '../../web/components/blank.tsx';
import { useVisit } from '../../web/components/context.ts';
import { ProjectSelect } from '../../web/components/finding-select.tsx';
import { Mentioning } from '../../web/components/mentioning.tsx';
import { Avatar } from '../../web/components/people.tsx';
import { Ago, Due } from '../../web/components/time.tsx';
import { Dot } from '../../web/components/work.tsx';
import type { ViewProps } from '../../web/page-model/page.ts';
import type { dashboardMaybe, dashboardParams, dashboardReads } from './dashboard.tsx';
import { lastDayAhead } from './days-shown.ts';
import { Flow } from './flow.view.tsx';
import { Workload } from './workload.view.tsx';

type Props = ViewProps<typeof dashboardParams, typeof dashboardReads, typeof dashboardMaybe>;

export function DashboardView({ visit: { base, today }, params, answers }: Props) {
  const { stats, due, comments, workload, flow } = answers;
  const ofProject = params.project === undefined ? {} : { project: String(params.project) };
  /** The list with these deadlines. It knows projects and no teams. */
  const withDeadline = (to: string, more: { from?: string; status?: 'open' }) =>
    `${base}/tasks?${new URLSearchParams({
      ...more,
      sort: 'due',
      to,
      ...ofProject,
    })}`;
  const completed = `${base}/tasks?${new URLSearchParams({ status: 'completed', ...ofProject })}`;
  const behind = (to: string, from?: string) => withDeadline(to, { status: 'open', ...(from && { from }) });
  return (
    <>
      <header class="head">
        <h1>Dashboard</h1>
        <Filters params={params} answers={answers} />
      </header>
      <div class="tiles">
        <Tile to={`${base}/projects`} number={stats.projects} label="Projects" />
        <Tile
          to={behind(addDays(today, -1))}
          number={stats.overdue}
          label="Overdue"
          kind={stats.overdue > 0 ? 'overdue' : undefined}
        />
        <Tile to={behind(today, today)} number={stats.dueToday} label="Due today" />
        <Tile to={behind(weekOf(today).to, today)} number={stats.dueThisWeek} label="Due this week" />
      </div>
      <div class="two">
        <div>
          <Workload workload={workload} mode={params.mode} />
          {flow ? <Flow flow={flow} to={completed} /> : null}
        </div>
        <div>
          <Part
            id="due"
            title="Deadlines of the next two weeks"
            number={numberUpTo(due.total, FOUND_COUNTED)}
            to={withDeadline(lastDayAhead(today), { from: today })}
          >
            {due.data.length === 0 ? (
              <Blank icon="calendar">Nothing is due in the next two weeks.</Blank>
            ) : (
              <ul class="rows panel">
                {due.data.map((task) => (
                  <li>
                    <Dot color={task.status.color} />
                    <a class="row-name" href={`${base}/tasks/${task.id}`}>
                      {task.title}
                    </a>
                    <span class="row-fact wide-only">{task.project.name}</span>
                    {task.assignee ? <Avatar person={task.assignee} /> : null}
                    <span class="row-date">
                      {task.deadline ? (
                        <Due date={task.deadline} isDone={task.status.value === 'completed'} />
                      ) : null}
                    </span>
                  </li>
                ))}
              </ul>
            )}
          </Part>
          {comments.data.length === 0 ? null : (
            <Part id="comments" title="Latest comments">
              <ul class="rows panel">
                {comments.data.map((comment) => (
                  <li>
                    <Avatar person={comment.author} />
                    <a class="row-name" href={`${base}/tasks/${comment.task.id}#comment-${comment.id}`}>
                      <Mentioning text={comment.content} />
                    </a>
                    <span class="row-fact">
                      <Ago at={comment.createdAt} />
                    </span>
                  </li>
                ))}
              </ul>
            </Part>
          )}
        </div>
      </div>
    </>
  );
}

interface TileProps {
  to: string;
  number: number;
  label: string;
  kind?: string | undefined;
}

function Tile({ to, number, label, kind }: TileProps) {
  return (
    <a href={to} class={kind}>
      <strong>{wholeNumber(number)}</strong>
      {label}
    </a>
  );
}

interface PartProps {
  id: string;
  title: string;
  number?: string;
  /** The list behind the number. */
  to?: string;
  children: Child;
}

function Part({ id, title, number, to, children }: PartProps) {
  return (
    <section class="group" aria-labelledby={id}>
      <h2 id={id}>
        {title}{' '}
        {number && to ? (
          <a href={to} aria-label={`${number} as a list`}>
            <span class="number">{number}</span>
          </a>
        ) : null}
      </h2>
      {children}
    </section>
  );
}

function Filters({ params, answers: { projects, teams, chosenProject } }: Pick<Props, 'params' | 'answers'>) {
  const { address } = useVisit();
  const [path] = address.split('?');
  return (
    <form method="get" action={path} class="filters" aria-label="Filter the dashboard" data-auto>
      <ProjectSelect
        name="project"
        label="Project"
        isLabelHidden
        value={String(params.project ?? '')}
        first={[['', 'Every project']]}
        projects={projects}
        current={chosenProject}
      />
      <select name="team" aria-label="Team">
        <option value="">Every team</option>
        {teams.data.map(({ id, name }) => (
          <option value={String(id)} selected={id === params.team}>
            {name}
          </option>
        ))}
      </select>
      <select name="mode" aria-label="Workload of">
        <option value="daily" selected={params.mode === 'daily'}>
          Today
        </option>
        <option value="monthly" selected={params.mode === 'monthly'}>
          This month
        </option>
      </select>
      <button type="submit" class="plain auto">
        Show
      </button>
    </form>
  );
}
