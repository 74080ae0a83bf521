import { decodeText } from './decode-text.ts';
import { parseJson } from './parse-json.ts';
import { readCsv } from './read-csv.ts';
import { readTrello } from './read-trello.ts';
import type { ColumnUse, Source } from './source.ts';

const JSON_START_PATTERN = /^\s*[[{]\s*["[\]{}]/;

/** Recognizes the format by the content, because file names can be wrong. Throws 400 for other files. */
export function readSource(bytes: Uint8Array, uses?: readonly ColumnUse[]): Source {
  const text = decodeText(bytes);
  return JSON_START_PATTERN.test(text) ? readTrello(parseJson(text), uses) : readCsv(text, uses);
}
