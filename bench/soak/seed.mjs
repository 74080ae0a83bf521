// The demo of `npm start` in the databases of the soak: node seed.mjs <state directory> <file of variables>.
import { unstable_startWorker } from 'wrangler';
import { root } from '../../scripts/databases.mjs';

const SEED_MS_MAX = 120_000;
const [state, variables] = process.argv.slice(2);
process.chdir(root);
const worker = await unstable_startWorker({
  config: 'wrangler.toml',
  entrypoint: 'scripts/seed-worker.ts',
  envFiles: [variables],
  dev: { server: { port: 0 }, inspector: false, logLevel: 'warn', watch: false, persist: state },
});
// A worker that cannot be built never answers.
const tooLate = setTimeout(() => {
  console.error('The demo was not written in time.');
  process.exit(1);
}, SEED_MS_MAX);
try {
  const answer = await worker.fetch('http://localhost/');
  if (!answer.ok) throw new Error(`The demo could not be written: ${await answer.text()}`);
} finally {
  clearTimeout(tooLate);
  await worker.dispose();
}
