/**
 * Spreadsheets run cells that start with these characters; the last four are the full-width forms of the first four. In
 * locales that separate cells by semicolons, commas and quotes are plain text, so a cell can also start within ours.
 */
const FORMULA = /^(?=[=+\-@\t\r\n＝＋－＠])|(?=[=+\-@\t＝＋－＠])(?<=[;\r\n]"*)/g;

/** A row of a CSV file (RFC 4180). An apostrophe defuses cells that a spreadsheet would run as a formula. */
export function toCsvLine(cells: readonly string[]): string {
  return `${cells.map(quoteCell).join(',')}\r\n`;
}

function quoteCell(text: string): string {
  return `"${text.replace(FORMULA, "'").replaceAll('"', '""')}"`;
}
