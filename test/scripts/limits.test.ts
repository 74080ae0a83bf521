// Tests must not fail because of the clock or chance (docs/adr/0038-running-and-testing.md).
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { root } from '../../scripts/databases.ts';

/** Patterns that find time limits, each with the files that may contain them. */
const clockRules: readonly (readonly [what: RegExp, allowed: readonly string[]])[] = [
  [/\b(?:timeout|testTimeout|hookTimeout): [\d_]+/, []],
  // The time limit as the last argument of a test or hook. An hour is allowed for long runs such as `scripts/fuzz.ts
  // pairs`.
  [/^\s*\}, (?!3_600_000)\d[\d_]*_000\);$/m, []],
  [/\},\n\s+\d[\d_]*_000,\n\s*\);/, []],
  [/setDefault(Navigation)?Timeout\((?!HANG_MS)/, []],
  [/\bconst \w*(?:timeout|TIMEOUT_MS|RESPONSE_MS|DONE_MS)\w* = [\d_]+/i, []],
  // A long poll that returns early enough proves that it was woken up.
  [/Date\.now\(\)(?: - \w+)*\)+\.toBeLessThan/, ['test/events/feed/feed.test.ts']],
  [
    /performance\.now\(\)/,
    ['test/support/linear-time.ts', 'test/support/slowness.ts', 'test/suites/hostile-cost/measure.ts'],
  ],
];
const SEED_PATTERN =
  /(?:seed\w*\(|seed: ?|numRuns: ?|storedTexts\(|randomTexts\()[^)\n]*(?:Date\.now|Math\.random)/;

const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .map((name) => `test/${name.replaceAll('\\', '/')}`)
  .filter((name) => /\.tsx?$/.test(name) && name !== 'test/scripts/limits.test.ts');
const readText = (name: string) => readFileSync(join(root, name), 'utf8');

it('no test sets its own time limit or measures time without the shared helpers', () => {
  assert.ok(files.length > 300);
  for (const [what, allowed] of clockRules) {
    const found = files.filter((name) => !allowed.includes(name) && what.test(readText(name)));
    assert.deepEqual(found, [], `${what}: use HANG_MS, pollUntil() or expectQuick() instead`);
  }
});

it('no test derives the seed of its random inputs from the clock or Math.random', () => {
  assert.deepEqual(
    files.filter((name) => SEED_PATTERN.test(readText(name))),
    [],
  );
});
