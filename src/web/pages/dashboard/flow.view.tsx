import type * as z from 'zod';
import type { taskFlow } from '../../../dashboard/flow/task-flow.ts';
import { countDaysBetween } from '../../../kernel/dates/civil-date.ts';
import { formatCount, formatNumber } from '../../../kernel/text/number-format.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { StatusDot } from '../../components/status-and-priority.tsx';
import { formatShortDate } from '../../components/time.tsx';

type TaskFlow = z.output<typeof taskFlow>;

const CHART_WIDTH = 100;
const CHART_HEIGHT = 40;

/** A burn-up chart: tasks by status at the start of each day, with completed tasks at the bottom. */
export function BurnUpChart({ flow: { statuses, days }, to }: { flow: TaskFlow; to: string }) {
  const [first, last] = [days[0], days.at(-1)];
  return (
    <section class="group" aria-labelledby="flow">
      <h2 id="flow">
        Flow{' '}
        {first && last ? (
          <span class="number">
            {formatShortDate(first.day, last.day)} – {formatShortDate(last.day, last.day)}
          </span>
        ) : null}
      </h2>
      {first && last && first !== last ? (
        <div class="panel flow">
          <p>
            <a href={to}>
              {formatNumber(getCompletedCount(last.tasks))} of {formatCount(sumTasks(last.tasks), 'task')}
            </a>{' '}
            completed. Since {formatShortDate(first.day, last.day)}:{' '}
            {formatChange(getCompletedCount(first.tasks), getCompletedCount(last.tasks))} completed,{' '}
            {formatChange(sumTasks(first.tasks), sumTasks(last.tasks))} total.
          </p>
          <FlowAreaChart flow={{ statuses, days }} />
          <ul class="legend">
            {statuses.map(({ label, color }) => (
              <li>
                <StatusDot color={color} />
                {label}
              </li>
            ))}
          </ul>
          <details>
            <summary>Show as table</summary>
            <FlowTable flow={{ statuses, days }} />
          </details>
        </div>
      ) : (
        <EmptyState icon="gauge">Come back tomorrow to see how tasks move between statuses.</EmptyState>
      )}
    </section>
  );
}

const sumTasks = (tasks: readonly number[]) => tasks.reduce((sum, each) => sum + each, 0);
const getCompletedCount = (tasks: readonly number[]) => tasks.at(-1) ?? 0;

const formatChange = (from: number, to: number) =>
  `${to < from ? '−' : '+'}${formatNumber(Math.abs(to - from))}`;

function FlowAreaChart({ flow: { statuses, days } }: { flow: TaskFlow }) {
  const start = days[0]?.day ?? '';
  const dayCount = Math.max(1, countDaysBetween(start, days.at(-1)?.day ?? start));
  const tasksMax = Math.max(1, ...days.map(({ tasks }) => sumTasks(tasks)));
  const round = (number: number) => Math.round(number * 10) / 10;
  const x = (day: string) => round((countDaysBetween(start, day) / dayCount) * CHART_WIDTH);
  const y = (tasks: number) => round(CHART_HEIGHT - (tasks / tasksMax) * CHART_HEIGHT);
  /** Returns the upper edge of the area for a status. Later statuses are stacked below it. */
  const getUpperEdge = (status: number) =>
    days.map(({ day, tasks }) => `${x(day)},${y(sumTasks(tasks.slice(status)))}`);
  return (
    <svg
      class="flow-areas"
      viewBox={`0 0 ${CHART_WIDTH} ${CHART_HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
    >
      <title>Tasks by status per day</title>
      {statuses.map(({ color }, status) => (
        <polygon
          fill={color}
          points={[...getUpperEdge(status), ...getUpperEdge(status + 1).reverse()].join(' ')}
        />
      ))}
    </svg>
  );
}

function FlowTable({ flow: { statuses, days } }: { flow: TaskFlow }) {
  return (
    <section class="scroll-x" aria-label="Flow as a table" tabindex={0}>
      <table class="data">
        <caption class="off-screen">Tasks by status at the start of each day</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {statuses.map(({ label }) => (
              <th scope="col" class="number">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ day, tasks }) => (
            <tr>
              <td>{formatShortDate(day, day)}</td>
              {tasks.map((each) => (
                <td class="number">{formatNumber(each)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
