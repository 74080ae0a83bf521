import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path) => readFileSync(join(root, path), 'utf8');
const documents = ['SECURITY.md', ...listMarkdown('docs')];

function listMarkdown(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}

/** As GitHub makes the anchor of a heading. */
function anchorOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

for (const path of documents) {
  it(`${path} links only to what exists`, () => {
    const text = read(path).replace(/```[\s\S]*?```/g, '');
    for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(https?|mailto):/.test(target)) continue;
      const [file, anchor] = target.split('#');
      const linked = file === '' ? path : join(dirname(path), file);
      assert.ok(existsSync(join(root, linked)), `${path}: ${target} does not exist`);
      if (!anchor) continue;
      const anchors = [...read(linked).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading));
      assert.ok(anchors.includes(anchor), `${path}: ${target} names no heading`);
    }
  });
}

it('docs/security.md names no test that does not exist', () => {
  const [, page] = read('docs/security.md').split('## OWASP API Security Top 10');
  const claims = [...page.matchAll(/`(test\/[\w./-]+\.test\.(?:ts|mjs))`((?:,? "[^"]+")*)/g)];
  assert.ok(claims.length > 60, `only ${claims.length} tests are named`);
  for (const [, path, titles] of claims) {
    assert.ok(existsSync(join(root, path)), `${path} does not exist`);
    const text = read(path);
    for (const [, title] of titles.matchAll(/"([^"]+)"/g)) {
      assert.ok(text.includes(title), `${path} has no test "${title}"`);
    }
  }
});

it('docs/operations.md explains every event that the worker logs', () => {
  const page = read('docs/operations.md');
  const sources = readdirSync(join(root, 'src'), { recursive: true })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => read(join('src', name)));
  const events = sources.flatMap((text) =>
    [...text.matchAll(/(?:log\('(?:info|error)', |afterAnswer\()'([\w.]+)'/g)].map(([, event]) => event),
  );
  assert.ok(events.length > 20);
  const unknown = [...new Set(events)].filter(
    (event) => !page.includes(`\`${event}\``) && event !== 'request',
  );
  assert.deepEqual(unknown, []);
});
