import { type TaskPriority, taskPriorities } from '../model/tasks.schema.ts';
import { parseDay } from './parse-day.ts';

/** A detail about the task. `phrase` is the part of the text that states it. */
export type ParsedDetail = { readonly phrase: string } & (
  | { readonly kind: 'person' | 'project'; readonly name: string }
  | { readonly kind: 'day'; readonly date: string }
  | { readonly kind: 'priority'; readonly priority: TaskPriority }
);

export interface ParsedText {
  readonly name: string;
  readonly details: readonly ParsedDetail[];
}

const kindByPrefix: Readonly<Record<string, 'person' | 'project'>> = { '@': 'person', '#': 'project' };

/** Parses text such as "Name, @person, friday, high, #project". Details come at the end, and the rest is the name. */
export function parseText(text: string, today: string): ParsedText {
  const pieces = text.split(',');
  const details: ParsedDetail[] = [];
  let end = pieces.length;
  for (let at = pieces.length - 1; at > 0; at -= 1) {
    const phrase = (pieces[at] ?? '').trim();
    // Ignores a comma at the end, because the person is about to type the next detail.
    if (phrase === '') continue;
    const detail = parseDetail(phrase, today);
    if (detail === null) break;
    details.unshift(detail);
    end = at;
  }
  return details.length === 0
    ? { name: text, details }
    : { name: pieces.slice(0, end).join(',').trim(), details };
}

/** Copied text may contain invisible characters, such as text-direction marks. */
const INVISIBLE_MARKS = /^\p{Cf}+|\p{Cf}+$/gu;

function parseDetail(phrase: string, today: string): ParsedDetail | null {
  const text = phrase.replace(INVISIBLE_MARKS, '');
  const mark = kindByPrefix[text.charAt(0)];
  if (mark) {
    const name = text.slice(1).replace(INVISIBLE_MARKS, '').trim();
    return name === '' ? null : { phrase, kind: mark, name };
  }
  const priority = taskPriorities.find((each) => each === text.toLowerCase());
  if (priority) return { phrase, kind: 'priority', priority };
  const date = parseDay(text, today);
  return date === null ? null : { phrase, kind: 'day', date };
}
