import { spawnSync } from 'node:child_process';
import { root } from '../databases.ts';

const REGISTRY_MS_MAX = 20_000;

/** What the registry says about one package. */
export interface Advisory {
  readonly name: string;
  readonly severity: string;
}

/** Advisories about what is shipped. A registry that cannot be asked is no reason to fail. */
export function findAdvisories(): string[] {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  const [command, first]: [string, string[]] = npm && node ? [node, [npm]] : ['npm', []];
  const { stdout } = spawnSync(command, [...first, 'audit', '--omit=dev', '--json'], {
    cwd: root,
    encoding: 'utf8',
    timeout: REGISTRY_MS_MAX,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, npm_config_fetch_retries: '0', npm_config_fetch_timeout: String(REGISTRY_MS_MAX) },
    shell: process.platform === 'win32' && command === 'npm',
  });
  const advisories = readAdvisories(stdout);
  if (advisories === null) {
    console.log('the registry did not answer: advisories were not looked up');
    return [];
  }
  for (const { name, severity } of advisories) console.log(`advisory (${severity}): ${name}`);
  return advisories
    .filter(({ severity }) => severity === 'high' || severity === 'critical')
    .map(({ name, severity }) => `${name}: a ${severity} advisory concerns what is shipped; see npm audit`);
}

/** Null for anything but an answer of the registry. */
export function readAdvisories(json: string): Advisory[] | null {
  try {
    const { vulnerabilities, metadata } = JSON.parse(json);
    return metadata?.vulnerabilities ? Object.values(vulnerabilities) : null;
  } catch {
    return null;
  }
}
