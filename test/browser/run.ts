// Runs the tests of test/browser and test/clients against seeded servers, and stores the results for scripts/test.ts.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { root } from '../../scripts/databases.ts';
import { HANG_MS } from '../support/timeout.ts';
import { startServer, type TestServer } from './server.ts';
import { isInTier } from './tier.ts';

const RESULTS_PATH = join(root, '.wrangler', 'browser-results.json');
/** A file may take longer than a single test, because it contains many tests. */
const FILE_MS_MAX = 3 * HANG_MS;
/** Each folder gets its own server, so that the folders don't share rate limits for sign-ins. */
const folders = ['browser', 'clients'].map((name) => join(root, 'test', name));

const counts = { passed: 0, failed: 0 };
let server: TestServer | undefined;
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => Promise.resolve(server?.stop()).then(() => process.exit(1)));
// An interrupted run counts as failed.
writeFileSync(RESULTS_PATH, JSON.stringify({ passed: 0, failed: 1 }));
for (const folder of folders) await runFolder(folder);
writeFileSync(RESULTS_PATH, JSON.stringify(counts));
process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1);

interface CountedEvent {
  readonly details?: { readonly type?: string | undefined };
}

/** Deletes stored sessions, which may belong to an earlier server on the same port. */
function deleteStoredSessions() {
  const directory = join(root, '.wrangler');
  for (const name of readdirSync(directory)) if (name.startsWith('signed-in-')) rmSync(join(directory, name));
}

async function runFolder(folder: string): Promise<void> {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts') && isInTier(name))
    .map((name) => join(folder, name));
  const started = await startServer();
  server = started;
  deleteStoredSessions();
  process.env.EDGEWORK_TEST_ORIGIN = started.origin;
  process.env.EDGEWORK_TEST_SECRET = started.sessionSecret;
  process.env.EDGEWORK_TEST_OPERATOR_KEY = started.operatorKey;
  try {
    const tests = run({ files, concurrency: 1, timeout: FILE_MS_MAX, execArgv: ['--test-force-exit'] });
    // Suites are reported in addition to their tests. A file that can't be loaded is reported as a failed test.
    const createCounter = (key: keyof typeof counts) => (event: CountedEvent) => {
      if (event.details?.type !== 'suite') counts[key] += 1;
    };
    tests.on('test:pass', createCounter('passed'));
    tests.on('test:fail', createCounter('failed'));
    const report = tests.compose(new spec());
    report.pipe(process.stdout, { end: false });
    await new Promise((done) => report.on('end', done));
  } finally {
    await started.stop();
  }
}
