// `npm test`: format and lint, types, layers, migrations, unused code, the suite over a real local runtime, and the browser tests unless the
// suite was narrowed by arguments. CI runs just this.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './databases.ts';

const RESULTS = '.wrangler/test-results.json';
const BROWSER_RESULTS = '.wrangler/browser-results.json';
const binary = (name: string, path: string) => join(root, 'node_modules', name, path);
const steps: readonly (readonly [name: string, args: readonly string[]])[] = [
  ['assets', ['scripts/assets.ts']],
  ['format and lint', [binary('@biomejs/biome', 'bin/biome'), 'check', '--error-on-warnings']],
  ['types', [binary('typescript', 'bin/tsc'), '--noEmit']],
  ['types in the browser', [binary('typescript', 'bin/tsc'), '--noEmit', '-p', 'test/browser']],
  ['layers', ['scripts/layers.ts']],
  ['migrations', ['scripts/check-migrations.ts']],
  ['unused code', [binary('knip', 'bin/knip.js')]],
  ['audit', ['scripts/audit.ts']],
  [
    'production scripts',
    [
      '--test',
      '--test-force-exit',
      '--test-timeout=300000',
      '--test-reporter=spec',
      'test/scripts/*.test.ts',
    ],
  ],
  ['deployment, dry run', ['scripts/deploy.ts', '--dry-run']],
];
const vitest = [
  binary('vitest', 'vitest.mjs'),
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${RESULTS}`,
  ...process.argv.slice(2),
];

process.chdir(root);
process.env.WRANGLER_SEND_METRICS = 'false';
for (const path of [RESULTS, BROWSER_RESULTS]) rmSync(path, { force: true });

let isGreen = true;
for (const [name, args] of steps) run(name, args);
run('suite', vitest);
if (process.argv.length === 2) run('browser', ['test/browser/run.ts']);
const [suite, browser] = [readResults(), readBrowserResults()];
const [passed, failed] = [suite.passed + browser.passed, suite.failed + browser.failed];
console.log(`${passed} passed, ${failed} failed`);
process.exit(isGreen && failed === 0 && passed > 0 ? 0 : 1);

/** Every step runs, so that one look shows all that is wrong. */
function run(name: string, args: readonly string[]): void {
  const startedAt = Date.now();
  const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`);
  if (status !== 0) isGreen = false;
}

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** What of Vitest's results is read. */
interface SuiteResults {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly { status: string; assertionResults: readonly unknown[] }[];
}

function readResults(): Counts {
  if (!existsSync(RESULTS)) return { passed: 0, failed: 0 };
  const results: SuiteResults = JSON.parse(readFileSync(RESULTS, 'utf8'));
  // A file that cannot be loaded holds no tests and fails all the same.
  const broken = results.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  return { passed: results.numPassedTests, failed: results.numFailedTests + broken.length };
}

function readBrowserResults(): Counts {
  if (!existsSync(BROWSER_RESULTS)) return { passed: 0, failed: 0 };
  return JSON.parse(readFileSync(BROWSER_RESULTS, 'utf8'));
}
