import { addDays, getNextMonday } from '../../../kernel/dates/civil-date.ts';
import { parseDay } from '../../../tasks/quick-add/parse-day.ts';
import { formatDate, formatRelativeDay, formatShortDate } from '../../components/format-date.ts';
import type { PickTarget } from '../pickers.ts';
import { getControlLabel } from './chips.ts';
import { buildDateChip, getToday } from './date-chip.ts';
import { type Choice, openMenu } from './menu.ts';
import { MonthGrid } from './month-grid.ts';
import { saveChoice } from './save-choice.ts';

const LONG_DATE = /\d{1,2} \w+ \d{4}/;

/** Accepts the same dates as quick add. */
export function openDatePicker(target: PickTarget) {
  const { field, anchor, control } = target;
  const today = getToday();
  const current = control ? control.value || null : readDate(anchor, today);
  const grid = new MonthGrid({ today, current, choose: (date) => menu.choose(toChoice(date, today)) });
  const menu = openMenu(target, {
    label: control ? getControlLabel(control) : 'Deadline',
    placeholder: 'fri, +3d, 12 dec…',
    hint: 'Try “fri”, “+3d” or “12 dec”.',
    list: (text) => listDates(text, { today, current }),
    choose: (choice) => saveChoice(target, field === 'startDate' ? field : 'deadline', choice),
    footer: grid.element,
    onInput: (text) => grid.show(parseDay(text, today) ?? current ?? today),
  });
}

function readDate(anchor: HTMLElement, today: string): string | null {
  const { textContent, title, firstElementChild } = anchor;
  const shown = [title, firstElementChild?.getAttribute('title'), textContent].join(' ');
  const [long] = LONG_DATE.exec(shown) ?? [];
  return long === undefined ? null : parseDay(long, today);
}

function listDates(text: string, { today, current }: { today: string; current: string | null }): Choice[] {
  const typed = parseDay(text, today);
  if (typed !== null) return [toChoice(typed, today, current)];
  const usual: Choice[] = [
    { ...toChoice(today, today, current), label: 'Today' },
    { ...toChoice(addDays(today, 1), today, current), label: 'Tomorrow' },
    { ...toChoice(getNextMonday(today), today, current), label: 'Next week' },
    ...(current === null ? [] : [{ value: '', label: 'No date' }]),
  ];
  return usual.filter(({ label }) => label.toLowerCase().startsWith(text.toLowerCase()));
}

function toChoice(date: string, today: string, current: string | null = null): Choice {
  return {
    value: date,
    label: formatRelativeDay(date, today),
    note: `${formatDate(date, 'weekday')} ${formatShortDate(date, today)}`,
    shown: buildDateChip(date, today),
    isCurrent: date === current,
  };
}
