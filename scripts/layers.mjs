// Who may import whom, and the SQL that D1 would accept here and refuse or misread in production.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { root } from './databases.mjs';

const LINES_MAX = 400;
const SPEAKS_SQL = /(\.queries\.ts|\.sql\.ts)$|^src\/kernel\/(database|pagination)\.ts$/;
const IMPORT = /\bfrom\s+['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g;

const problems = [];
const filesUnder = (folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));

for (const path of filesUnder('src').filter((name) => /\.tsx?$/.test(name))) checkSource(path);
for (const path of filesUnder('migrations').filter((name) => name.endsWith('.sql'))) checkMigration(path);

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}

function checkSource(path) {
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
      checkImport(path, match[1] ?? match[2], (reason) => report(at, reason));
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

function checkImport(path, target, report) {
  if (/^drizzle-orm(\/|$)/.test(target) && !SPEAKS_SQL.test(path)) {
    report('imports drizzle-orm; SQL belongs in *.queries.ts and *.sql.ts');
  }
  if (!target.startsWith('.')) return;
  const imported = join(dirname(path), target).split(sep).join('/');
  const domain = domainOf(path);
  const importedDomain = domainOf(imported);

  if (domain === 'kernel' && importedDomain !== 'kernel' && imported !== 'src/env.ts') {
    report(`the kernel knows no domain, and imports ${imported}`);
  }
  if (/\.(routes|tools)\.tsx?$/.test(imported) && path !== 'src/registry.ts') {
    report(`${imported} is a face of its domain; only src/registry.ts imports it`);
  }
  if (
    /\.(queries|sql|schema|policy)\.ts$/.test(path) &&
    imported === `src/${importedDomain}/${importedDomain}.ts`
  ) {
    report(
      `arrows run routes → operations → queries → tables, and this imports the operations in ${imported}`,
    );
  }
  if (path.endsWith('.sql.ts') && imported.endsWith('.queries.ts')) {
    report(`tables do not know their queries, and this imports ${imported}`);
  }
}

/** `tasks` for `src/tasks/tasks.ts`; null for the files that join everything. */
function domainOf(path) {
  const [, folder, file] = path.split('/');
  return file ? folder : null;
}

function checkMigration(path) {
  const text = readFileSync(join(root, path), 'utf8');
  const report = (line, reason) => problems.push(`${path}:${line}  ${reason}`);
  if (text.includes('\r')) report(1, 'has CR line ends, which break triggers on the real D1; use LF');

  text.split('\n').forEach((line, index) => {
    const at = index + 1;
    if (/^\s*--/.test(line)) {
      if (line.includes("'"))
        report(at, 'has an apostrophe in a comment, which the statement splitter takes for a string');
      return;
    }
    const code = line.replace(/--.*$/, '');
    if (line.length > code.length && line.slice(code.length).includes("'")) {
      report(at, 'has an apostrophe in a comment, which the statement splitter takes for a string');
    }
    if (/\bCREATE\s+(TEMP\s+)?TRIGGER\b/i.test(code) && !/\bBEGIN\b.*\bEND;\s*$/.test(code)) {
      report(
        at,
        'a trigger stands on one line, with upper-case BEGIN … END;, or the real D1 cuts it at its first `;`',
      );
    }
    if (/\bDROP\s+TABLE\b/i.test(code))
      report(at, 'dropping a table deletes the rows that refer to it; migrations only add');
    if (/\bALTER\s+TABLE\s+\S+\s+RENAME\s+TO\b/i.test(code)) {
      report(at, 'renaming a table is half of rebuilding it, which cascades deletes; migrations only add');
    }
  });
}
