import { addDays, countDaysBetween } from '../../kernel/dates/civil-date.ts';
import { getDateFormat } from '../../kernel/dates/date-format.ts';
import { HOUR_MS, MINUTE_MS } from '../../kernel/dates/durations.ts';
import { formatCount } from '../../kernel/text/number-format.ts';
import { useVisit } from './context.ts';
import { formatDate, formatRelativeDay, formatShortDate, getDueState } from './format-date.ts';

export { formatShortDate } from './format-date.ts';

/** If `since` is given, src/web/client/timers.ts updates the displayed duration. */
export function Duration({ seconds, since }: { seconds: number; since?: string }) {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return (
    <span class="duration" data-since={since}>
      {`${hours}:${String(minutes).padStart(2, '0')}`}
    </span>
  );
}

/** For places where `Duration` would look like a time of day. */
export function DurationWithUnits({ seconds }: { seconds: number }) {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const parts = [hours > 0 && `${hours} h`, (minutes > 0 || hours === 0) && `${minutes} min`];
  return <span class="duration">{parts.filter(Boolean).join(' ')}</span>;
}

export function RelativeTime({ at }: { at: string }) {
  const { caller, now, today } = useVisit();
  const instant = new Date(at);
  const fullTime = getDateFormat('en-GB', {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone: caller.timezone,
  }).format(instant);
  return (
    <time datetime={at} title={fullTime}>
      {formatTimeAgo(now - instant.getTime(), at.slice(0, 10), today)}
    </time>
  );
}

function formatTimeAgo(ms: number, date: string, today: string): string {
  if (ms < MINUTE_MS) return 'just now';
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min ago`;
  if (ms < 24 * HOUR_MS) return `${Math.floor(ms / HOUR_MS)} h ago`;
  return formatShortDate(date, today);
}

interface DeadlineProps {
  date: string;
  /** `HH:MM`, in the workspace's time zone. */
  time?: string | null | undefined;
  isDone?: boolean;
}

export function Deadline({ date, time, isDone = false }: DeadlineProps) {
  const { today } = useVisit();
  const days = countDaysBetween(today, date);
  const hint =
    days < 0 && !isDone
      ? `${formatLongDate(date)}, ${formatCount(-days, 'day')} overdue`
      : formatLongDate(date);
  return (
    <span class={`due ${isDone ? 'done' : getDueState(date, today)}`} title={hint}>
      {formatRelativeDay(date, today)}
      {time ? ` ${time}` : null}
    </span>
  );
}

export function formatLongDate(date: string): string {
  return formatDate(date, 'long');
}

export function formatMonth(date: string): string {
  return formatDate(date, 'month');
}

export function formatWeekday(date: string): string {
  return formatDate(date, 'weekday');
}

export function formatDayHeading(date: string, today: string): string {
  if (date === today) return 'Today';
  if (date === addDays(today, -1)) return 'Yesterday';
  return formatDate(date, 'heading');
}
