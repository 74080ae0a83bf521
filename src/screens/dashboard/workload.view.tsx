import type * as z from 'zod';
import type { workload as workloadSchema } from '../../dashboard/dashboard.schema.ts';
import { reachOf } from '../../kernel/capabilities.ts';
import { Blank } from '../../web/components/blank.tsx';
import { useVisit } from '../../web/components/context.ts';
import { PersonName } from '../../web/components/people.tsx';
import { shortDate } from '../../web/components/time.tsx';
import { Dot } from '../../web/components/work.tsx';

type Workload = z.output<typeof workloadSchema>;
type Load = Workload['workloads'][number];

const WIDTH = 100;
const HEIGHT = 8;

/** Hours against capacity, a bar a person, with the same as a table of numbers beside it. */
export function Workload({ workload, mode }: { workload: Workload; mode: string }) {
  const { workloads, from, to } = workload;
  const most = Math.max(1, ...workloads.map((each) => Math.max(each.plannedHours, each.capacityHours)));
  return (
    <section class="group" aria-labelledby="workload">
      <h2 id="workload">
        Workload{' '}
        <span class="number">
          {mode === 'daily' ? 'today' : `${shortDate(from, from)} – ${shortDate(to, from)}`}
        </span>
      </h2>
      {workloads.length === 0 ? (
        <NoWorkload />
      ) : (
        <ul class="rows panel loads">
          {workloads.map((load) => (
            <li>
              <details>
                <summary>
                  <PersonName person={load.user} />
                  <Bar load={load} most={most} />
                  <span class={load.plannedHours > load.capacityHours ? 'number over' : 'number'}>
                    {load.plannedHours} / {load.capacityHours} h
                  </span>
                </summary>
                <Breakdown load={load} />
              </details>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function NoWorkload() {
  const { caller } = useVisit();
  return (
    <Blank icon="gauge">
      {reachOf(caller, 'seeWorkload') === 'none'
        ? 'Your role does not show the hours of people.'
        : 'Once tasks are given to people, this shows the hours planned for each, and what they have.'}
    </Blank>
  );
}

/** Planned hours as a bar; the mark is what the person has. */
function Bar({ load, most }: { load: Load; most: number }) {
  const scale = (hours: number) => Math.round((hours / most) * WIDTH * 10) / 10;
  const isOver = load.plannedHours > load.capacityHours;
  return (
    <svg class="load-bar" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img">
      <title>{`${load.utilization} % of ${load.capacityHours} hours are planned`}</title>
      <rect width={WIDTH} height={HEIGHT} class="bar-ground" />
      <rect width={scale(load.plannedHours)} height={HEIGHT} class={isOver ? 'bar-over' : 'bar-fill'} />
      <rect
        x={Math.min(WIDTH - 0.6, scale(load.capacityHours))}
        width="0.6"
        height={HEIGHT}
        class="bar-mark"
      />
    </svg>
  );
}

function Breakdown({ load }: { load: Load }) {
  return (
    <table class="data">
      <caption class="off-screen">What makes up the hours of {load.user.name}</caption>
      <thead>
        <tr>
          <th scope="col">State</th>
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
                <Dot color={color} />
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
