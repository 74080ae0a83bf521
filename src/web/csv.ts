/** Spreadsheets run what begins so, whoever wrote it; the last four are the wide forms of the first four. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** A line of a CSV file (RFC 4180). A cell that a spreadsheet would run as a formula begins with an apostrophe. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
