import { addDays, weekOf } from '../../../kernel/dates/civil.ts';
import { type CountSoFar, LOOKED_AT } from '../../../kernel/lists/count-so-far.ts';
import { wholeNumber } from '../../../kernel/text/number-format.ts';
import { useVisit } from '../../components/context.ts';
import type { ViewProps } from '../../page-model/page.ts';
import type { dashboardMaybe, dashboardParams, dashboardReads } from './dashboard.tsx';
import { DashboardFilters } from './filters.view.tsx';
import { Flow } from './flow.view.tsx';
import { leftOut } from './left-out.ts';
import { daysLeft, listBehind } from './list-behind.ts';
import { Comments, Deadlines } from './lists.view.tsx';
import { Part } from './part.view.tsx';
import { Workload } from './workload.view.tsx';

export type Props = ViewProps<typeof dashboardParams, typeof dashboardReads, typeof dashboardMaybe>;

export function DashboardView({ visit: { base }, params, answers }: Props) {
  const { comments, workload, flow } = answers;
  const { project } = params;
  const isLeftOut = leftOut(params);
  const completed = listBehind(base, { project, mode: params.mode }, {}, { status: 'completed' });
  const hours = (
    <>
      {workload ? <Workload workload={workload} params={params} /> : null}
      <LeftOut id="workload" title="Workload" what="hours are not counted" reasons={isLeftOut.workload} />
      {flow ? <Flow flow={flow} to={completed} /> : null}
      <LeftOut id="flow" title="Flow" what="the flow is not kept" reasons={isLeftOut.flow} />
    </>
  );
  const deadlines = <Deadlines params={params} answers={answers} />;
  const isOfTasks = workload === null && flow === null;
  return (
    <>
      <header class="head">
        <h1>Dashboard</h1>
      </header>
      <DashboardFilters params={params} answers={answers} />
      <Tiles params={params} answers={answers} />
      <div class="two">
        <div>{isOfTasks ? deadlines : hours}</div>
        <div>
          {isOfTasks ? null : deadlines}
          {comments ? <Comments comments={comments} params={params} /> : null}
          <LeftOut
            id="comments"
            title="Latest comments"
            what="comments are not filtered"
            reasons={isLeftOut.comments}
          />
          {isOfTasks ? hours : null}
        </div>
      </div>
    </>
  );
}

function Tiles({ params, answers: { tiles } }: Pick<Props, 'params' | 'answers'>) {
  const { base, today } = useVisit();
  const { q } = params;
  const { projects, overdue, dueToday, dueThisWeek } = tiles;
  const behind = (window: Parameters<typeof daysLeft>[0]) => {
    const days = daysLeft(window, params);
    return days && listBehind(base, params, days, { status: 'open', sort: 'due' });
  };
  const isCut = Object.values(tiles).some(({ isAll }) => !isAll);
  return (
    <>
      <div class="tiles">
        <Tile to={`${base}/projects`} number={projects} label="Projects" />
        <Tile
          to={behind({ to: addDays(today, -1) })}
          number={overdue}
          label="Overdue"
          kind={overdue.count > 0 ? 'overdue' : undefined}
        />
        <Tile to={behind({ from: today, to: today })} number={dueToday} label="Due today" />
        <Tile to={behind({ from: today, to: weekOf(today).to })} number={dueThisWeek} label="Due this week" />
      </div>
      {q && isCut ? (
        <p class="hint under">
          More tasks say “<bdi>{q}</bdi>” than are counted here: these are the newest {LOOKED_AT.tasks}.{' '}
          <a href={listBehind(base, params, params)}>All of them as a list</a>
        </p>
      ) : null}
    </>
  );
}

interface TileProps {
  /** Null where the filter leaves no day of it. */
  to: string | null;
  number: CountSoFar;
  label: string;
  kind?: string | undefined;
}

function Tile({ to, number: { count, isAll }, label, kind }: TileProps) {
  const content = (
    <>
      <strong>{`${wholeNumber(count)}${isAll ? '' : '+'}`}</strong>
      {label}
    </>
  );
  return to === null ? (
    <div>{content}</div>
  ) : (
    <a href={to} class={kind}>
      {content}
    </a>
  );
}

interface LeftOutProps {
  id: string;
  title: string;
  what: string;
  /** Empty where it is shown. */
  reasons: string;
}

/** In place of a part that knows none of these filters: it would be about other tasks than the rest. */
function LeftOut({ id, title, what, reasons }: LeftOutProps) {
  return reasons === '' ? null : (
    <Part id={id} title={title}>
      <p class="hint">
        Not shown, because {what} by {reasons}.
      </p>
    </Part>
  );
}
