/**
 * Spreadsheets run what begins so, whoever wrote it; the last four are the wide forms of the first four. Where they
 * divide by semicolons, as in much of Europe, they take a comma and a quote for text, and begin a cell in the midst of it.
 */
const FORMULA = /^(?=[=+\-@\t\r\n＝＋－＠])|(?=[=+\-@\t＝＋－＠])(?<=[;\r\n]"*)/g;

/** A row of a CSV file (RFC 4180). An apostrophe defuses cells that a spreadsheet would run as a formula. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(text: string): string {
  return `"${text.replace(FORMULA, "'").replaceAll('"', '""')}"`;
}
