// Runs the tests of test/browser and test/clients against seeded servers, and leaves the counts for scripts/test.mjs.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { root } from '../../scripts/databases.mjs';
import { startServer } from './server.mjs';

const RESULTS = join(root, '.wrangler', 'browser-results.json');
const FILE_MS_MAX = 180_000;
/** Each folder gets a server of its own: sign-ins are counted by address, and all come from this one. */
const folders = ['.', '../clients'].map((name) => fileURLToPath(new URL(name, import.meta.url)));

const counts = { passed: 0, failed: 0 };
let server;
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => Promise.resolve(server?.stop()).then(() => process.exit(1)));
// A run that breaks off has failed.
writeFileSync(RESULTS, JSON.stringify({ passed: 0, failed: 1 }));
for (const folder of folders) await runFolder(folder);
writeFileSync(RESULTS, JSON.stringify(counts));
process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1);

async function runFolder(folder) {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.test.mjs'))
    .map((name) => join(folder, name));
  server = await startServer();
  process.env.EDGEWORK_TEST_ORIGIN = server.origin;
  try {
    const tests = run({ files, concurrency: 1, timeout: FILE_MS_MAX });
    // Suites are reported beside their tests; a file that cannot be loaded counts as a test that failed.
    const count = (key) => (event) => {
      if (event.details?.type !== 'suite') counts[key] += 1;
    };
    tests.on('test:pass', count('passed'));
    tests.on('test:fail', count('failed'));
    const report = tests.compose(spec());
    report.pipe(process.stdout, { end: false });
    await new Promise((done) => report.on('end', done));
  } finally {
    await server.stop();
  }
}
