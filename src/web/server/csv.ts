/**
 * Spreadsheets execute cells that start with these characters. The last four are full-width forms. In locales that separate
 * cells with semicolons, a cell can also start inside one of ours.
 */
const FORMULA_START = /^(?=[=+\-@\t\r\n＝＋－＠])|(?=[=+\-@\t＝＋－＠])(?<=[;\r\n]"*)/g;

/** Follows RFC 4180. An apostrophe disarms cells that a spreadsheet would execute as a formula. */
export function toCsvLine(cells: readonly string[]): string {
  return `${cells.map(quoteCell).join(',')}\r\n`;
}

function quoteCell(text: string): string {
  return `"${text.replace(FORMULA_START, "'").replaceAll('"', '""')}"`;
}
