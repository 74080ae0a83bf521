import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { it } from 'node:test';
import { fillTables, pages } from '../../bench/scaling/tables.ts';
import { root } from '../../scripts/databases.ts';

const readText = (path: string) => readFileSync(join(root, path), 'utf8');
const listFiles = (folder: string, ending: RegExp) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => join(folder, name));
const documents = [
  ...['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...listFiles('docs', /\.md$/),
];
const decisions = listFiles('docs/adr', /\d{4}-.*\.md$/);
const sources = ['src', 'test', 'scripts', 'bench', 'migrations'].flatMap((folder) =>
  listFiles(folder, /\.(tsx?|mjs|sql)$/),
);

/** Builds the anchor of a heading as GitHub does. */
function buildAnchor(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

function hasHeading(path: string, anchor: string): boolean {
  return [...readText(path).matchAll(/^#+ (.+)$/gm)].some(
    ([, heading = '']) => buildAnchor(heading) === anchor,
  );
}

for (const path of documents) {
  it(`${path} has no broken links`, () => {
    const text = readText(path).replace(/```[\s\S]*?```|`[^`\n]*`/g, '');
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(https?|mailto):/.test(target)) continue;
      const [file = '', anchor] = target.split('#');
      const linked = file === '' ? path : join(dirname(path), file);
      assert.ok(existsSync(join(root, linked)), `${path}: ${target} does not exist`);
      if (!anchor) continue;
      assert.ok(hasHeading(linked, anchor), `${path}: ${target} names no heading`);
    }
  });
}

it('code and documents refer only to pages, sections and decisions that exist', () => {
  let sections = 0;
  for (const path of [...sources, ...documents]) {
    const text = readText(path);
    for (const [cited, page = '', anchor] of text.matchAll(/(docs\/[\w-]+\.md)(?:#([\w-]+))?/g)) {
      // Tests may refer to fictional pages, but not to fictional sections.
      if (!anchor && path.startsWith('test')) continue;
      assert.ok(existsSync(join(root, page)), `${path}: ${cited} does not exist`);
      if (!anchor) continue;
      assert.ok(hasHeading(page, anchor), `${path}: ${cited} names no heading`);
      sections += 1;
    }
    for (const [cited, number = ''] of text.matchAll(/(?:docs\/adr\/|\bADR )(\d+)/g)) {
      const exists = path.startsWith('migrations')
        ? readText('docs/adr/README.md').includes(`\n| ${Number(number)} | [`)
        : decisions.some((each) => each.startsWith(join('docs/adr', `${number.padStart(4, '0')}-`)));
      assert.ok(exists, `${path}: ${cited} does not exist`);
    }
  }
  assert.ok(sections > 20, `only ${sections} sections are cited`);
});

it('documents refer only to files that exist', () => {
  const missing = documents.flatMap((page) =>
    [...readText(page).matchAll(/`((?:src|test|scripts|bench|migrations)\/[\w./-]+)`/g)]
      .map(([, path = '']) => path)
      .filter((path) => !existsSync(join(root, path)) && path !== 'migrations/applied.json')
      .map((path) => `${page}: ${path}`),
  );
  assert.deepEqual(missing, []);
});

it("code and documents don't refer to rules outside the repository", () => {
  const outside = /\bspec \d|\bspec section|\bdecisions \d|decisions\.md|style guide/i;
  const found = [...sources, ...documents].filter(
    (path) => !path.endsWith('documents.test.ts') && outside.test(readText(path)),
  );
  assert.deepEqual(found, []);
});

it('decisions are numbered without gaps, and docs/adr/README.md lists each with its title', () => {
  const index = readText('docs/adr/README.md');
  decisions.sort().forEach((path, at) => {
    const name = basename(path);
    assert.equal(Number(name.slice(0, 4)), at + 1, `${path} is not number ${at + 1}`);
    const [, number, title] = /^# (\d+)\. (.+)\n/.exec(readText(path)) ?? [];
    assert.equal(Number(number), at + 1, `${path} has another number in its heading`);
    const row = `\n| ${at + 1} | [${title}](${name}) | `;
    assert.ok(index.includes(row), `docs/adr/README.md does not list ${name} by its title`);
    assert.ok(readText(path).trim().split('\n').length <= 12, `${path} has more than twelve lines`);
  });
});

it('docs/storage.md lists each table exactly once', () => {
  const [directory = '', cell = ''] = readText('docs/storage.md').split(/^## /m).slice(1, 3);
  for (const [page, folder] of [
    [directory, 'migrations/directory'],
    [cell, 'migrations/cell'],
  ] as const) {
    const listed = [...page.matchAll(/^\| (`.+?`) \|/gm)].flatMap(
      ([, names = '']) => names.match(/\w+/g) ?? [],
    );
    const made = sources
      .filter((path) => path.startsWith(folder))
      .flatMap((path) =>
        [...readText(path).matchAll(/^CREATE (?:VIRTUAL )?TABLE (\w+)/gm)].map(([, name = '']) => name),
      );
    assert.deepEqual(listed.sort(), made.sort());
  }
});

it('docs/security.md and docs/reliability.md refer only to tests that exist', () => {
  // Test titles above this heading are shortened with "…", so they aren't checked.
  const [, security = ''] = readText('docs/security.md').split('## OWASP API Security Top 10');
  const pages = (security + readText('docs/reliability.md')).replace(/\s+/g, ' ');
  const claims = [...pages.matchAll(/`(test\/[\w./-]+\.test\.ts)`((?:,? "[^"]+")*)/g)];
  assert.ok(claims.length > 60, `only ${claims.length} tests are named`);
  for (const [, path = '', titles = ''] of claims) {
    assert.ok(existsSync(join(root, path)), `${path} does not exist`);
    const text = readText(path);
    for (const [, title = ''] of titles.matchAll(/"([^"]+)"/g)) {
      assert.ok(text.includes(title), `${path} has no test "${title}"`);
    }
  }
});

it('no query selects tasks, comments or entries by workspace alone, unless it reads them in index order', () => {
  // These indexes are read in order, up to the page size.
  const ordered = ['comments_by_day', 'audit_entries_by_time'];
  const whole =
    /SEARCH \w+ USING (?:COVERING )?INDEX ((?:tasks|comments|notifications|time_entries|audit)_\w+) \(ws=\?\)$/gm;
  const found = readdirSync(join(root, 'docs', 'statements')).flatMap((file) =>
    [...readText(`docs/statements/${file}`).matchAll(whole)].map(([, index = '']) => index),
  );
  assert.deepEqual(
    found.filter((index) => !ordered.includes(index)),
    [],
  );
  assert.ok(found.length > 0);
});

it('docs/operations.md explains every event that the worker logs', () => {
  const page = readText('docs/operations.md');
  const texts = sources.filter((path) => path.startsWith('src')).map(readText);
  const events = texts.flatMap((text) =>
    [...text.matchAll(/(?:log\('(?:info|error)', |afterResponse\()'([\w.]+)'/g)].map(([, event]) => event),
  );
  assert.ok(events.length > 20);
  const unknown = [...new Set(events)].filter(
    (event) => !page.includes(`\`${event}\``) && event !== 'request',
  );
  assert.deepEqual(unknown, []);
});

it('the tables in docs/scaling.md and docs/deploy.md match the measured figures', () => {
  const measured = JSON.parse(readText('bench/scaling/measured.json'));
  for (const path of pages) {
    const hint = `${path}: run \`node scripts/install.mjs bench/scaling.ts\``;
    assert.equal(readText(path), fillTables(readText(path), measured), hint);
  }
});
