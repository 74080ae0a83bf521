import type * as z from 'zod';
import type { taskFlow } from '../../../dashboard/flow/task-flow.ts';
import { daysBetween } from '../../../kernel/dates/civil.ts';
import { wholeNumber } from '../../../kernel/text/number-format.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Dot } from '../../components/status-and-priority.tsx';
import { count, shortDate } from '../../components/time.tsx';

type TaskFlow = z.output<typeof taskFlow>;

const WIDTH = 100;
const HEIGHT = 40;

/**
 * Tasks of each status as each day began, stacked with what is done at the bottom: its edge and the upper one are the
 * burn-up. The table beside it says the same in numbers.
 * @param to the list of what is completed.
 */
export function Flow({ flow: { statuses, days }, to }: { flow: TaskFlow; to: string }) {
  const [first, last] = [days[0], days.at(-1)];
  return (
    <section class="group" aria-labelledby="flow">
      <h2 id="flow">
        Flow{' '}
        {first && last ? (
          <span class="number">
            {shortDate(first.day, last.day)} – {shortDate(last.day, last.day)}
          </span>
        ) : null}
      </h2>
      {first && last && first !== last ? (
        <div class="panel flow">
          <p>
            <a href={to}>
              {wholeNumber(done(last.tasks))} of {count(total(last.tasks), 'task')}
            </a>{' '}
            completed. Since {shortDate(first.day, last.day)}: {change(done(first.tasks), done(last.tasks))}{' '}
            completed, {change(total(first.tasks), total(last.tasks))} in all.
          </p>
          <Areas flow={{ statuses, days }} />
          <ul class="legend">
            {statuses.map(({ label, color }) => (
              <li>
                <Dot color={color} />
                {label}
              </li>
            ))}
          </ul>
          <details>
            <summary>As a table</summary>
            <Numbers flow={{ statuses, days }} />
          </details>
        </div>
      ) : (
        <EmptyState icon="gauge">
          From the second day on, this shows how tasks move from status to status.
        </EmptyState>
      )}
    </section>
  );
}

const total = (tasks: readonly number[]) => tasks.reduce((sum, each) => sum + each, 0);
const done = (tasks: readonly number[]) => tasks.at(-1) ?? 0;

const change = (from: number, to: number) => `${to < from ? '−' : '+'}${wholeNumber(Math.abs(to - from))}`;

function Areas({ flow: { statuses, days } }: { flow: TaskFlow }) {
  const start = days[0]?.day ?? '';
  const span = Math.max(1, daysBetween(start, days.at(-1)?.day ?? start));
  const most = Math.max(1, ...days.map(({ tasks }) => total(tasks)));
  const round = (number: number) => Math.round(number * 10) / 10;
  const x = (day: string) => round((daysBetween(start, day) / span) * WIDTH);
  const y = (tasks: number) => round(HEIGHT - (tasks / most) * HEIGHT);
  /** The edge below the area of a status: everything behind it in board order lies under it. */
  const edge = (status: number) => days.map(({ day, tasks }) => `${x(day)},${y(total(tasks.slice(status)))}`);
  return (
    <svg class="flow-areas" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img">
      <title>Tasks by status, day by day</title>
      {statuses.map(({ color }, status) => (
        <polygon fill={color} points={[...edge(status), ...edge(status + 1).reverse()].join(' ')} />
      ))}
    </svg>
  );
}

function Numbers({ flow: { statuses, days } }: { flow: TaskFlow }) {
  return (
    <section class="scroll-x" aria-label="Flow as a table" tabindex={0}>
      <table class="data">
        <caption class="off-screen">Tasks of each status as each day began</caption>
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
              <td>{shortDate(day, day)}</td>
              {tasks.map((each) => (
                <td class="number">{wholeNumber(each)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
