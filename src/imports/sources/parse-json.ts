import { type AppError, invalidRequestError } from '../../kernel/errors/errors.ts';
import { formatNumber } from '../../kernel/text/number-format.ts';
import { removeControlCharacters } from '../../kernel/text/storable-text.ts';

/**
 * A parsed file can take many times the memory of its text, so its levels, objects, lists and values are counted first.
 */
const LEVELS_MAX = 50;
const CONTAINERS_MAX = 400_000;
const VALUES_MAX = 1_000_000;

export type JsonRecord = Readonly<Record<string, unknown>>;

export function parseJson(text: string): unknown {
  rejectTooManyParts(text);
  try {
    return JSON.parse(text);
  } catch {
    throw invalidRequestError("The file isn't complete JSON. Export it again, and don't edit it.");
  }
}

function rejectTooManyParts(text: string) {
  let [level, containers, values] = [0, 0, 1];
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '"':
        at = findStringEnd(text, at);
        break;
      case '{':
      case '[':
        level += 1;
        containers += 1;
        if (level > LEVELS_MAX) throw tooManyPartsError(LEVELS_MAX, 'nested levels');
        if (containers > CONTAINERS_MAX) throw tooManyPartsError(CONTAINERS_MAX, 'objects and lists');
        break;
      case '}':
      case ']':
        level -= 1;
        break;
      case ',':
        values += 1;
        if (values > VALUES_MAX) throw tooManyPartsError(VALUES_MAX, 'values');
    }
  }
}

function findStringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

function tooManyPartsError(max: number, parts: string): AppError {
  return invalidRequestError(
    `The file must have at most ${formatNumber(max)} ${parts}; it has more. Export fewer tasks.`,
  );
}

/* Files can have values of any type in any place. Values of unexpected types are treated as missing. */

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const getValue = (record: unknown, key: string): unknown =>
  isRecord(record) && Object.hasOwn(record, key) ? record[key] : undefined;

/** JSON escapes can produce characters that the file itself doesn't contain. */
const toStorableText = (text: string) => removeControlCharacters(text).toWellFormed();

export function getText(record: unknown, key: string): string {
  const value = getValue(record, key);
  return typeof value === 'string' ? toStorableText(value).trim() : '';
}

export function getNumber(record: unknown, key: string): number | null {
  const value = getValue(record, key);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

export const isTrue = (record: unknown, key: string): boolean => getValue(record, key) === true;

export function getRecord(record: unknown, key: string): JsonRecord {
  const value = getValue(record, key);
  return isRecord(value) ? value : {};
}

export function getList(record: unknown, key: string): readonly unknown[] {
  const value = getValue(record, key);
  return Array.isArray(value) ? value : [];
}

export const listRecords = (record: unknown, key: string): JsonRecord[] =>
  getList(record, key).filter(isRecord);

export const listTexts = (record: unknown, key: string): string[] =>
  getList(record, key).flatMap((value) => (typeof value === 'string' ? [toStorableText(value)] : []));
