import { toWallClock } from '../../../kernel/dates/civil-date.ts';
import { useVisit } from '../../components/context.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Select } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { Pager } from '../../components/pager.tsx';
import { Duration, DurationWithUnits, formatDayHeading, formatShortDate } from '../../components/time.tsx';
import { EntryDuration, EntryTimeFields, EntryTimeRange } from '../../components/time-entry.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import type { timeParams, timeReads } from './time.tsx';

type Props = ViewProps<typeof timeParams, typeof timeReads, Record<never, never>>;
type Entry = Props['answers']['entries']['data'][number];

const timePeriods = [
  ['day', 'Today'],
  ['week', 'This week'],
  ['month', 'This month'],
] as const;

export function TimeView({ visit, params, answers: { stats, entries, ownTasks } }: Props) {
  const { base, caller, today } = visit;
  const days = Map.groupBy(
    entries.data,
    ({ startTime }) => toWallClock(Date.parse(startTime), caller.timezone).date,
  );
  return (
    <>
      <header class="head">
        <h1>Time</h1>
        <a href={`${base}/time-report`}>Time report</a>
      </header>
      <LogTimeSection ownTasks={ownTasks} entries={entries} />
      {entries.meta.total === 0 ? null : <TimeSummary stats={stats} period={params.period} />}
      {entries.data.length === 0 ? (
        <EmptyState icon="clock">
          <p>
            No time logged yet. Open a task and start its timer. While it runs, it's shown at the top of every
            page.
          </p>
        </EmptyState>
      ) : null}
      {[...days].map(([day, items]) => (
        <section class="group">
          <h2>
            {formatDayHeading(day, today)}{' '}
            <span class="number">
              <DurationWithUnits
                seconds={items.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0)}
              />
            </span>
          </h2>
          <ul class="rows panel">
            {items.map((entry) => (
              <TimeEntryRow entry={entry} />
            ))}
          </ul>
        </section>
      ))}
      <Pager meta={entries.meta} />
    </>
  );
}

function TimeSummary({ stats, period }: Pick<Props['answers'], 'stats'> & Pick<Props['params'], 'period'>) {
  const { base, today } = useVisit();
  return (
    <section class="group" aria-labelledby="sums">
      <div class="head">
        <h2 id="sums">
          {stats.from === stats.to ? null : `${formatShortDate(stats.from, today)} – `}
          {formatShortDate(stats.to, today)}{' '}
          <span class="number">
            <DurationWithUnits seconds={stats.totalSeconds} />
          </span>
        </h2>
        <nav class="tabs" aria-label="Period">
          {timePeriods.map(([each, label]) => (
            <a href={`${base}/time?period=${each}`} aria-current={each === period ? 'page' : undefined}>
              {label}
            </a>
          ))}
        </nav>
        <a href={`${base}/time.csv?period=${period}`} data-no-prefetch>
          Export CSV
        </a>
      </div>
      {stats.tasks.length === 0 ? (
        <p class="hint">No time logged in this period.</p>
      ) : (
        <TaskTimeTable stats={stats} />
      )}
    </section>
  );
}

function TaskTimeTable({ stats }: Pick<Props['answers'], 'stats'>) {
  const { base } = useVisit();
  return (
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
              <td class="number">
                <Duration seconds={task.totalSeconds} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function TimeEntryRow({ entry }: { entry: Entry }) {
  const { base } = useVisit();
  return (
    <li>
      <EntryTimeRange entry={entry} />
      <a class="row-name" href={`${base}/tasks/${entry.task.id}`}>
        {entry.task.name}
      </a>
      <span class="row-meta wide-only">{entry.project.name}</span>
      <EntryDuration entry={entry} />
    </li>
  );
}

function LogTimeSection({ ownTasks, entries }: Pick<Props['answers'], 'ownTasks' | 'entries'>) {
  const { base, rejected } = useVisit();
  const names = new Map([
    ...entries.data.map(({ task }) => [task.id, task.name] as const),
    ...ownTasks.data.map(({ id, name }) => [id, name] as const),
  ]);
  if (names.size === 0) return null;
  return (
    <details class="edit group" open={rejected?.action === `${base}/time`}>
      <summary>
        <Icon name="plus" />
        Log time
      </summary>
      <Form action={`${base}/time`} class="entry-form" label="Log time">
        <Select
          name="taskId"
          label="Task"
          options={[...names].map(([id, name]) => [String(id), name] as const)}
        />
        <EntryTimeFields id="log" />
        <button type="submit">Log</button>
      </Form>
    </details>
  );
}
