import { addDays, getWeekRange } from '../../../kernel/dates/civil-date.ts';
import { type BoundedCount, CANDIDATES_READ_MAX } from '../../../kernel/lists/bounded-count.ts';
import { formatNumber } from '../../../kernel/text/number-format.ts';
import { useVisit } from '../../components/context.ts';
import type { ViewProps } from '../../page-model/page.ts';
import type { dashboardOptionalReads, dashboardParams, dashboardReads } from './dashboard.tsx';
import { DashboardSection } from './dashboard-section.view.tsx';
import { LatestComments, UpcomingDeadlines } from './deadlines-and-comments.view.tsx';
import { DashboardFilters } from './filters.view.tsx';
import { BurnUpChart } from './flow.view.tsx';
import { buildTaskListLink, intersectDateRanges } from './task-list-link.ts';
import { findUnsupportedFilters } from './unsupported-filters.ts';
import { WorkloadSection } from './workload.view.tsx';

export type Props = ViewProps<typeof dashboardParams, typeof dashboardReads, typeof dashboardOptionalReads>;

export function DashboardView({ visit: { base }, params, answers }: Props) {
  const { comments, workload, flow, columns } = answers;
  const { project } = params;
  const unsupported = findUnsupportedFilters(params);
  const completed = buildTaskListLink(base, { project, mode: params.mode }, {}, { status: 'completed' });
  const charts = (
    <>
      {workload ? <WorkloadSection workload={workload} params={params} /> : null}
      <UnsupportedFiltersSection id="workload" title="Workload" filters={unsupported.workload} />
      {flow ? (
        <BurnUpChart flow={{ ...flow, statuses: columns?.data ?? flow.statuses }} to={completed} />
      ) : null}
      <UnsupportedFiltersSection id="flow" title="Flow" filters={unsupported.flow} />
    </>
  );
  const deadlines = <UpcomingDeadlines params={params} answers={answers} />;
  const isTasksOnly = workload === null && flow === null;
  return (
    <>
      <header class="head">
        <h1>Dashboard</h1>
      </header>
      <DashboardFilters params={params} answers={answers} />
      <DashboardTiles params={params} answers={answers} />
      <div class="two-columns">
        <div>{isTasksOnly ? deadlines : charts}</div>
        <div>
          {isTasksOnly ? null : deadlines}
          {comments ? <LatestComments comments={comments} params={params} /> : null}
          <UnsupportedFiltersSection id="comments" title="Latest comments" filters={unsupported.comments} />
          {isTasksOnly ? charts : null}
        </div>
      </div>
    </>
  );
}

function DashboardTiles({ params, answers: { tiles } }: Pick<Props, 'params' | 'answers'>) {
  const { base, today } = useVisit();
  const { q } = params;
  const { projects, overdue, dueToday, dueThisWeek } = tiles;
  const buildTileLink = (range: Parameters<typeof intersectDateRanges>[0]) => {
    const days = intersectDateRanges(range, params);
    return days && buildTaskListLink(base, params, days, { status: 'open', sort: 'due' });
  };
  const isCut = Object.values(tiles).some(({ isAll }) => !isAll);
  return (
    <>
      <div class="tiles">
        <DashboardTile to={`${base}/projects`} number={projects} label="Projects" />
        <DashboardTile
          to={buildTileLink({ to: addDays(today, -1) })}
          number={overdue}
          label="Overdue"
          kind={overdue.count > 0 ? 'overdue' : undefined}
        />
        <DashboardTile to={buildTileLink({ from: today, to: today })} number={dueToday} label="Due today" />
        <DashboardTile
          to={buildTileLink({ from: today, to: getWeekRange(today).to })}
          number={dueThisWeek}
          label="Due this week"
        />
      </div>
      {q && isCut ? (
        <p class="hint under">
          Only the newest {CANDIDATES_READ_MAX.tasks} tasks that match “<bdi>{q}</bdi>” are counted.{' '}
          <a href={buildTaskListLink(base, params, params)}>View all as a list</a>
        </p>
      ) : null}
    </>
  );
}

interface DashboardTileProps {
  to: string | null;
  number: BoundedCount;
  label: string;
  kind?: string | undefined;
}

function DashboardTile({ to, number: { count, isAll }, label, kind }: DashboardTileProps) {
  const content = (
    <>
      <strong>{`${formatNumber(count)}${isAll ? '' : '+'}`}</strong>
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

interface UnsupportedFiltersSectionProps {
  id: string;
  title: string;
  filters: string;
}

function UnsupportedFiltersSection({ id, title, filters }: UnsupportedFiltersSectionProps) {
  return filters === '' ? null : (
    <DashboardSection id={id} title={title}>
      <p class="hint">
        {title} can't be filtered by {filters}.
      </p>
    </DashboardSection>
  );
}
