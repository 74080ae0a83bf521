// Finds SQL in a migration that works locally, but that D1 would reject or misread in production.

const STATEMENT_BYTES_MAX = 100_000;

/** Statements that D1 rejects, that work only on an empty table, or that delete or rename instead of adding. */
const rejected: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^DROP\s+TABLE\b/i, 'dropping a table deletes the rows that refer to it; migrations only add'],
  [
    /^ALTER\s+TABLE\s+\S+\s+RENAME\s+TO\b/i,
    'renaming a table is half of rebuilding it, which cascades deletes; migrations only add',
  ],
  [
    /^ALTER\s+TABLE\s+\S+\s+(RENAME|DROP)\b/i,
    'the version running during the deployment still reads this column; migrations only add',
  ],
  [/^PRAGMA\b/i, 'D1 ignores or rejects it, and it is needed only to rebuild a table; migrations only add'],
  [
    /^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|END|ATTACH|VACUUM)\b/i,
    'D1 rejects it, because a migration is already one transaction',
  ],
  [
    /^ALTER\s+TABLE\s+\S+\s+ADD\s+(COLUMN\s+)?(?!.*\bAS\s*\()(?!.*\bDEFAULT\b).*\bNOT\s+NULL\b/is,
    'a column that is NOT NULL needs a DEFAULT; without one, it works only for an empty table',
  ],
  [
    /^ALTER\s+TABLE\s+\S+\s+ADD\s.*\bDEFAULT\s+(\(|CURRENT_)/is,
    'a computed DEFAULT works only for an empty table; use a constant',
  ],
  [
    /^ALTER\s+TABLE\s+\S+\s+ADD\s.*\b(UNIQUE|PRIMARY\s+KEY)\b/is,
    'an added column cannot be UNIQUE; add an index',
  ],
];

type ReportProblem = (reason: string) => void;

/** `at` is the number of the statement's first line. */
interface LocatedStatement {
  readonly at: number;
  sql: string;
}

export function checkMigration(path: string, text: string): string[] {
  const found: string[] = [];
  const report = (line: number, reason: string) => void found.push(`${path}:${line}  ${reason}`);
  if (text.includes('\r')) report(1, 'has CR line breaks, which break triggers on the real D1; use LF');

  const lines = text.split('\n');
  lines.forEach((line, index) => {
    const at = index + 1;
    const { code, comment } = splitLine(line);
    if (comment.includes("'"))
      report(at, 'has an apostrophe in a comment, which D1 would read as the start of a string');
    if (/\/\*|\*\//.test(code)) report(at, 'has a block comment; use -- at the start of each line');
    if (/\bCREATE\s+(TEMP(ORARY)?\s+)?TRIGGER\b/i.test(code))
      checkTrigger(code, (reason) => report(at, reason));
  });
  for (const { at, sql } of splitStatements(lines)) checkStatement(sql, (reason) => report(at, reason));
  return found;
}

function checkTrigger(code: string, report: ReportProblem): void {
  if (!/\bBEGIN\b.*\bEND;\s*$/.test(code)) {
    report(
      'a trigger must be on one line with upper-case BEGIN … END;, or the real D1 splits it at its first `;`',
    );
  }
  if (/\bCASE\b/i.test(code)) {
    report(
      'a trigger must use WHEN instead of CASE, because the real D1 ends the trigger at the END of CASE',
    );
  }
}

function checkStatement(sql: string, report: ReportProblem): void {
  const reason = rejected.find(([pattern]) => pattern.test(sql))?.[1];
  if (reason) report(reason);
  else if (Buffer.byteLength(sql) > STATEMENT_BYTES_MAX) {
    report(`a statement has more than ${STATEMENT_BYTES_MAX} bytes, which D1 rejects; split it`);
  }
}

function splitLine(line: string): { code: string; comment: string } {
  const start = /^(?:[^'-]|'[^']*'|-(?!-))*--/.exec(line);
  const at = start ? start[0].length - 2 : line.length;
  return { code: line.slice(0, at), comment: line.slice(at) };
}

/**
 * Splits a migration into statements, each with the number of its first line. A trigger is one statement, because it
 * is on one line.
 */
function splitStatements(lines: readonly string[]): LocatedStatement[] {
  const statements: LocatedStatement[] = [];
  let open: LocatedStatement | null = null;
  lines.forEach((line, index) => {
    const { code } = splitLine(line);
    const parts = /\bTRIGGER\b/i.test(code) ? [code] : code.split(/;(?=(?:[^']*'[^']*')*[^']*$)/);
    parts.forEach((part, number) => {
      if (number > 0) open = null;
      if (part.trim() === '') return;
      if (open) open.sql += `\n${part}`;
      else {
        open = { at: index + 1, sql: part.trimStart() };
        statements.push(open);
      }
    });
    if (parts.length === 1 && /;\s*$/.test(code)) open = null;
  });
  return statements;
}
