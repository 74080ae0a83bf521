import { addDays, getNextMonday, isCivilDate } from '../../kernel/dates/civil-date.ts';

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
export const months =
  'january february march april may june july august september october november december'.split(' ');
const SHORT_NAME_LENGTH = 3;
/** The next February 29 can be eight years away. */
const YEARS_AHEAD_MAX = 8;

/** Parses text such as "tomorrow", "fri", "in 3 days", "+3d" and "24 Dec". Returns null for anything else. */
export function parseDay(phrase: string, today: string): string | null {
  const words = phrase.toLowerCase().split(/\s+/).join(' ');
  if (words === 'today') return today;
  if (words === 'tomorrow') return addDays(today, 1);
  if (words === 'next week') return getNextMonday(today);
  const weekday = findWeekday(words);
  if (weekday !== null) return getNextWeekday(weekday, today);
  const found = /^(?:in (\d{1,3}) (day|week)s?|\+(\d{1,3})([dw]))$/.exec(words);
  if (found) {
    const [, number, unit = '', shortNumber, shortUnit] = found;
    return addDays(today, Number(number ?? shortNumber) * ((shortUnit ?? unit).startsWith('w') ? 7 : 1));
  }
  return isCivilDate(words) ? words : parseDayOfMonth(words, today);
}

/** Returns 0 for "monday" and "mon". */
export function findWeekday(word: string): number | null {
  return findNameIndex(word, weekdays);
}

function findNameIndex(word: string, names: readonly string[]): number | null {
  const at = names.findIndex((name) => name === word || name.slice(0, SHORT_NAME_LENGTH) === word);
  return at < 0 ? null : at;
}

/** On a Friday, "friday" means Friday of next week. */
function getNextWeekday(weekday: number, today: string): string {
  const ahead = addDays(getNextMonday(today), weekday);
  return addDays(ahead, -7) > today ? addDays(ahead, -7) : ahead;
}

function parseDayOfMonth(words: string, today: string): string | null {
  const found =
    /^(?<day>\d{1,2}) (?<month>[a-z]+)(?: (?<year>\d{4}))?$/.exec(words) ??
    /^(?<month>[a-z]+) (?<day>\d{1,2})(?: (?<year>\d{4}))?$/.exec(words);
  const { day = '', month = '', year } = found?.groups ?? {};
  const at = findNameIndex(month, months);
  if (at === null) return null;
  const rest = `${String(at + 1).padStart(2, '0')}-${day.padStart(2, '0')}`;
  const first = Number(today.slice(0, 4));
  const years = year
    ? [year]
    : Array.from({ length: YEARS_AHEAD_MAX + 1 }, (_, each) => String(first + each));
  const dates = years.map((each) => `${each}-${rest}`).filter(isCivilDate);
  return dates.find((date) => year !== undefined || date >= today) ?? null;
}
