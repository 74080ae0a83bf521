import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { formatNumber } from '../../kernel/text/number-format.ts';
import { shorten } from '../../kernel/text/shorten.ts';
import { type CsvRecord, detectDelimiter, readRecords } from './csv-records.ts';
import { findHeaderField } from './headers.ts';
import type { ColumnUse, ImportField, Source, SourceColumn, SourceNote } from './source.ts';

export const ROWS_MAX = 20_000;
/** Limits the memory that a file takes, because a cell needs more memory than its text. */
const FILLED_CELLS_MAX = 500_000;
const HEADER_CHARACTERS_MAX = 199;
const SAMPLE_CHARACTERS = 1_000;
/** Some exported files have a few lines above the header. */
const HEADER_LINES_MAX = 10;
/** A value can be split across several columns with the same header, and a task can have several ids. */
const repeatableFields: ReadonlySet<ColumnUse> = new Set<ImportField>(['id', 'tags', 'assignee', 'parent']);

export function readCsv(text: string, uses?: readonly ColumnUse[]): Source {
  const { delimiter, body } = detectDelimiter(text);
  const records = [...readNonEmptyRecords(body, delimiter)];
  const start = findHeader(records);
  const [header, ...rows] = records.slice(start);
  if (!header || rows.length === 0) {
    throw invalidRequestError(
      'The file has no rows. It needs a line with column names and a line for each task.',
    );
  }
  rejectWrappedRows(header);
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), header.cells.length);
  const headers = Array.from({ length: width }, (_, index) =>
    shorten(header.cells[index] || `Column ${index + 1}`, HEADER_CHARACTERS_MAX),
  );
  const notes: SourceNote[] = [
    ...records.slice(0, start).map(({ line, cells }) => ({
      row: null,
      text: `Line ${line} is above the header and was left out: ${shorten(cells.join(' ').trim(), HEADER_CHARACTERS_MAX)}`,
    })),
    ...rows.flatMap(({ line, cells }, index) =>
      cells.length === header.cells.length
        ? []
        : [{ row: index + 1, text: describeRaggedLine(line, cells, header) }],
    ),
  ];
  const columns = uses
    ? headers.map((name, index) => ({ header: name, use: uses[index] ?? 'text' }))
    : guessColumns(headers, header.cells.length);
  return { columns, tasks: rows.map(({ cells }, index) => ({ row: index + 1, cells })), notes };
}

function* readNonEmptyRecords(body: string, delimiter: string): Generator<CsvRecord> {
  let [count, filled] = [0, 0];
  for (const { line, cells } of readRecords(body, delimiter)) {
    const more = cells.reduce((sum, cell) => (cell.trim() === '' ? sum : sum + 1), 0);
    if (more === 0) continue;
    count += 1;
    filled += more;
    if (count > ROWS_MAX + HEADER_LINES_MAX) {
      throw invalidRequestError(
        `The file must have at most ${formatNumber(ROWS_MAX)} rows. Split it and import the parts one at a time.`,
      );
    }
    if (filled > FILLED_CELLS_MAX) {
      throw invalidRequestError(
        `The file must have at most ${formatNumber(FILLED_CELLS_MAX)} filled cells. Split it and import the parts one at a time.`,
      );
    }
    yield { line, cells: cells.map(removeFormulaGuard) };
  }
}

/** Removes the apostrophe that keeps spreadsheets from executing a cell. */
function removeFormulaGuard(cell: string): string {
  return cell.startsWith("'") && /^'[=+\-@\t\r＝＋－＠]/.test(cell) ? cell.slice(1) : cell;
}

function findHeader(records: readonly CsvRecord[]): number {
  const first = records.slice(0, HEADER_LINES_MAX);
  const countKnown = ({ cells }: CsvRecord) => cells.filter((cell) => findHeaderField(cell)).length;
  const known = first.findIndex((record) => countKnown(record) >= 2);
  if (known !== -1) return known;
  return Math.max(
    0,
    first.findIndex(({ cells }) => cells.filter((cell) => cell !== '').length >= 2),
  );
}

function rejectWrappedRows({ cells }: CsvRecord) {
  const [only = '', ...others] = cells.filter((cell) => cell !== '');
  if (others.length > 0 || only.slice(0, SAMPLE_CHARACTERS).split(/[,;\t]/).length < 3) return;
  throw invalidRequestError(
    `Each row is a single cell: the header is '${only.slice(0, 100)}'. Export the file again, and don't open it in a spreadsheet first.`,
  );
}

function describeRaggedLine(line: number, cells: readonly string[], header: CsvRecord): string {
  const problem = cells.length > header.cells.length ? 'more' : 'fewer';
  return `Line ${line} has ${problem} cells (${cells.length}) than the header (${header.cells.length}). Check whether its values are in the right columns.`;
}

/** Without a known name column, the first unknown column is used for names. */
function guessColumns(headers: readonly string[], named: number): SourceColumn[] {
  const used = new Set<ColumnUse>();
  const guessed = headers.map((header, index): SourceColumn => {
    const field = index < named ? findHeaderField(header) : null;
    if (field === null || (used.has(field) && !repeatableFields.has(field))) return { header, use: 'text' };
    used.add(field);
    return { header, use: field };
  });
  if (used.has('name')) return guessed;
  const name = guessed.findIndex(({ use }) => use === 'text');
  return guessed.map((column, index) => (index === name ? { ...column, use: 'name' } : column));
}
