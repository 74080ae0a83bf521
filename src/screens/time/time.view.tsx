import { wallClock } from '../../kernel/civil.ts';
import { Blank } from '../../web/components/blank.tsx';
import { useVisit } from '../../web/components/context.ts';
import { Pager } from '../../web/components/pager.tsx';
import { count, Duration, dayHeading, shortDate } from '../../web/components/time.tsx';
import type { ViewProps } from '../../web/page-model/page.ts';
import type { timeParams, timeReads } from './time.tsx';

type Props = ViewProps<typeof timeParams, typeof timeReads, Record<never, never>>;
type Entry = Props['answers']['entries']['data'][number];

const periods = [
  ['day', 'Today'],
  ['week', 'This week'],
  ['month', 'This month'],
] as const;

export function TimeView({ visit, params, answers: { stats, entries } }: Props) {
  const { base, caller, today } = visit;
  const days = Map.groupBy(
    entries.data,
    ({ startTime }) => wallClock(Date.parse(startTime), caller.timezone).date,
  );
  return (
    <>
      <header class="head">
        <h1>Time</h1>
        <nav class="tabs" aria-label="Period">
          {periods.map(([period, label]) => (
            <a
              href={`${base}/time?period=${period}`}
              aria-current={params.period === period ? 'page' : undefined}
            >
              {label}
            </a>
          ))}
        </nav>
      </header>
      <Summary stats={stats} />
      {entries.data.length === 0 ? (
        <Blank icon="clock">
          <p>
            No time is logged yet. Open a task and start its timer; it stands at the top of every page while
            it runs.
          </p>
        </Blank>
      ) : null}
      {[...days].map(([day, items]) => (
        <section class="group">
          <h2>
            {dayHeading(day, today)}{' '}
            <span class="number">
              <Duration seconds={items.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0)} />
            </span>
          </h2>
          <ul class="rows panel">
            {items.map((entry) => (
              <Row entry={entry} />
            ))}
          </ul>
        </section>
      ))}
      <Pager meta={entries.meta} />
    </>
  );
}

function Summary({ stats }: Pick<Props['answers'], 'stats'>) {
  const { base, today } = useVisit();
  if (stats.tasks.length === 0) return null;
  return (
    <section class="group" aria-labelledby="sums">
      <h2 id="sums">
        {shortDate(stats.from, today)} – {shortDate(stats.to, today)}{' '}
        <span class="number">{count(stats.totalHours, 'hour')}</span>
      </h2>
      <div class="panel scroll-x">
        <table class="data">
          <thead>
            <tr>
              <th scope="col" class="name">
                Task
              </th>
              <th scope="col">Project</th>
              <th scope="col" class="number">
                Hours
              </th>
            </tr>
          </thead>
          <tbody>
            {stats.tasks.map((task) => (
              <tr>
                <td class="name">
                  <a href={`${base}/tasks/${task.taskId}`}>{task.taskName}</a>
                </td>
                <td>{task.project.name}</td>
                <td class="number">{task.totalHours.toFixed(2)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Row({ entry }: { entry: Entry }) {
  const { base, caller } = useVisit();
  const clock = (at: string) => wallClock(Date.parse(at), caller.timezone).time;
  return (
    <li>
      <span class="row-fact number">
        {clock(entry.startTime)}–{entry.endTime ? clock(entry.endTime) : 'now'}
      </span>
      <a class="row-name" href={`${base}/tasks/${entry.task.id}`}>
        {entry.task.name}
      </a>
      <span class="row-fact wide-only">{entry.project.name}</span>
      <Duration seconds={entry.durationSeconds} {...(entry.endTime ? {} : { since: entry.startTime })} />
    </li>
  );
}
