// Checks the writing style (CONTRIBUTING, "Style"). Each pattern matches a phrase that was misused in the past.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { root } from '../../scripts/databases.ts';

const banned: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bwhoever\b/i, 'the person who, people who, anyone who'],
  [/\b(?:no|some|every)body\b(?!'s\b)/i, 'no one, someone, everyone, or name the role'],
  [/\bseldom\b/i, 'rarely'],
  [/\bdearest\b/i, 'most expensive'],
  [/\bmeanwhile\b/i, 'in the meantime, during that time, or leave it out'],
  [/\bfor good\b/i, 'permanently'],
  [/\b(?:go|goes|went) on\b/i, 'continue'],
  [/\blooks? again\b/i, 'check again, retry'],
  [/\b(?:take|takes|took|taken) back\b/i, 'undo, revert'],
  [/\bis to be\b/i, 'must be, will be'],
  [/\bleave it\b(?! (?:out|empty|unset|on|off|to|as))/i, 'cancel, discard'],
  [
    /\b(?:it|which|that|row|code|request|server|response|operation|route|page|tool|statement) answers\b(?! (?:the question|for))/i,
    'returns',
  ],
  [/\b(?:it|which|that|row|text|key|value|list) (?:stands|lies)\b/i, 'is'],
  [/\b(?:is|are|was|were) told\b/i, 'is notified, is shown, knows'],
  [/\bas shown\b/i, 'the snapshot'],
  [/\bpresent password\b/i, 'current password'],
  [/\bby hand\b/i, 'manually'],
  [/\bno longer holds\b/i, 'has expired'],
  [/\bnevertheless\b/i, 'still, anyway'],
  [/\bin vain\b/i, 'without effect'],
  [/\bwithout a script\b/i, 'without JavaScript'],
  [/\bof (?:its own|other) origins?\b/i, 'from its own origin, from other origins'],
  [/\bas long as the (?:task|set)(?! \w)/i, 'until the task is deleted'],
  [/\d %(?:[.,)|]| (?:of|more)\b)/, '10%'],
];

/** These files contain the demo users' text, or generated SQL. */
const EXEMPT_FILES = /^(?:scripts\/demo-content\.ts|docs\/statements\/.*)$/;
/** Matches quoted test titles, which are checked separately. */
const QUOTED_TITLE = /`[^`]*\.test\.ts` "[^|]*/g;

function listFiles(...folders: readonly string[]): string[] {
  const { stdout } = spawnSync('git', ['ls-files', '-z', ...folders], { cwd: root, encoding: 'utf8' });
  return stdout
    .split('\0')
    .filter((path) => /\.(?:ts|tsx|mjs|css|md)$/.test(path) && !EXEMPT_FILES.test(path));
}

function findBannedPhrases(path: string, lines: readonly string[]): string[] {
  return lines.flatMap((line, index) =>
    banned
      .filter(([pattern]) => pattern.test(line.replaceAll(QUOTED_TITLE, '')))
      .map(([, instead]) => `${path}:${index + 1}: ${line.trim()} (write: ${instead})`),
  );
}

const readText = (path: string) => readFileSync(join(root, path), 'utf8');

it('sources, scripts and docs contain no banned phrase', () => {
  const paths = listFiles('src', 'bench', 'scripts', 'docs', '.github', '*.md');
  assert.ok(paths.length > 800);
  assert.deepEqual(
    paths.flatMap((path) => findBannedPhrases(path, readText(path).split('\n'))),
    [],
  );
});

it('test titles contain no banned phrase', () => {
  const title = /\b(?:it|test|describe)(?:\.\w+)*(?:\([^()]*\))?\(\s*(['`"])((?:(?!\1).)*)\1/gs;
  const paths = listFiles('test');
  const titles = paths.flatMap((path) =>
    [...readText(path).matchAll(title)].flatMap(([, , words = '']) => findBannedPhrases(path, [words])),
  );
  assert.ok(paths.length > 200);
  assert.deepEqual(titles, []);
});
