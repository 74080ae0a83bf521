import { addDays, daysBetween } from '../../../kernel/dates/civil.ts';
import { useVisit } from '../../components/context.ts';
import { Icon } from '../../components/icon.tsx';
import { longDate, weekdayName } from '../../components/time.tsx';
import { withQuery } from '../../components/with-query.ts';
import { shownDays } from './calendar.reads.ts';
import type { Props } from './calendar.view.tsx';

/** What a day holds at most; the week leads on to lists. */
const ITEMS_SHOWN = { month: 8, week: 100 } as const;

interface Item {
  readonly date: string;
  /** Deadlines have no time. */
  readonly time: string | null;
  readonly path: string;
  readonly name: string;
  readonly hint: string;
  /** The form that moves it, and its id there; null if it cannot be moved. */
  readonly moves: { readonly form: string; readonly id: number } | null;
  readonly isOver: boolean;
}

/** A grid of days; where the window is narrow, a list of those that hold something. */
export function Days({ params, answers }: Pick<Props, 'params' | 'answers'>) {
  const { base, today } = useVisit();
  const { view, day = today } = params;
  const { from, to } = shownDays(view, day);
  const items = Map.groupBy(useItems({ params, answers }), ({ date }) => date);
  const dates = Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => addDays(from, index));
  return (
    <ol class={`days ${view}`}>
      {dates.map((date) => (
        <li
          class={date.slice(0, 7) === day.slice(0, 7) || view === 'week' ? 'day' : 'day beside'}
          aria-current={date === today ? 'date' : undefined}
        >
          <h2>
            <span class="weekday">{weekdayName(date)}</span>
            <a href={`${base}/calendar?view=week&day=${date}`} aria-label={longDate(date)}>
              {Number(date.slice(8))}
            </a>
          </h2>
          <ul class="day-items" data-date={date} aria-label={longDate(date)}>
            {(items.get(date) ?? []).slice(0, ITEMS_SHOWN[view]).map((item) => (
              <DayItem item={item} />
            ))}
          </ul>
          <More date={date} view={view} count={items.get(date)?.length ?? 0} />
        </li>
      ))}
    </ol>
  );
}

function More({ date, view, count }: { date: string; view: 'month' | 'week'; count: number }) {
  const { base, address } = useVisit();
  const more = count - ITEMS_SHOWN[view];
  if (more <= 0) return null;
  const way =
    view === 'month'
      ? withQuery(withQuery(address, 'view', 'week'), 'day', date)
      : `${base}/tasks?sort=due&from=${date}&to=${date}`;
  return (
    <a class="more" href={way} aria-label={`${longDate(date)}: ${more} more`}>
      {more} more
    </a>
  );
}

function DayItem({ item }: { item: Item }) {
  const { base } = useVisit();
  const { moves, time, isOver } = item;
  return (
    <li class={isOver ? 'over' : undefined} data-form={moves?.form} data-id={moves?.id}>
      <a href={base + item.path} title={item.hint}>
        {time === null ? <Icon name="list-checks" /> : <span class="number">{time}</span>}
        <span>{item.name}</span>
      </a>
    </li>
  );
}

/** What stands on the days: meetings by their time, then deadlines. The task of a meeting that is shown says nothing new. */
function useItems({ params, answers }: Pick<Props, 'params' | 'answers'>): Item[] {
  const { caller } = useVisit();
  const shown = answers.meetings.data.filter(
    ({ participants }) => params.who === 'all' || participants.some(({ id }) => id === caller.userId),
  );
  const meetings = shown.flatMap((meeting) =>
    meeting.occurrences.map(({ date, time, isPlanned }) => ({
      date,
      time,
      path: `/meetings/${meeting.id}`,
      name: meeting.name,
      hint: `${meeting.name} · ${meeting.project.name}`,
      moves: isPlanned ? null : { form: 'move-meeting', id: meeting.id },
      isOver: false,
    })),
  );
  const inMeetings = new Set(shown.flatMap(({ participants }) => participants.map(({ taskId }) => taskId)));
  const deadlines = answers.tasks.data
    .filter(({ id }) => !inMeetings.has(id))
    .map(({ id, name, deadline, project, status }) => ({
      date: deadline ?? '',
      time: null,
      path: `/tasks/${id}`,
      name,
      hint: `${name} · ${project.name}`,
      moves: { form: 'move-deadline', id },
      isOver: status === 'completed',
    }));
  return [...meetings.sort((one, other) => one.time.localeCompare(other.time)), ...deadlines];
}
