/**
 * Spreadsheets execute cells that start with these characters. The last four are full-width forms. In locales that
 * separate cells with semicolons, a semicolon inside quoted text also starts a cell.
 */
const FORMULA_START_PATTERN = /^(?=[=+\-@\t\r\n＝＋－＠])|(?=[=+\-@\t＝＋－＠])(?<=[;\r\n]"*)/g;

/** Follows RFC 4180. A leading apostrophe keeps spreadsheets from executing a cell as a formula. */
export function toCsvRow(cells: readonly string[]): string {
  return `${cells.map(quoteCell).join(',')}\r\n`;
}

function quoteCell(text: string): string {
  return `"${text.replace(FORMULA_START_PATTERN, "'").replaceAll('"', '""')}"`;
}
