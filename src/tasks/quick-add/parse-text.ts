import { type TaskPriority, taskPriorities } from '../model/tasks.schema.ts';
import type { SeriesRule } from '../recurrence/start-series.ts';
import { findWeekday, months, parseDay, weekdays } from './parse-day.ts';
import { isUnclearRepeat, parseRepeat } from './parse-repeat.ts';
import { splitTime } from './parse-time.ts';

/** A detail about the task. `phrase` is the part of the text that states it. */
export type ParsedDetail = { readonly phrase: string } & (
  | { readonly kind: 'person' | 'project' | 'tag'; readonly name: string }
  | { readonly kind: 'day'; readonly date: string }
  | { readonly kind: 'time'; readonly time: string }
  | { readonly kind: 'repeat'; readonly recurrence: SeriesRule }
  | { readonly kind: 'priority'; readonly priority: TaskPriority }
  | { readonly kind: 'parent'; readonly id: number }
  /** A detail with several meanings. The task can't be created until the person chooses one. */
  | { readonly kind: 'unclear'; readonly problem: string }
);

export interface ParsedText {
  readonly name: string;
  readonly details: readonly ParsedDetail[];
  /** Each note quotes a part of the name that looks like a detail, and says why it isn't one. */
  readonly notes: readonly string[];
}

const kindByPrefix: Readonly<Record<string, 'person' | 'project'>> = { '@': 'person', '#': 'project' };
const NOTES_MAX = 5;

/**
 * Parses text such as "Name, @person, friday 17:30, high, #project, +tag, every week, under #12". Details come at the
 * end, and the rest is the name.
 */
export function parseText(text: string, today: string): ParsedText {
  const pieces = text.split(',');
  const details: ParsedDetail[] = [];
  let end = pieces.length;
  for (let at = pieces.length - 1; at > 0; at -= 1) {
    const phrase = (pieces[at] ?? '').trim();
    // Ignores a comma at the end, because the person is about to type the next detail.
    if (phrase === '') continue;
    const found = parsePhrase(phrase, today);
    if (found === null) break;
    details.unshift(...found);
    end = at;
  }
  const name = details.length === 0 ? text : pieces.slice(0, end).join(',').trim();
  return { name, details, notes: listNotes(pieces.slice(1, end), today) };
}

/** Copied text may contain invisible characters, such as text-direction marks. */
const INVISIBLE_MARKS = /^\p{Cf}+|\p{Cf}+$/gu;

function parsePhrase(phrase: string, today: string): ParsedDetail[] | null {
  const text = phrase.replace(INVISIBLE_MARKS, '').split(/\s+/).join(' ');
  const detail = parseDetail(phrase, text, today);
  if (detail) return [detail];
  const found = splitTime(text);
  if (found === null) return null;
  const { rest, time } = found;
  const named = rest === '' ? null : parseDayOrRepeat(rest, rest, today);
  if (rest !== '' && named === null) return null;
  const stated: ParsedDetail =
    time === null
      ? {
          phrase: found.phrase,
          kind: 'unclear',
          problem: `“${found.phrase}” could be in the morning or in the evening. Type am or pm after it.`,
        }
      : { phrase: found.phrase, kind: 'time', time };
  return named === null ? [stated] : [named, stated];
}

function parseDetail(phrase: string, text: string, today: string): ParsedDetail | null {
  const mark = text.charAt(0);
  const rest = text.slice(1).replace(INVISIBLE_MARKS, '').trim();
  const kind = Object.hasOwn(kindByPrefix, mark) ? kindByPrefix[mark] : undefined;
  if (kind) return rest === '' ? null : { phrase, kind, name: rest };
  // A plus sign before a digit starts a number of days, such as "+3d", or a phone number.
  if (mark === '+' && /^\D/.test(rest)) return { phrase, kind: 'tag', name: rest };
  const word = (mark === '!' ? rest : text).toLowerCase();
  const priority = taskPriorities.find((each) => each === word);
  if (priority) return { phrase, kind: 'priority', priority };
  const [, parent] = /^under # ?(\d{1,15})$/i.exec(text) ?? [];
  if (parent) return { phrase, kind: 'parent', id: Number(parent) };
  return parseDayOrRepeat(phrase, text, today);
}

function parseDayOrRepeat(phrase: string, text: string, today: string): ParsedDetail | null {
  const [, weekday = ''] = /^next (\S+)$/i.exec(text) ?? [];
  if (findWeekday(weekday.toLowerCase()) !== null) {
    const problem = `“${phrase}” could be this week or next week. Type “${weekday}” for the first one after today, or enter a date.`;
    return { phrase, kind: 'unclear', problem };
  }
  if (isUnclearRepeat(text)) {
    const problem = `“${phrase}” could be every other week or once a month. Type “every other” for every other week, or use the task's Repeat field.`;
    return { phrase, kind: 'unclear', problem };
  }
  const recurrence = parseRepeat(text);
  if (recurrence) return { phrase, kind: 'repeat', recurrence };
  const date = parseDay(text, today);
  return date === null ? null : { phrase, kind: 'day', date };
}

const MARK_PATTERN = /^(?:[@#+!]|under #)./i;
const DETAIL_WORDS = [
  ...['today', 'tomorrow', 'tonight', 'every', 'daily', 'weekly', 'monthly', 'yearly'],
  ...['days?', 'weeks?', 'months?', 'years?', 'urgent', 'asap', 'priority'],
  ...weekdays.map((name) => `${name}s?`),
  ...months.filter((name) => name !== 'may' && name !== 'march'),
];
const DETAIL_WORD_PATTERN = new RegExp(String.raw`\b(?:${DETAIL_WORDS.join('|')})\b`, 'i');
const NUMERIC_DATE_PATTERN = /^\d{1,2}[./]\d{1,2}\b/;

function listNotes(pieces: readonly string[], today: string): string[] {
  return pieces
    .flatMap((piece) => {
      const phrase = piece.trim();
      if (parsePhrase(phrase, today)) return [`“${phrase}” is part of the name, because details come last.`];
      const looksLikeDetail =
        MARK_PATTERN.test(phrase) ||
        DETAIL_WORD_PATTERN.test(phrase) ||
        NUMERIC_DATE_PATTERN.test(phrase) ||
        splitTime(phrase.split(/\s+/).join(' ')) !== null;
      return looksLikeDetail ? [`“${phrase}” wasn't recognized, so it's part of the name.`] : [];
    })
    .slice(0, NOTES_MAX);
}
