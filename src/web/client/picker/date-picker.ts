import { addDays, getNextMonday } from '../../../kernel/dates/civil-date.ts';
import { parseDay } from '../../../tasks/quick-add/parse-day.ts';
import { formatDate, formatRelativeDay, formatShortDate } from '../../components/format-date.ts';
import type { PickerTarget } from '../pickers.ts';
import { getControlLabel } from './chips.ts';
import { buildDateChip, getToday } from './date-chip.ts';
import { type MenuChoice, openMenu } from './menu.ts';
import { MonthGrid } from './month-grid.ts';
import { saveChoice } from './save-choice.ts';

const LONG_DATE_PATTERN = /\d{1,2} \w+ \d{4}/;

/** Accepts the same dates as quick add. */
export function openDatePicker(target: PickerTarget) {
  const { field, anchor, control } = target;
  const today = getToday();
  const current = control ? control.value || null : readShownDate(anchor, today);
  const grid = new MonthGrid({ today, current, choose: (date) => menu.choose(toDateChoice(date, today)) });
  const menu = openMenu(target, {
    label: control ? getControlLabel(control) : 'Deadline',
    placeholder: 'fri, +3d, 12 dec…',
    hint: 'Try “fri”, “+3d” or “12 dec”.',
    list: (text) => listDateChoices(text, { today, current }),
    choose: (choice) => saveChoice(target, field === 'startDate' ? field : 'deadline', choice),
    footer: grid.element,
    onInput: (text) => grid.show(parseDay(text, today) ?? current ?? today),
  });
}

function readShownDate(anchor: HTMLElement, today: string): string | null {
  const { textContent, title, firstElementChild } = anchor;
  const shownText = [title, firstElementChild?.getAttribute('title'), textContent].join(' ');
  const [long] = LONG_DATE_PATTERN.exec(shownText) ?? [];
  return long === undefined ? null : parseDay(long, today);
}

function listDateChoices(
  text: string,
  { today, current }: { today: string; current: string | null },
): MenuChoice[] {
  const typedDay = parseDay(text, today);
  if (typedDay !== null) return [toDateChoice(typedDay, today, current)];
  const usual: MenuChoice[] = [
    { ...toDateChoice(today, today, current), label: 'Today' },
    { ...toDateChoice(addDays(today, 1), today, current), label: 'Tomorrow' },
    { ...toDateChoice(getNextMonday(today), today, current), label: 'Next week' },
    ...(current === null ? [] : [{ value: '', label: 'No date' }]),
  ];
  return usual.filter(({ label }) => label.toLowerCase().startsWith(text.toLowerCase()));
}

function toDateChoice(date: string, today: string, current: string | null = null): MenuChoice {
  return {
    value: date,
    label: formatRelativeDay(date, today),
    note: `${formatDate(date, 'weekday')} ${formatShortDate(date, today)}`,
    shown: buildDateChip(date, today),
    isCurrent: date === current,
  };
}
