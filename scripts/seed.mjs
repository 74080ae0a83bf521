// Runs scripts/seed-worker.ts on the local databases and prints who the demo owner is.
import { unstable_startWorker } from 'wrangler';
import { root } from './databases.mjs';

process.chdir(root);
const worker = await unstable_startWorker({
  config: 'wrangler.toml',
  entrypoint: 'scripts/seed-worker.ts',
  dev: { server: { port: 0 }, inspector: false, logLevel: 'warn', watch: false },
});
try {
  const answer = await worker.fetch('http://localhost/');
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The demo could not be written: ${text}`);
  console.log(text);
} finally {
  await worker.dispose();
}
