import { APPLIED_FILE } from '../migrations/files.ts';
import { DeployError, formatList } from './configuration.ts';
import type { Options } from './options.ts';
import { readJson, type Tools } from './tools.ts';

/** Ignores the record of applied migrations, because a failed deployment may have changed it. */
export function requireCleanTree({ git }: Tools): void {
  const status = git('status', '--porcelain');
  if (status === null)
    throw new DeployError(
      'This is not a git repository. Deploy from a commit, so that the deployed version can be found.',
    );
  const isRecord = (line: string) => /^\s*\S+\s+(.*)$/.exec(line)?.[1] === APPLIED_FILE;
  const changed = status
    .split('\n')
    .filter((line) => line !== '' && !isRecord(line))
    .join('\n');
  if (changed !== '')
    throw new DeployError(`Commit first, because only commits can be deployed:\n${changed}`);
}

interface Identity {
  loggedIn?: boolean;
  accounts?: { id: string; name: string }[];
}

export function requireAccount({ config, wrangler, environment }: Tools): void {
  const { status, stdout } = wrangler('whoami', '--json');
  const answer = readJson<Identity>(stdout) ?? {};
  if (status !== 0 || answer.loggedIn !== true) {
    throw new DeployError(
      'Not logged in. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN (docs/deploy.md, section 2).',
    );
  }
  const accounts = answer.accounts ?? [];
  if (accounts.length > 1 && !config.account_id && !environment.CLOUDFLARE_ACCOUNT_ID) {
    const known = accounts.map(({ id, name }) => `${id}  ${name}`);
    throw new DeployError(
      formatList('You have several accounts. Choose one with CLOUDFLARE_ACCOUNT_ID=…', known),
    );
  }
}

export function requireSecrets(
  { secretsFile, env }: Options,
  { config, wrangler, readSecretsFile }: Tools,
): void {
  const { vars = {} } = config;
  const { status, stdout } = wrangler('secret', 'list', '--format', 'json');
  // Listing secrets fails for a Worker that has never been deployed and has no secrets.
  const listed = status === 0 ? readJson<{ name: string }[]>(stdout) : null;
  const kept = (listed ?? []).map(({ name }) => name);
  const given = secretsFile ? readSecretsFile(secretsFile) : {};
  const known = new Set([...kept, ...Object.keys(given), ...Object.keys(vars)]);
  const required = ['SESSION_SECRET', 'R2_ACCESS_KEY_ID', 'R2_SECRET_ACCESS_KEY'];
  const missing = required.filter((name) => !known.has(name));
  if (!known.has('R2_ACCOUNT_ID') && !known.has('R2_S3_ENDPOINT')) missing.push('R2_ACCOUNT_ID');
  for (const provider of ['GITHUB', 'GOOGLE']) {
    const halves = [`${provider}_CLIENT_ID`, `${provider}_CLIENT_SECRET`];
    const absent = halves.filter((name) => !known.has(name));
    if (absent.length === 1) missing.push(...absent);
  }
  const commands = missing.map((name) => `npx wrangler secret put ${name}${env ? ` --env ${env}` : ''}`);
  if (missing.length > 0) {
    throw new DeployError(
      formatList(
        'Secrets are missing. Set each, or pass --secrets-file (docs/deploy.md, section 6):',
        commands,
      ),
    );
  }
  for (const name of ['SESSION_SECRET', 'SESSION_SECRET_PREVIOUS', 'OPERATOR_KEY', 'HEALTH_KEY']) {
    const value = given[name];
    if (value !== undefined && Buffer.byteLength(value) < 32) {
      throw new DeployError(`${name} in ${secretsFile} must have at least 32 bytes.`);
    }
  }
  const pushKey = given.VAPID_PRIVATE_KEY;
  if (pushKey !== undefined && !/^[\w+/-]{43}=?$/.test(pushKey)) {
    throw new DeployError(
      `VAPID_PRIVATE_KEY in ${secretsFile} must be 32 bytes in base64. Create one with \`openssl rand -base64 32\`.`,
    );
  }
}
