import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import type { unstable_readConfig } from 'wrangler';
import { bundle } from '../bundle.ts';
import { root } from '../databases.ts';
import {
  APPLIED_FILE,
  checkMigrations,
  computeChecksum,
  readApplied,
  readMigrations,
} from '../migrations/files.ts';
import { quietEnvironment, wranglerPath as wranglerScript } from '../wrangler.ts';
import { readStartupMs } from './bundle-check.ts';
import type { Configuration } from './configuration.ts';
import { DeployError } from './configuration.ts';
import type { HealthTools } from './health.ts';

const PROBE_MS_MAX = 20_000;

interface CommandResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** All external calls of a deployment. Tests replace them. */
export interface Tools extends HealthTools {
  readonly config: Configuration;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Runs a wrangler command that only reads, without showing its output. */
  wrangler(...args: string[]): CommandResult;
  /** Runs a wrangler command that changes something, and shows its output. */
  run(...args: string[]): void;
  git(...args: string[]): string | null;
  migrationProblems(): string[];
  bundle(): Uint8Array[];
  measureStartup(): number | null;
  readSecretsFile(path: string): Readonly<Record<string, string | undefined>>;
  /** Updates the record of applied migrations. Returns true if it has changed. */
  recordApplied(): boolean;
}

/** Returns null if the text contains no JSON. Skips lines that wrangler prints before the JSON. */
export function readJson<T>(text: string): T | null {
  try {
    return JSON.parse(text.slice(text.search(/[[{]/)));
  } catch {
    return null;
  }
}

/** `env` is an environment in wrangler.toml. An empty string means production. */
export async function createTools(env = ''): Promise<Tools> {
  const { unstable_readConfig: readConfig } = await import('wrangler');
  const environment = { ...process.env, ...quietEnvironment };
  const wrangler = (...args: string[]) =>
    spawnSync(process.execPath, [wranglerScript, ...args, `--env=${env}`], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...environment, CI: 'true', NO_COLOR: '1' },
    });
  const run = (...args: string[]) => {
    console.log(`\n> wrangler ${args.join(' ')}`);
    const { status } = spawnSync(process.execPath, [wranglerScript, ...args, `--env=${env}`], {
      cwd: root,
      stdio: 'inherit',
      env: environment,
    });
    if (status !== 0)
      throw new DeployError(`wrangler ${args.slice(0, 3).join(' ')} failed; see its output above.`);
  };
  return {
    config: readEnvironment(readConfig, env),
    environment,
    wrangler,
    run,
    print: (text) => console.log(text),
    git(...args) {
      const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
      return status === 0 ? stdout.trim() : null;
    },
    migrationProblems: () => checkMigrations(readMigrations(), readApplied()),
    bundle: bundleWorker,
    measureStartup() {
      const profile = join(root, '.wrangler', 'startup.cpuprofile');
      return readStartupMs(wrangler('check', 'startup', '--args=--minify', '--outfile', profile).stdout);
    },
    readSecretsFile(path) {
      const text = readFileSync(path, 'utf8');
      return path.endsWith('.json') ? JSON.parse(text) : parseEnv(text);
    },
    recordApplied() {
      const applied = Object.fromEntries(
        readMigrations().map(({ path, text }) => [path, computeChecksum(text)]),
      );
      const text = `${JSON.stringify(applied, null, 2)}\n`;
      if (text === `${JSON.stringify(readApplied(), null, 2)}\n`) return false;
      writeFileSync(join(root, APPLIED_FILE), text);
      return true;
    },
    now: () => Date.now(),
    sleep,
    probe: checkHealth,
  };
}

function readEnvironment(readConfig: typeof unstable_readConfig, env: string): Configuration {
  try {
    return readConfig({ config: join(root, 'wrangler.toml'), env }, { hideWarnings: true });
  } catch (error) {
    throw new DeployError(error instanceof Error ? error.message : String(error));
  }
}

async function checkHealth(origin: string, key?: string): Promise<string | null> {
  try {
    const response = await fetch(`${origin}/health`, {
      headers: key === undefined ? {} : { Authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(PROBE_MS_MAX),
    });
    return response.ok ? null : `status ${response.status}`;
  } catch (error) {
    // The reason for a failed fetch, such as an unknown host, is in `cause`.
    const { message, cause } = error as Error;
    return cause instanceof Error ? cause.message : message;
  }
}

function bundleWorker(): Uint8Array[] {
  try {
    return bundle(null, join(root, '.wrangler', 'dist'), { minify: true }).map(({ bytes }) => bytes);
  } catch (error) {
    throw new DeployError(
      `The worker could not be bundled:\n${error instanceof Error ? error.message : error}`,
    );
  }
}
