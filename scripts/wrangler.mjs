import { join } from 'node:path';
import { root } from './databases.mjs';

/** To be run by node. */
export const wrangler = join(root, 'node_modules', 'wrangler', 'bin', 'wrangler.js');

/** Nothing is sent, greeted or asked of the network. */
export const quiet = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  // Traces of every request, for a page of wrangler's: they would cost a quarter of the time and grow without end.
  X_LOCAL_OBSERVABILITY: 'false',
};

/** The arguments of node that serve the worker on this machine only. */
export function serveArguments(port, origin) {
  return [
    wrangler,
    'dev',
    '--ip=127.0.0.1',
    `--port=${port}`,
    '--inspector-port=0',
    `--var=PUBLIC_URL:${origin}`,
    '--show-interactive-dev-session=false',
  ];
}
