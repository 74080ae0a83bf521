// Statements for an interface that takes text and no parameters, and what wrangler prints of their results.

type Rows = Record<string, unknown>[];

/** The statement on one line with its parameters written into it. */
export function inline(sql: string, params: readonly unknown[]): string {
  const values = params.map(literal);
  let used = 0;
  const text = sql.replace(/\s*\n\s*/g, ' ').replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g, (piece) => {
    if (piece !== '?') return piece;
    used += 1;
    return values[used - 1] ?? '';
  });
  if (used !== values.length)
    throw new Error(`${values.length} parameters, ${used} places: ${text.slice(0, 200)}`);
  return text.trim();
}

/** Texts are ids, dates and JSON, in which line ends and control characters are escaped. */
function literal(value: unknown): string {
  if (value === null) return 'NULL';
  return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
}

/** One result a statement, as D1 answers a batch. Wrangler may say something else before the JSON. */
export function readAnswer(text: string, statements: number): { results: Rows; meta: object }[] {
  const answers: unknown = JSON.parse(text.slice(Math.max(0, text.search(/^[[{]/m))));
  if (!Array.isArray(answers)) throw new Error(`D1 refused: ${JSON.stringify(answers).slice(0, 500)}`);
  if (answers.length !== statements)
    throw new Error(`${statements} statements were asked, ${answers.length} answered`);
  return (answers as { results?: Rows; meta?: object }[]).map(({ results = [], meta = {} }) => ({
    results,
    meta,
  }));
}
