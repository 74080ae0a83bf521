import type * as z from 'zod';
import type { getDashboardWorkload } from '../../../dashboard/workload/page-workload.ts';
import { getReach } from '../../../kernel/access/capabilities.ts';
import { useVisit } from '../../components/context.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { PersonName } from '../../components/people.tsx';
import { StatusDot } from '../../components/status-and-priority.tsx';
import type { DashboardParams } from './dashboard.tsx';
import { formatDateRange } from './date-ranges.ts';

type Workload = z.output<typeof getDashboardWorkload.output>;
type PersonWorkload = Workload['workloads'][number];

const BAR_WIDTH = 100;
const BAR_HEIGHT = 8;

export function WorkloadSection({ workload, params }: { workload: Workload; params: DashboardParams }) {
  const { workloads, from, to } = workload;
  const { today } = useVisit();
  const hoursMax = Math.max(1, ...workloads.map((each) => Math.max(each.plannedHours, each.capacityHours)));
  return (
    <section class="group" aria-labelledby="workload">
      <h2 id="workload">
        Workload{' '}
        <span class="number">
          {from === today && to === today ? 'today' : formatDateRange({ from, to }, today)}
        </span>
      </h2>
      {workload.isSplit ? null : (
        <p class="hint">If a task has several assignees, its hours count toward the first one.</p>
      )}
      {workloads.length === 0 ? (
        <NoWorkloadMessage tooMany={workload.tooMany} params={params} />
      ) : (
        <ul class="rows panel workload-list">
          {workloads.map((load) => (
            <li>
              <details>
                <summary>
                  <PersonName person={load.user} />
                  <WorkloadBar load={load} hoursMax={hoursMax} />
                  <span class={load.plannedHours > load.capacityHours ? 'number over' : 'number'}>
                    {load.plannedHours} / {load.capacityHours} h
                  </span>
                </summary>
                <div class="scroll-x">
                  <WorkloadBreakdown load={load} />
                </div>
              </details>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function NoWorkloadMessage({ tooMany, params }: { tooMany: Workload['tooMany']; params: DashboardParams }) {
  const { caller } = useVisit();
  const { project, team, assignee, projectStatus } = params;
  const isFiltered = Boolean(project || team || assignee || projectStatus);
  return <EmptyState icon="gauge">{explainNoWorkload()}</EmptyState>;

  function explainNoWorkload(): string {
    if (getReach(caller, 'seeWorkload') === 'none')
      return "Your role doesn't include access to other people's hours.";
    if (tooMany === 'days') return 'Workload covers up to two months. Choose a shorter period.';
    if (tooMany === 'projects') return 'Too many projects to add up. Filter by project or person.';
    return isFiltered
      ? 'No open tasks for people whose hours you can see.'
      : 'Assign tasks to see planned hours against capacity.';
  }
}

function WorkloadBar({ load, hoursMax }: { load: PersonWorkload; hoursMax: number }) {
  const toBarWidth = (hours: number) => Math.round((hours / hoursMax) * BAR_WIDTH * 10) / 10;
  const isOver = load.plannedHours > load.capacityHours;
  return (
    <svg
      class="workload-bar"
      viewBox={`0 0 ${BAR_WIDTH} ${BAR_HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
    >
      <title>{`${load.utilization}% of ${load.capacityHours} hours planned`}</title>
      <rect width={BAR_WIDTH} height={BAR_HEIGHT} class="bar-background" />
      <rect
        width={toBarWidth(load.plannedHours)}
        height={BAR_HEIGHT}
        class={isOver ? 'bar-over' : 'bar-fill'}
      />
      {load.capacityHours > 0 ? (
        <rect
          x={Math.min(BAR_WIDTH - 0.6, toBarWidth(load.capacityHours))}
          width="0.6"
          height={BAR_HEIGHT}
          class="bar-capacity"
        />
      ) : null}
    </svg>
  );
}

function WorkloadBreakdown({ load }: { load: PersonWorkload }) {
  return (
    <table class="data">
      <caption class="off-screen">Planned hours of {load.user.name} by status</caption>
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col" class="number">
            Tasks
          </th>
          <th scope="col" class="number">
            Hours
          </th>
        </tr>
      </thead>
      <tbody>
        {load.breakdown.map(({ label, color, count, estimatedHours }) => (
          <tr>
            <td>
              <span class="status">
                <StatusDot color={color} />
                {label}
              </span>
            </td>
            <td class="number">{count}</td>
            <td class="number">{estimatedHours}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
