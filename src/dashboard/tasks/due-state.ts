import { addDays, countDaysBetween, getWeekRange } from '../../kernel/dates/civil-date.ts';
import type { dueStates } from './dashboard-tasks.schema.ts';

export interface DueState {
  dueState: (typeof dueStates)[number];
  dueLabel: string;
  daysDiff: number | null;
}

export function toDueState(deadline: string | null, isCompleted: boolean, today: string): DueState {
  const daysDiff = deadline === null ? null : countDaysBetween(today, deadline);
  if (isCompleted) return { dueState: 'none', dueLabel: 'Completed', daysDiff };
  if (deadline === null || daysDiff === null) return { dueState: 'none', dueLabel: 'No deadline', daysDiff };
  if (daysDiff < 0) return { dueState: 'overdue', dueLabel: `Overdue by ${formatDays(-daysDiff)}`, daysDiff };
  if (daysDiff === 0) return { dueState: 'due_today', dueLabel: 'Due today', daysDiff };
  const dueState = deadline <= getWeekRange(today).to ? 'due_this_week' : 'upcoming';
  const isTomorrow = deadline === addDays(today, 1);
  return { dueState, dueLabel: isTomorrow ? 'Due tomorrow' : `Due in ${formatDays(daysDiff)}`, daysDiff };
}

function formatDays(count: number): string {
  return count === 1 ? '1 day' : `${count} days`;
}
