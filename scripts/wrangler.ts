import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './databases.ts';

const WRANGLER_MS_MAX = 600_000;

export const wranglerPath = join(root, 'node_modules', 'wrangler', 'bin', 'wrangler.js');

/** Prevents wrangler from sending metrics, showing a banner or downloading sample data for `request.cf`. */
export const quietEnvironment = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  /** Makes scripts/build.ts skip its preparations and checks, because our scripts have already done both. */
  EDGEWORK_SCRIPT: 'true',
};

export function runWrangler(args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [wranglerPath, ...args], {
    cwd: root,
    encoding: 'utf8',
    timeout: WRANGLER_MS_MAX,
    env: { ...process.env, ...quietEnvironment, CI: 'true', NO_COLOR: '1', WRANGLER_LOG: 'log' },
  });
  if (status !== 0) throw new Error(`wrangler ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout;
}
