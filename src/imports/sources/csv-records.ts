import { invalidRequestError } from '../../kernel/errors/errors.ts';

export interface CsvRecord {
  /** The line of the file on which the record starts. */
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Reads records as in RFC 4180, and also accepts line breaks of any kind, and text after a closing quotation mark.
 * Throws 400 if the last quotation mark is never closed, because the cell would contain the rest of the file.
 */
export function* readRecords(text: string, delimiter: string): Generator<CsvRecord> {
  const unquoted = new RegExp(`[^${escapeForClass(delimiter)}\\r\\n]*`, 'y');
  let [at, line] = [0, 1];
  while (at < text.length) {
    const start = line;
    const cells: string[] = [];
    for (;;) {
      let cell = '';
      if (text[at] === '"') {
        const end = findClosingQuote(text, at, line);
        cell = text.slice(at + 1, end).replaceAll('""', '"');
        line += countLineBreaks(cell);
        at = end + 1;
      }
      unquoted.lastIndex = at;
      const rest = unquoted.exec(text)?.[0] ?? '';
      at += rest.length;
      cells.push(cell + rest);
      if (text[at] !== delimiter) break;
      at += 1;
    }
    if (text[at] === '\r') at += 1;
    if (text[at] === '\n') at += 1;
    line += 1;
    yield { line: start, cells };
  }
}

function findClosingQuote(text: string, start: number, line: number): number {
  for (let at = start + 1; ; at += 2) {
    at = text.indexOf('"', at);
    if (at === -1) {
      throw invalidRequestError(
        `The quotation mark that opens a cell in line ${line} is never closed. Export the file again, or close it.`,
      );
    }
    if (text[at + 1] !== '"') return at;
  }
}

function countLineBreaks(cell: string): number {
  return cell.match(/\r\n|\r|\n/g)?.length ?? 0;
}

const escapeForClass = (character: string) => character.replace(/[\\\]^|-]/, '\\$&');

const DELIMITERS = [',', ';', '\t', '|'] as const;
const SAMPLE_CHARACTERS = 200_000;
const SAMPLE_RECORDS = 30;

/** Spreadsheets can name the delimiter in the first line. */
const NAMED_DELIMITER = /^sep=([^\r\n])(?:\r\n|\r|\n)/i;

/** Chooses the delimiter that splits the most records into the same number of cells. */
export function detectDelimiter(text: string): { delimiter: string; body: string } {
  const named = NAMED_DELIMITER.exec(text);
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
    // The sample ends within a cell. The records before it are enough.
  }
  const sizes = [
    ...Map.groupBy(
      widths.filter((width) => width > 1),
      (width) => width,
    ),
  ];
  return Math.max(0, ...sizes.map(([width, records]) => records.length * 1_000 + width));
}
