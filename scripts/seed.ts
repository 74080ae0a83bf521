// Writes the demo into the local databases and prints an API key for its owner.
//   node scripts/seed.ts [<state directory> <file of variables>]
// Without arguments, it uses the databases of `npm start`.
import { unstable_startWorker } from 'wrangler';
import { root } from './databases.ts';

const SEED_MS_MAX = 600_000;
const [state, variables] = process.argv.slice(2);

process.chdir(root);
const worker = await unstable_startWorker({
  config: 'wrangler.toml',
  entrypoint: 'scripts/seed-worker.ts',
  ...(variables ? { envFiles: [variables] } : {}),
  dev: {
    server: { port: 0 },
    inspector: false,
    logLevel: 'warn',
    watch: false,
    ...(state ? { persist: state } : {}),
  },
});
// A Worker that can't be built never responds.
const timeout = setTimeout(() => {
  console.error('The demo was not written in time.');
  process.exit(1);
}, SEED_MS_MAX);
try {
  const answer = await worker.fetch('http://localhost/');
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The demo could not be written: ${text}`);
  console.log(text);
} finally {
  clearTimeout(timeout);
  await worker.dispose();
}
