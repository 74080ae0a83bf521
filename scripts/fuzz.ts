// Run it as `node scripts/install.mjs scripts/fuzz.ts`, with one of:
//   --requests 20000 --seed 7 [--only 'POST /tasks']   sends 20,000 hostile requests, and hostile forms
//   isolation                                          checks what each role can see and do
//   pairs --requests 3000                              runs all change pairs and form pairs, and 3,000 change triples
//   hostile-cost --tasks 1000000                       measures expensive inputs against limits, with 1,000,000 tasks
// Each suite prints its figures. `npm test` runs the fast parts of all of them.
import { parseArgs } from 'node:util';
import type { TaskMeta } from 'vitest';
import { createVitest, type TestCase } from 'vitest/node';
import { root } from './databases.ts';

const REQUESTS_DEFAULT = 20_000;
const REQUESTS_MAX = 1_000_000;
const TASKS_DEFAULT = 1_000_000;
const REQUESTS_SHOWN_MAX = 30;

const { positionals, values } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    requests: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
    tasks: { type: 'string' },
  },
});
const suite = positionals[0] ?? 'fuzz';
const requests = parseWholeNumber('requests', REQUESTS_DEFAULT);
const seed = parseWholeNumber('seed', Math.floor(Math.random() * 2 ** 31));
const tasks = parseWholeNumber('tasks', TASKS_DEFAULT);
const answers: Record<string, number> = {};
const mostExpensive: NonNullable<TaskMeta['mostExpensive']> = [];
let cells = 0;

process.chdir(root);
process.env.WRANGLER_SEND_METRICS = 'false';
// Must be set before Vitest reads its configuration.
process.env.TEST_TIER = 'long';
const vitest = await createVitest('test', {
  watch: false,
  reporters: ['default', { onTestCaseResult: countTestCase }],
  ...(values.only ? { testNamePattern: values.only.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') } : {}),
});
vitest.provide('fuzz', { requests, seed });
if (suite === 'hostile-cost') vitest.provide('hostile', { tasks });
await vitest.start([`test/suites/${suite}/`]);
await vitest.close();
printSummary();

function countTestCase(test: TestCase): void {
  const meta = test.meta();
  for (const [status, times] of Object.entries(meta.answers ?? {})) {
    answers[status] = (answers[status] ?? 0) + times;
  }
  cells += meta.cells ?? 0;
  mostExpensive.push(...(meta.mostExpensive ?? []));
}

function printSummary() {
  const total = Object.values(answers).reduce((sum, times) => sum + times, 0);
  const byStatus = Object.entries(answers).map(([status, times]) => `${status}: ${times}`);
  if (total > 0) console.log(`${total} requests fuzzed with seed ${seed} (${byStatus.join(', ')})`);
  if (mostExpensive.length > 0) printMostExpensive();
  if (cells > 0) console.log(`${cells} isolation matrix cells compared`);
}

function printMostExpensive() {
  const byTime = mostExpensive.toSorted(
    (one, other) => other.batchMs + other.otherMs - one.batchMs - one.otherMs,
  );
  console.log(`${mostExpensive.length} requests in a cell with ${tasks} tasks; the most expensive:`);
  for (const { name, status, bytes, trips, rowsRead, batchMs, otherMs } of byTime.slice(
    0,
    REQUESTS_SHOWN_MAX,
  )) {
    console.log(
      `  ${batchMs.toFixed(0)} ms per batch + ${otherMs.toFixed(0)} ms, ${trips} trips, ${rowsRead} rows, ${bytes} bytes: ${name} ${status}`,
    );
  }
}

function parseWholeNumber(name: 'requests' | 'seed' | 'tasks', byDefault: number): number {
  const number = Number(values[name] ?? byDefault);
  if (Number.isSafeInteger(number) && number >= 0 && number <= Math.max(REQUESTS_MAX, 2 ** 31)) {
    return name === 'requests' ? Math.min(number, REQUESTS_MAX) : number;
  }
  console.error(`--${name} must be a whole number; got '${values[name]}'`);
  process.exit(1);
}
