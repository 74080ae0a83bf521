import { addDays, countDaysBetween } from '../../../kernel/dates/civil-date.ts';
import type { TimelineTask } from '../../../tasks/timeline/timeline.ts';
import { BlockedBadge } from '../../components/blocked-badge.tsx';
import { useVisit } from '../../components/context.ts';
import { buildSnapshotField } from '../../components/snapshot-field.ts';
import { type StatusDisplay, StatusRing } from '../../components/status-and-priority.tsx';
import { formatShortDate } from '../../components/time.tsx';

export const KEYS_HINT_ID = 'timeline-keys';
/** The bar of a shorter task is too narrow for its name. */
const NAMED_DAYS_MIN = 3;

interface TimelineTableProps {
  tasks: readonly TimelineTask[];
  statuses: readonly StatusDisplay[];
  from: string;
  to: string;
  isSingleProject: boolean;
}

/** A table with one column per day, because the content security policy forbids inline styles. */
export function TimelineTable({ tasks, statuses, from, to, isSingleProject }: TimelineTableProps) {
  const { today } = useVisit();
  const days = countDaysBetween(from, to) + 1;
  const weeks = Array.from({ length: days / 7 }, (_, index) => addDays(from, 7 * index));
  const isTodayShown = from <= today && today <= to;
  const groups = isSingleProject
    ? [[null, tasks] as const]
    : [...Map.groupBy(tasks, ({ project }) => project.id).values()].map(
        (each) => [each[0]?.project.name ?? '', each] as const,
      );
  const statusLabels = new Map(statuses.map(({ value, label }) => [value, label]));
  const names = new Map(tasks.map(({ id, name }) => [id, name]));
  return (
    <section class="timeline" aria-label="Timeline">
      <table data-days={days} data-today={isTodayShown ? countDaysBetween(from, today) : undefined}>
        <colgroup class="timeline-names" />
        {weeks.map(() => (
          <colgroup span={7} />
        ))}
        <thead>
          <tr>
            <th scope="col">Task</th>
            {weeks.map((week) => (
              <th
                scope="colgroup"
                colspan={7}
                aria-current={week <= today && today < addDays(week, 7) ? 'date' : undefined}
              >
                {formatShortDate(week, today)}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(([project, each]) => (
          <tbody>
            {project === null ? null : (
              <tr class="timeline-project">
                <th scope="rowgroup">
                  <bdi>{project}</bdi>
                </th>
                <td colspan={days} />
              </tr>
            )}
            {each.map((task) => (
              <TimelineRow
                task={task}
                status={statusLabels.get(task.status) ?? ''}
                blockers={task.blockers.map((id) => names.get(id) ?? '')}
                from={from}
                days={days}
              />
            ))}
          </tbody>
        ))}
      </table>
    </section>
  );
}

interface TimelineRowProps {
  task: TimelineTask;
  status: string;
  /** The names of the listed tasks that block this one. */
  blockers: readonly string[];
  from: string;
  days: number;
}

function TimelineRow({ task, status, blockers, from, days }: TimelineRowProps) {
  const { base, today } = useVisit();
  const { id, name, deadline, startDate } = task;
  const end = countDaysBetween(from, deadline);
  const start = Math.min(end, countDaysBetween(from, startDate ?? deadline));
  const [first, last] = [Math.max(0, start), Math.min(days - 1, end)];
  const length = last - first + 1;
  const rest = days - first - length;
  const classes = [
    'bar',
    task.status,
    start < first && 'earlier',
    end > last && 'later',
    length < NAMED_DAYS_MIN && 'narrow',
  ];
  const due = formatShortDate(deadline, today);
  const isBlocked = task.isBlocked && task.status !== 'completed';
  const label = [
    name,
    startDate === null ? `due ${due}` : `${formatShortDate(startDate, today)} to ${due}`,
    status,
    isBlocked && (blockers.length > 0 ? `blocked by ${blockers.join(', ')}` : 'blocked'),
  ]
    .filter(Boolean)
    .join(', ');
  return (
    <tr>
      <th scope="row">
        {/* Tab skips this link, because the bar opens the same task. */}
        <a id={`task-${id}`} href={`${base}/tasks/${id}`} title={name} tabindex={-1}>
          <StatusRing value={task.status} />
          <bdi>{name}</bdi>
          <BlockedBadge task={task} />
        </a>
      </th>
      {first > 0 ? <td colspan={first} /> : null}
      <td colspan={length}>
        <a
          id={`bar-${id}`}
          class={classes.filter(Boolean).join(' ')}
          href={`${base}/tasks/${id}`}
          title={label}
          aria-label={label}
          aria-describedby={KEYS_HINT_ID}
          aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight"
          data-id={id}
          data-start={startDate ?? undefined}
          data-deadline={deadline}
          data-snapshot={buildSnapshotField({ startDate, deadline })}
          data-blockers={task.blockers.join(' ') || undefined}
          draggable={false}
        >
          <bdi>{name}</bdi>
        </a>
      </td>
      {rest > 0 ? <td colspan={rest} /> : null}
    </tr>
  );
}
