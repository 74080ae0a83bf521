/** What a command prints: `json` with `--json`, and `lines` otherwise. */
export interface CommandOutput {
  readonly json: unknown;
  readonly lines: readonly string[];
}

const SPACE_BETWEEN_COLUMNS = 2;
const SHORTEST_CELL = 12;
const DEFAULT_TERMINAL_WIDTH = 80;
const styles = { bold: [1, 22], dim: [2, 22], green: [32, 39], red: [31, 39] } as const;

const isTerminal = () => Boolean(process.stdout.isTTY);

export function print({ json, lines }: CommandOutput, isJson: boolean): void {
  const text = isJson
    ? toSafeJson(JSON.stringify(json, null, 2))
    : lines.map(removeUnsafeCharacters).join('\n');
  if (text) process.stdout.write(`${text}\n`);
}

/** Prints to standard error, because a script may read the standard output. */
export function printHint(text: string): void {
  process.stderr.write(`${removeUnsafeCharacters(text)}\n`);
}

/**
 * Matches characters that could control the terminal, or hide or reorder text, because names and comments come from
 * other people. Doesn't match color codes, or the two joiners that emoji and some scripts need.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it finds control characters.
const UNSAFE_CHARACTER_PATTERN = /(?!\u001b\[\d{1,2}m)\p{Cc}|(?!\u200c|\u200d)\p{Cf}/gu;

function removeUnsafeCharacters(line: string): string {
  return line.replace(/[\r\n\t]+/g, ' ').replace(UNSAFE_CHARACTER_PATTERN, '');
}

/** Escapes the unsafe characters that JSON allows, as UTF-16 units. */
export function toSafeJson(json: string): string {
  return json.replace(/(?!\u200c|\u200d)[\u007f-\u009f\p{Cf}]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => escapeUnit(character.charCodeAt(at))).join(''),
  );
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

export function toPlainLine(text: string): string {
  return text
    .replace(/(?!\s|\u200c|\u200d)[\p{Cc}\p{Cf}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}

export function toPlainLines(text: string): string[] {
  return text.split(/\r?\n/).map((line) => line.replace(/\t/g, '    '));
}

export function style(name: keyof typeof styles, text: string): string {
  const [start, end] = styles[name];
  return isTerminal() && !process.env.NO_COLOR ? `\u001b[${start}m${text}\u001b[${end}m` : text;
}

/**
 * Aligns the rows under their headings on a terminal, and shortens the widest columns to fit. Elsewhere, separates
 * cells by tabs, without headings, so that scripts can read them.
 */
export function printTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  emptyText: string,
): void {
  const cells = rows.map((row) => row.map(toPlainLine));
  const lines = isTerminal() ? alignCells(headings, cells, emptyText) : cells.map((row) => row.join('\t'));
  for (const line of lines) process.stdout.write(`${line}\n`);
}

function alignCells(
  headings: readonly string[],
  cells: readonly (readonly string[])[],
  emptyText: string,
): string[] {
  if (cells.length === 0) return [emptyText];
  const widths = headings.map((heading, at) =>
    Math.max(heading.length, ...cells.map((row) => countCharacters(row[at] ?? ''))),
  );
  const spaces = SPACE_BETWEEN_COLUMNS * (headings.length - 1);
  const width = process.stdout.columns || DEFAULT_TERMINAL_WIDTH;
  while (widths.reduce((sum, each) => sum + each, spaces) > width) {
    const widest = Math.max(...widths);
    if (widest <= SHORTEST_CELL) break;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  const formatRow = (row: readonly string[]) =>
    row
      .map((cell, at) => fitCell(cell, widths[at] ?? 0))
      .join(' '.repeat(SPACE_BETWEEN_COLUMNS))
      .trimEnd();
  return [style('dim', formatRow(headings)), ...cells.map(formatRow)];
}

function splitCharacters(text: string): string[] {
  return [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
}

function countCharacters(text: string): number {
  return splitCharacters(text).length;
}

function fitCell(text: string, width: number): string {
  const characters = splitCharacters(text);
  const shown = characters.length > width ? [...characters.slice(0, width - 1), '…'] : characters;
  return shown.join('') + ' '.repeat(width - shown.length);
}

/** Leaves out fields without a value. */
export function formatFields(fields: Readonly<Record<string, string | null | undefined>>): string[] {
  const filled = Object.entries(fields).filter(([, value]) => value);
  const width = Math.max(0, ...filled.map(([name]) => name.length)) + SPACE_BETWEEN_COLUMNS;
  return filled.map(([name, value]) => `${style('dim', name.padEnd(width))}${toPlainLine(value ?? '')}`);
}

export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
