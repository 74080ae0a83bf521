import { addDays, countDaysBetween } from '../../../kernel/dates/civil-date.ts';
import { useVisit } from '../../components/context.ts';
import { Icon } from '../../components/icon.tsx';
import { setQueryParameter } from '../../components/set-query-parameter.ts';
import { formatLongDate, formatWeekday } from '../../components/time.tsx';
import { assets } from '../../page-model/assets.ts';
import { getVisibleDays } from './calendar.reads.ts';
import type { Props } from './calendar.view.tsx';

const ITEMS_SHOWN_MAX = { month: 8, week: 100 } as const;

interface CalendarItem {
  readonly date: string;
  readonly time: string | null;
  readonly path: string;
  readonly name: string;
  readonly hint: string;
  /** The form that a drag submits. Null if the item can't be moved. */
  readonly move: { readonly form: string; readonly id: number } | null;
  readonly isCompleted: boolean;
}

export function CalendarDays({ params, answers }: Pick<Props, 'params' | 'answers'>) {
  const { base, today } = useVisit();
  const { view, day = today } = params;
  const { from, to } = getVisibleDays(view, day);
  const items = Map.groupBy(useCalendarItems({ params, answers }), ({ date }) => date);
  const dates = Array.from({ length: countDaysBetween(from, to) + 1 }, (_, index) => addDays(from, index));
  return (
    <ol class={`days ${view}`} data-sorting={assets.sorting}>
      {dates.map((date) => (
        <li
          class={date.slice(0, 7) === day.slice(0, 7) || view === 'week' ? 'day' : 'day other-month'}
          aria-current={date === today ? 'date' : undefined}
        >
          <h2>
            <span class="weekday">{formatWeekday(date)}</span>
            <a href={`${base}/calendar?view=week&day=${date}`} aria-label={formatLongDate(date)}>
              {Number(date.slice(8))}
            </a>
          </h2>
          <ul class="day-items" data-date={date} aria-label={formatLongDate(date)}>
            {(items.get(date) ?? []).slice(0, ITEMS_SHOWN_MAX[view]).map((item) => (
              <CalendarDayItem item={item} />
            ))}
          </ul>
          <MoreItemsLink date={date} view={view} count={items.get(date)?.length ?? 0} />
        </li>
      ))}
    </ol>
  );
}

function MoreItemsLink({ date, view, count }: { date: string; view: 'month' | 'week'; count: number }) {
  const { base, address } = useVisit();
  const more = count - ITEMS_SHOWN_MAX[view];
  if (more <= 0) return null;
  const href =
    view === 'month'
      ? setQueryParameter(setQueryParameter(address, 'view', 'week'), 'day', date)
      : `${base}/tasks?sort=due&from=${date}&to=${date}`;
  return (
    <a class="more" href={href} aria-label={`${formatLongDate(date)}: ${more} more`}>
      {more} more
    </a>
  );
}

function CalendarDayItem({ item }: { item: CalendarItem }) {
  const { base } = useVisit();
  const { move, time, isCompleted } = item;
  return (
    <li class={isCompleted ? 'over' : undefined} data-form={move?.form} data-id={move?.id}>
      <a href={base + item.path} title={item.hint}>
        {time === null ? <Icon name="list-checks" /> : <span class="number">{time}</span>}
        <span>{item.name}</span>
      </a>
    </li>
  );
}

/** Lists meetings by time, then deadlines. Omits the tasks that participants have for these meetings. */
function useCalendarItems({ params, answers }: Pick<Props, 'params' | 'answers'>): CalendarItem[] {
  const { caller } = useVisit();
  const visibleMeetings = answers.meetings.data.filter(
    ({ participants }) => params.who === 'all' || participants.some(({ id }) => id === caller.userId),
  );
  const meetings = visibleMeetings.flatMap((meeting) =>
    meeting.occurrences.map(({ date, time, isPlanned }) => ({
      date,
      time,
      path: `/meetings/${meeting.id}`,
      name: meeting.name,
      hint: `${meeting.name} · ${meeting.project.name}`,
      move: isPlanned ? null : { form: 'move-meeting', id: meeting.id },
      isCompleted: false,
    })),
  );
  const meetingTaskIds = new Set(
    visibleMeetings.flatMap(({ participants }) => participants.map(({ taskId }) => taskId)),
  );
  const deadlines = answers.tasks.data
    .filter(({ id }) => !meetingTaskIds.has(id))
    .map(({ id, name, deadline, project, status }) => ({
      date: deadline ?? '',
      time: null,
      path: `/tasks/${id}`,
      name,
      hint: `${name} · ${project.name}`,
      move: { form: 'move-deadline', id },
      isCompleted: status === 'completed',
    }));
  return [...meetings.sort((one, other) => one.time.localeCompare(other.time)), ...deadlines];
}
