// Who may import whom, and the SQL that D1 would accept here and refuse or misread in production.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './databases.mjs';
import { drawRooms } from './layers/draw-rooms.ts';
import { operationFiles } from './layers/imports.ts';
import { checkRooms, checkTables, roomsOf } from './layers/rooms.ts';
import { checkWritePath } from './layers/write-path.ts';

const LINES_MAX = 400;
const SPEAKS_SQL = /(\.queries\.ts|\.sql\.ts)$|^src\/kernel\/(database|pagination)\.ts$/;
const IMPORT = /\bfrom\s+['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g;

const STATEMENT_BYTES_MAX = 100_000;

/** What begins a statement that D1 would not take, or would take from an empty table alone. */
const refused = [
  [/^DROP\s+TABLE\b/i, 'dropping a table deletes the rows that refer to it; migrations only add'],
  [
    /^ALTER\s+TABLE\s+\S+\s+RENAME\s+TO\b/i,
    'renaming a table is half of rebuilding it, which cascades deletes; migrations only add',
  ],
  [
    /^ALTER\s+TABLE\s+\S+\s+(RENAME|DROP)\b/i,
    'the version that runs during the deployment still reads this column; migrations only add',
  ],
  [
    /^PRAGMA\b/i,
    'D1 ignores or refuses it, and who needs it is about to rebuild a table; migrations only add',
  ],
  [
    /^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|END|ATTACH|VACUUM)\b/i,
    'D1 refuses it: a migration is one transaction already',
  ],
  [
    /^ALTER\s+TABLE\s+\S+\s+ADD\s+(COLUMN\s+)?(?!.*\bAS\s*\()(?!.*\bDEFAULT\b).*\bNOT\s+NULL\b/is,
    'a column that is NOT NULL needs a DEFAULT; without one it passes on an empty table and fails on a full one',
  ],
  [
    /^ALTER\s+TABLE\s+\S+\s+ADD\s.*\bDEFAULT\s+(\(|CURRENT_)/is,
    'a DEFAULT that is computed passes on an empty table and fails on a full one; use a constant',
  ],
  [
    /^ALTER\s+TABLE\s+\S+\s+ADD\s.*\b(UNIQUE|PRIMARY\s+KEY)\b/is,
    'an added column cannot be UNIQUE; add an index',
  ],
];

/**
 * What deployments have applied, by checksum: `npm run deploy` writes it. Until then a migration is a draft and may
 * change. A checksum of every file at every commit would freeze drafts and be renewed by habit, and so prove nothing;
 * the history of git is missing from a shallow clone.
 */
export const APPLIED = 'migrations/applied.json';

const problems = [];
const filesUnder = (folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));

if (resolve(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) {
  const paths = filesUnder('src').filter((name) => /\.tsx?$/.test(name));
  const sources = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  const operations = operationFiles(sources);
  for (const path of paths) checkSource(path, operations);
  problems.push(...checkTables(sources), ...checkRooms(sources), ...checkWritePath(sources));
  problems.push(...checkMigrations(readMigrations(), readApplied()));
  if (problems.length > 0) {
    console.error(problems.join('\n'));
    process.exit(1);
  }
  if (process.argv.includes('--graph')) console.log(drawRooms(roomsOf(sources)));
}

function checkSource(path, operations) {
  const text = readFileSync(join(root, path), 'utf8');
  const lines = text.split('\n');
  const report = (line, reason) => problems.push(`${path}:${line}  ${reason}`);

  if (lines.length > LINES_MAX) report(LINES_MAX, `has ${lines.length} lines; split it before ${LINES_MAX}`);
  if (/^(utils|helpers)\.tsx?$/.test(basename(path)))
    report(1, 'is named after nothing; name it after what it does');

  lines.forEach((line, index) => {
    if (/^\s*(\/\/|\/?\*)/.test(line)) return;
    const at = index + 1;
    for (const match of line.matchAll(IMPORT))
      checkImport(path, match[1] ?? match[2], operations, (reason) => report(at, reason));
    if (/\.transaction\(/.test(line)) report(at, '`transaction()` always throws on D1; send one batch');
    if (/\bmeta\.changes\b/.test(line))
      report(at, '`meta.changes` counts trigger and search rows; use RETURNING');
    if (path.endsWith('.queries.ts') && /\b(LIKE|GLOB)\b|\b(i?like)\(/.test(line)) {
      report(
        at,
        'LIKE fails above 50 bytes of pattern and reads % and _ in user text; use instr() or the search index',
      );
    }
  });
}

function checkImport(path, target, operations, report) {
  if (/^drizzle-orm(\/|$)/.test(target) && !SPEAKS_SQL.test(path)) {
    report('imports drizzle-orm; SQL belongs in *.queries.ts and *.sql.ts');
  }
  if (!target.startsWith('.')) return;
  const imported = join(dirname(path), target).split(sep).join('/');
  const domain = domainOf(path);
  const importedDomain = domainOf(imported);

  if (domain === 'kernel' && importedDomain !== 'kernel') {
    report(`the kernel knows no domain, and imports ${imported}`);
  }
  if (/\.(routes|tools)\.tsx?$/.test(imported) && path !== 'src/registry.ts') {
    report(`${imported} is a face of its domain; only src/registry.ts imports it`);
  }
  if (/\.(queries|sql|schema|policy)\.ts$/.test(path) && operations.has(imported)) {
    report(
      `arrows run routes → operations → queries → tables, and this imports the operations in ${imported}`,
    );
  }
}

/** `tasks` for `src/tasks/tasks.ts`; null for the files that join everything. */
function domainOf(path) {
  const [, folder, file] = path.split('/');
  return file ? folder : null;
}

/** Every migration with its text, the folders and numbers in order. */
export function readMigrations() {
  return filesUnder('migrations')
    .filter((path) => path !== APPLIED)
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

export function readApplied() {
  const path = join(root, APPLIED);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

export function checksum(text) {
  return createHash('sha256').update(text).digest('hex');
}

/** The problems of all migrations: each by itself, their numbers, and whether an applied one was touched. */
export function checkMigrations(files, applied = {}) {
  const found = files.flatMap(({ path, text }) => checkMigration(path, text));
  for (const folder of new Set(files.map(({ path }) => dirname(path)))) {
    const members = files.filter(({ path }) => dirname(path) === folder);
    members.forEach(({ path }, index) => {
      const number = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(basename(path))?.[1];
      const expected = String(index + 1).padStart(4, '0');
      if (number === undefined) found.push(`${path}:1  is not named like ${expected}_what_it_adds.sql`);
      else if (number !== expected) {
        found.push(
          `${path}:1  has the number ${number} where ${expected} comes next; a gap or a pair runs out of order`,
        );
      }
    });
  }
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  for (const [path, sum] of Object.entries(applied)) {
    const text = texts.get(path);
    if (text === undefined) found.push(`${path}:1  was applied by a deployment and is gone; put it back`);
    else if (checksum(text) !== sum) {
      found.push(
        `${path}:1  was applied by a deployment and has changed since; put it back, and add a migration`,
      );
    }
  }
  return found;
}

function checkMigration(path, text) {
  const found = [];
  const report = (line, reason) => found.push(`${path}:${line}  ${reason}`);
  if (text.includes('\r')) report(1, 'has CR line ends, which break triggers on the real D1; use LF');

  const lines = text.split('\n');
  lines.forEach((line, index) => {
    const at = index + 1;
    const { code, comment } = splitLine(line);
    if (comment.includes("'"))
      report(at, 'has an apostrophe in a comment, which the statement splitter takes for a string');
    if (/\/\*|\*\//.test(code)) report(at, 'has a block comment; use -- at the start of each line');
    if (/\bCREATE\s+(TEMP(ORARY)?\s+)?TRIGGER\b/i.test(code))
      checkTrigger(code, (reason) => report(at, reason));
  });
  for (const { at, sql } of statementsOf(lines)) checkStatement(sql, (reason) => report(at, reason));
  return found;
}

function checkTrigger(code, report) {
  if (!/\bBEGIN\b.*\bEND;\s*$/.test(code)) {
    report(
      'a trigger stands on one line, with upper-case BEGIN … END;, or the real D1 cuts it at its first `;`',
    );
  }
  if (/\bCASE\b/i.test(code)) {
    report('a trigger says WHEN and not CASE, whose END the real D1 takes for the end of the trigger');
  }
}

function checkStatement(sql, report) {
  for (const [pattern, reason] of refused) if (pattern.test(sql)) return report(reason);
  if (Buffer.byteLength(sql) > STATEMENT_BYTES_MAX) {
    report(`a statement has more than ${STATEMENT_BYTES_MAX} bytes, which D1 refuses; split it`);
  }
}

/** What of a line is SQL and what follows `--`, outside of strings. */
function splitLine(line) {
  const start = /^(?:[^'-]|'[^']*'|-(?!-))*--/.exec(line);
  const at = start ? start[0].length - 2 : line.length;
  return { code: line.slice(0, at), comment: line.slice(at) };
}

/** Statements with the line that they begin on. A trigger is one, because it stands on one line. */
function statementsOf(lines) {
  const statements = [];
  let open = null;
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
