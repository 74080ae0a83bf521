import { formatDate, formatRelativeDay, getDueState } from '../../components/format-date.ts';

export const getToday = () => document.querySelector<HTMLElement>('.pickers')?.dataset.today ?? '';

/** Must match the markup of `Deadline` in src/web/components/time.tsx. */
export function buildDateChip(date: string, today = getToday()): HTMLElement {
  const chip = document.createElement('span');
  chip.className = `due ${getDueState(date, today)}`;
  chip.textContent = formatRelativeDay(date, today);
  chip.title = formatDate(date, 'long');
  return chip;
}
