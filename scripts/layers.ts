// `npm run check` uses this script to check imports, file names and file lengths, and to find SQL that D1 would reject
// or misread in production.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { root } from './databases.ts';
import { drawModules } from './layers/draw-modules.ts';
import { findOperationFiles } from './layers/imports.ts';
import { buildModuleGraph, checkFiles, checkModules, checkTables, isTable } from './layers/modules.ts';
import { checkTableNames } from './layers/table-names.ts';
import { checkWritePath } from './layers/write-path.ts';

/** A longer file must explain its length in its first line. */
const LINES_MAX = 250;
const LONG_FILE_REASON_PATTERN = /^\/\/ This file is long because /;
const SQL_FILE_PATTERN =
  /\.queries\.ts$|^src\/schema\/|^src\/kernel\/(sql\/(database|prepared|sql)|lists\/pagination)\.ts$/;
const IMPORT_PATTERN = /\bfrom\s+['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g;

const problems: string[] = [];
const sources = new Map(listSourceFiles('src').map((path) => [path, readFileSync(join(root, path), 'utf8')]));
const operations = findOperationFiles(sources);

for (const [path, text] of sources) checkSource(path, text);
for (const folder of ['src', 'scripts', 'bench', 'test']) checkLengths(folder);
problems.push(
  ...checkTables(sources),
  ...checkModules(sources),
  ...checkFiles(sources),
  ...checkWritePath(sources),
  ...checkTableNames(sources),
);
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
if (process.argv.includes('--graph')) console.log(drawModules(buildModuleGraph(sources)));

function listSourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

function checkLengths(folder: string): void {
  for (const path of listSourceFiles(folder)) {
    const text = readFileSync(join(root, path), 'utf8');
    const lines = text.split('\n').length - 1;
    if (lines <= LINES_MAX || LONG_FILE_REASON_PATTERN.test(text)) continue;
    problems.push(
      `${path}:1  has ${lines} lines; split it, or say why in its first line: "// This file is long because …"`,
    );
  }
}

function checkSource(path: string, text: string): void {
  const lines = text.split('\n');
  const report = (line: number, reason: string) => problems.push(`${path}:${line}  ${reason}`);

  if (/^(utils|helpers)\.tsx?$/.test(basename(path)))
    report(1, 'has a meaningless name; name the file after its contents');

  lines.forEach((line, index) => {
    if (/^\s*(\/\/|\/?\*)/.test(line)) return;
    const at = index + 1;
    for (const match of line.matchAll(IMPORT_PATTERN))
      checkImport(path, match[1] ?? match[2] ?? '', (reason) => report(at, reason));
    if (/\bsql\b.* from 'drizzle-orm'/.test(line) && !/^src\/(schema\/|kernel\/sql\/sql\.ts$)/.test(path))
      report(
        at,
        "uses Drizzle's sql tag; import the tag in src/kernel/sql/sql.ts, which quotes tables and columns",
      );
    if (/\.transaction\(/.test(line)) report(at, '`transaction()` always throws on D1; send one batch');
    if (/\bmeta\.changes\b/.test(line))
      report(at, '`meta.changes` counts trigger and search rows; use RETURNING');
    if (path.endsWith('.queries.ts') && /\b(LIKE|GLOB)\b|\b(i?like)\(/.test(line)) {
      report(
        at,
        'LIKE fails for patterns over 50 bytes and interprets % and _ in user text; use instr() or the search index',
      );
    }
  });
}

function checkImport(path: string, target: string, report: (reason: string) => void): void {
  const imported = target.startsWith('.') ? join(dirname(path), target).split(sep).join('/') : target;
  if (/^drizzle-orm(\/|$)|^src\/kernel\/sql\/sql\.ts$/.test(imported) && !SQL_FILE_PATTERN.test(path)) {
    report(`imports ${imported}; SQL belongs in *.queries.ts and src/schema`);
  }
  if (imported === target) return;
  const domain = getDomain(path);
  const importedDomain = getDomain(imported);

  if (domain === 'kernel' && importedDomain !== 'kernel' && importedDomain !== 'schema') {
    report(`imports ${imported}, but the kernel must not depend on other areas`);
  }
  if (/\.(routes|tools)\.tsx?$/.test(imported) && path !== 'src/registry.ts') {
    report(`imports ${imported}, which only src/registry.ts may import`);
  }
  if ((isTable(path) || /\.(queries|schema|policy)\.ts$/.test(path)) && operations.has(imported)) {
    report(
      `imports the operations in ${imported}, but dependencies run routes → operations → queries → tables`,
    );
  }
}

function getDomain(path: string): string | null {
  const [, folder, file] = path.split('/');
  return folder && file ? folder : null;
}
