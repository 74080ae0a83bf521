import { invalidRequestError } from '../../kernel/errors/errors.ts';

export const COLUMNS_MAX = 300;
const PART_CHARACTERS = 32 * 1024;

export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Reads CSV as in RFC 4180, and also accepts line breaks of any kind and text after a closing quotation mark.
 * Throws 400 if a quotation mark is never closed, because the cell would contain the rest of the file. Also
 * throws 400 for a record with too many cells, before it fills up memory.
 */
export function* readRecords(text: string, delimiter: string): Generator<CsvRecord> {
  const unquoted = new RegExp(`[^${escapeForCharacterClass(delimiter)}\\r\\n]*`, 'y');
  let [at, line] = [0, 1];
  while (at < text.length) {
    const start = line;
    const cells: string[] = [];
    for (;;) {
      let cell = '';
      if (text[at] === '"') {
        const quoted = readQuotedCell(text, at, line);
        cell = quoted.cell;
        line += countLineBreaks(cell);
        at = quoted.end;
      }
      unquoted.lastIndex = at;
      const end = unquoted.test(text) ? unquoted.lastIndex : at;
      cells.push(cell + text.slice(at, end));
      at = end;
      if (text[at] !== delimiter) break;
      if (cells.length === COLUMNS_MAX) {
        throw invalidRequestError(
          `The file must have at most ${COLUMNS_MAX} columns; line ${start} has more. Remove some columns.`,
        );
      }
      at += 1;
    }
    if (text[at] === '\r') at += 1;
    if (text[at] === '\n') at += 1;
    line += 1;
    yield { line: start, cells };
  }
}

/**
 * Reads the cell in parts, because replacing millions of quotation marks at once takes several times the memory of the
 * file.
 */
function readQuotedCell(text: string, start: number, line: number): { cell: string; end: number } {
  const parts: string[] = [];
  let from = start + 1;
  for (let at = from; ; at += 2) {
    at = text.indexOf('"', at);
    if (at === -1) {
      throw invalidRequestError(
        `The quotation mark that opens a cell on line ${line} is never closed. Close it, or export the file again.`,
      );
    }
    const isEnd = text[at + 1] !== '"';
    if (isEnd || at - from > PART_CHARACTERS) {
      parts.push(text.slice(from, at).split('""').join('"'));
      from = at;
    }
    if (isEnd) return { cell: parts.join(''), end: at + 1 };
  }
}

function countLineBreaks(cell: string): number {
  let count = 0;
  for (let at = 0; at < cell.length; at += 1) {
    const code = cell.charCodeAt(at);
    if (code === 10 || (code === 13 && cell.charCodeAt(at + 1) !== 10)) count += 1;
  }
  return count;
}

const escapeForCharacterClass = (character: string) => character.replace(/[\\\]^|-]/, '\\$&');

const DELIMITERS = [',', ';', '\t', '|'] as const;
const SAMPLE_CHARACTERS = 200_000;
const SAMPLE_RECORDS = 30;

/** Some spreadsheets name the delimiter in the first line. */
const NAMED_DELIMITER_PATTERN = /^sep=([^\r\n])(?:\r\n|\r|\n)/i;

export function detectDelimiter(text: string): { delimiter: string; body: string } {
  const named = NAMED_DELIMITER_PATTERN.exec(text);
  if (named?.[1]) return { delimiter: named[1], body: text.slice(named[0].length) };
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  let best = { delimiter: ',', score: 0 };
  for (const delimiter of DELIMITERS) {
    const score = scoreDelimiter(sample, delimiter);
    if (score > best.score) best = { delimiter, score };
  }
  return { delimiter: best.delimiter, body: text };
}

function scoreDelimiter(sample: string, delimiter: string): number {
  const widths: number[] = [];
  try {
    for (const { cells } of readRecords(sample, delimiter)) {
      if (cells.some((cell) => cell !== '')) widths.push(cells.length);
      if (widths.length === SAMPLE_RECORDS) break;
    }
  } catch {
    // The sample may end within a cell. The records before that cell are enough.
  }
  const sizes = [
    ...Map.groupBy(
      widths.filter((width) => width > 1),
      (width) => width,
    ),
  ];
  return Math.max(0, ...sizes.map(([width, records]) => records.length * 1_000 + width));
}
