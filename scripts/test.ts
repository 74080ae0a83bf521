// `npm test` checks format, lint, types, layers, migrations, unused code and a dry run of the deployment, and then runs
// the Worker tests in parallel with the browser and script tests. `--long` runs every suite at full size (CONTRIBUTING
// lists the difference). Other arguments are passed to Vitest. If there are any, the browser tests don't run.
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './databases.ts';
import { createServerTemplate } from './own-server.ts';

const isLong = process.argv.includes('--long');
const testFilters = process.argv.slice(2).filter((each) => each !== '--long');
const RESULTS_FILE = '.wrangler/test-results.json';
const BROWSER_RESULTS_FILE = '.wrangler/browser-results.json';
/** Linux keeps files in this folder in memory. Containers may limit the folder to a few megabytes. */
const MEMORY_FOLDER = '/dev/shm';
const FREE_BYTES_MIN = 2 ** 31;
const getBinaryPath = (name: string, path: string) => join(root, 'node_modules', name, path);
const checks: readonly (readonly [name: string, args: readonly string[]])[] = [
  ['format and lint', [getBinaryPath('@biomejs/biome', 'bin/biome'), 'check', '--error-on-warnings']],
  ['types', [getBinaryPath('typescript', 'bin/tsc'), '--noEmit']],
  ['types of browser tests', [getBinaryPath('typescript', 'bin/tsc'), '--noEmit', '-p', 'test/browser']],
  ['types in the browser', [getBinaryPath('typescript', 'bin/tsc'), '--noEmit', '-p', 'src/web/client']],
  ['layers', ['scripts/layers.ts']],
  ['migrations', ['scripts/check-migrations.ts']],
  ['unused code', [getBinaryPath('knip', 'bin/knip.js')]],
  ['deployment, dry run', ['scripts/deploy.ts', '--dry-run']],
];
const scripts = [
  '--test',
  '--test-force-exit',
  '--test-timeout=1200000',
  '--test-reporter=spec',
  'test/scripts/*.test.ts',
];
const vitest = [
  getBinaryPath('vitest', 'vitest.mjs'),
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${RESULTS_FILE}`,
  ...testFilters,
];

process.chdir(root);
process.env.WRANGLER_SEND_METRICS = 'false';
if (isLong) process.env.TEST_TIER = 'long';
// Test databases are temporary, and faster in memory.
if (hasFreeSpace(MEMORY_FOLDER)) process.env.TMPDIR = MEMORY_FOLDER;
for (const path of [RESULTS_FILE, BROWSER_RESULTS_FILE]) rmSync(path, { force: true });

let isGreen = true;
await runStep('assets', ['scripts/assets.ts']);
const waiting = [...checks];
await Promise.all([runWaitingChecks(), runWaitingChecks()]);
// Runs the Worker tests in parallel with the browser and script tests, which spend half their time waiting for servers.
await Promise.all([runStep('suite', vitest), runNodeTests()]);
const [suite, browser] = [readResults(), readBrowserResults()];
const [passed, failed] = [suite.passed + browser.passed, suite.failed + browser.failed];
console.log(`${passed} passed, ${failed} failed`);
process.exit(isGreen && failed === 0 && passed > 0 ? 0 : 1);

async function runNodeTests(): Promise<void> {
  let removeTemplate = () => {};
  try {
    removeTemplate = createServerTemplate();
    if (testFilters.length === 0) await runStep('browser', ['test/browser/run.ts'], { isQuiet: true });
    await runStep('production scripts', scripts, { isQuiet: true });
    if (isLong && testFilters.length === 0)
      await runStep('generated clients', ['scripts/check-generators.ts'], { isQuiet: true });
  } catch (error) {
    isGreen = false;
    console.error("FAIL couldn't prepare a server for the browser and script tests:", error);
  } finally {
    removeTemplate();
  }
}

/** Runs checks until none are waiting. Only two calls run in parallel, because each check uses a whole core. */
async function runWaitingChecks(): Promise<void> {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    await runStep(...check, { isQuiet: true });
  }
}

/**
 * Runs a step and records its failures, so that a run shows the failures of all steps.
 * @param isQuiet prints the step's output at its end, so that output of other steps doesn't mix with it
 */
async function runStep(name: string, args: readonly string[], { isQuiet = false } = {}): Promise<void> {
  const startedAt = Date.now();
  const output = isQuiet ? 'pipe' : 'inherit';
  const step = spawn(process.execPath, args, { stdio: ['ignore', output, output] });
  const printed: Buffer[] = [];
  for (const stream of [step.stdout, step.stderr]) stream?.on('data', (piece: Buffer) => printed.push(piece));
  const status = await new Promise((resolve) => step.once('close', resolve));
  process.stdout.write(Buffer.concat(printed));
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`);
  if (status !== 0) isGreen = false;
}

function hasFreeSpace(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= FREE_BYTES_MIN;
  } catch {
    return false;
  }
}

interface TestCounts {
  readonly passed: number;
  readonly failed: number;
}

interface SuiteResults {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly { status: string; assertionResults: readonly unknown[] }[];
}

function readResults(): TestCounts {
  if (!existsSync(RESULTS_FILE)) return { passed: 0, failed: 0 };
  const results: SuiteResults = JSON.parse(readFileSync(RESULTS_FILE, 'utf8'));
  // A file that fails to load has no tests, but counts as a failure.
  const broken = results.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  return { passed: results.numPassedTests, failed: results.numFailedTests + broken.length };
}

function readBrowserResults(): TestCounts {
  if (!existsSync(BROWSER_RESULTS_FILE)) return { passed: 0, failed: 0 };
  return JSON.parse(readFileSync(BROWSER_RESULTS_FILE, 'utf8'));
}
