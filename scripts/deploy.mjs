// `npm run deploy`: checks, creates what is missing, migrates, deploys. `-- --dry-run` does what needs no account.
// Migrations only add, so the version that runs meanwhile keeps working (docs/deploy.md).
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, parseEnv } from 'node:util';
import { gzipSync } from 'node:zlib';
import { root } from './databases.mjs';
import { APPLIED, checkMigrations, checksum, readApplied, readMigrations } from './layers.mjs';
import { quiet, wrangler as wranglerScript } from './wrangler.mjs';

const GZIP_BYTES_MAX = 350 * 1024;
const OUTPUT = '.wrangler/dist';
const LOCATIONS = ['weur', 'eeur', 'apac', 'oc', 'wnam', 'enam'];
const JURISDICTIONS = ['eu', 'fedramp', 'us'];
const HEALTH_TRIES = 10;
const HEALTH_WAIT_MS = 3_000;
const NO_SUCH_BUCKET = /10006|does not exist/;

const USAGE = `npm run deploy [-- options]
  --dry-run             check the configuration and the migrations, bundle, and stop
  --location HINT       where missing databases and the bucket are created: ${LOCATIONS.join(', ')}
  --jurisdiction NAME   instead: where their data must stay: ${JURISDICTIONS.join(', ')}
  --secrets-file PATH   upload the secrets of this file (KEY=value lines, or JSON) with the deployment
  --gradual             upload the version without sending it any request (docs/deploy.md, section 10)`;

/** What ends a deployment, with what to do about it. */
export class Refusal extends Error {}

if (resolve(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) await main();

async function main() {
  process.chdir(root);
  try {
    await deploy(readOptions(process.argv.slice(2)), await realTools());
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(`\n${error.message}`);
    process.exit(1);
  }
}

export function readOptions(args) {
  const text = { type: 'string' };
  const flag = { type: 'boolean', default: false };
  const options = {
    'dry-run': flag,
    gradual: flag,
    location: text,
    jurisdiction: text,
    'secrets-file': text,
  };
  let values;
  try {
    ({ values } = parseArgs({ args, options }));
  } catch (error) {
    throw new Refusal(`${error.message}\n\n${USAGE}`);
  }
  requireOneOf('location', values.location, LOCATIONS);
  requireOneOf('jurisdiction', values.jurisdiction, JURISDICTIONS);
  const { 'dry-run': isDryRun, gradual: isGradual, 'secrets-file': secretsFile, ...place } = values;
  return { isDryRun, isGradual, secretsFile, ...place };
}

function requireOneOf(name, value, allowed) {
  if (value === undefined || allowed.includes(value)) return;
  throw new Refusal(`--${name} must be one of ${allowed.join(', ')}; got '${value}'.`);
}

/** @param tools everything that touches the world, so that a test can play it. */
export async function deploy(options, tools) {
  const { config, say } = tools;
  const unready = checkConfiguration(config);
  refuseIfAny('The migrations cannot be applied:', tools.migrationProblems());
  say(describeBundle(tools.bundle()));
  if (options.isDryRun) {
    if (unready.length > 0) say(asList('Before a real deployment, change in wrangler.toml:', unready));
    return say('Dry run: nothing was created, migrated or deployed.');
  }
  refuseIfAny('wrangler.toml is not ready for production:', unready);
  requireOneJurisdiction(options, config);
  requireCleanTree(tools);
  requireAccount(tools);
  requireSecrets(options, tools);
  createDatabases(options, tools);
  createBuckets(options, tools);
  migrate(tools);
  await publish(options, tools);
}

/** What of the configuration is fit for a developer's machine alone, or does not fit together. */
export function checkConfiguration({ vars = {}, d1_databases: databases = [], r2_buckets: buckets = [] }) {
  const problems = [];
  if (vars.ENVIRONMENT === 'local') problems.push('ENVIRONMENT is "local"; leave it out');
  if (!vars.MAIL_FROM || /[@.]example\.(com|net|org)\b|\.example\b/i.test(vars.MAIL_FROM)) {
    problems.push('MAIL_FROM is not an address of yours; set it to one of the domain that sends your mail');
  }
  if (vars.PUBLIC_URL !== undefined && !/^https:\/\/[^/]+$/.test(vars.PUBLIC_URL)) {
    problems.push(`PUBLIC_URL must be https:// and a host, nothing behind it; got '${vars.PUBLIC_URL}'`);
  }
  for (const name of Object.keys(vars).filter((name) => /SECRET|ACCESS_KEY_ID/.test(name))) {
    problems.push(`${name} stands in [vars], where everybody with the repository reads it; make it a secret`);
  }
  const bucket = buckets.find(({ binding }) => binding === 'FILES')?.bucket_name;
  if (!bucket) problems.push('no [[r2_buckets]] with the binding FILES and a bucket_name');
  else if (vars.R2_BUCKET_NAME !== bucket) {
    problems.push(`R2_BUCKET_NAME is '${vars.R2_BUCKET_NAME}', but FILES is bound to '${bucket}'`);
  }
  for (const wanted of ['DIRECTORY', 'CELL_0']) {
    if (!databases.some(({ binding }) => binding === wanted))
      problems.push(`no database is bound as ${wanted}`);
  }
  const names = new Set();
  for (const { binding, database_name: name, migrations_dir: folder } of databases) {
    const expected = binding === 'DIRECTORY' ? 'migrations/directory' : 'migrations/cell';
    if (!/^(DIRECTORY|CELL_(0|[1-9]\d*))$/.test(binding)) {
      problems.push(`${binding} is no name of a database; DIRECTORY and CELL_<number> are`);
    } else if (folder !== expected) problems.push(`${binding} must have migrations_dir = "${expected}"`);
    if (!name) problems.push(`${binding} has no database_name`);
    else if (names.has(name)) problems.push(`${name} is bound twice; every cell is a database of its own`);
    names.add(name);
  }
  return problems;
}

/** @param modules the text or bytes of what would be uploaded; static assets are no part of it. */
export function describeBundle(modules) {
  const rawBytes = modules.reduce((sum, bytes) => sum + bytes.length, 0);
  const gzipBytes = modules.reduce((sum, bytes) => sum + gzipSync(bytes, { level: 9 }).length, 0);
  const text = `Bundle: ${toKiB(rawBytes)} raw, ${toKiB(gzipBytes)} gzip, of ${toKiB(GZIP_BYTES_MAX)} allowed.`;
  if (gzipBytes > GZIP_BYTES_MAX)
    throw new Refusal(`${text} Find what grew, or raise GZIP_BYTES_MAX and say why.`);
  return text;
}

/** A bucket outside would hold what the databases must keep inside. */
function requireOneJurisdiction({ jurisdiction }, { r2_buckets: buckets }) {
  const outside = buckets.find((bucket) => jurisdiction && bucket.jurisdiction !== jurisdiction);
  if (!outside) return;
  throw new Refusal(
    `Add jurisdiction = "${jurisdiction}" to [[r2_buckets]] ${outside.binding} and set R2_S3_ENDPOINT (docs/deploy.md, section 5), then run this again.`,
  );
}

function requireCleanTree({ git }) {
  const changed = git('status', '--porcelain');
  if (changed === null)
    throw new Refusal('This is no git repository. Deploy from a commit, so that it can be found again.');
  if (changed !== '') throw new Refusal(`Commit first; what is deployed must be a commit:\n${changed}`);
}

function requireAccount({ config, wrangler, environment }) {
  const { status, stdout } = wrangler('whoami', '--json');
  const answer = readJson(stdout) ?? {};
  if (status !== 0 || answer.loggedIn !== true) {
    throw new Refusal(
      'Not logged in. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN (docs/deploy.md, section 2).',
    );
  }
  const accounts = answer.accounts ?? [];
  if (accounts.length > 1 && !config.account_id && !environment.CLOUDFLARE_ACCOUNT_ID) {
    const known = accounts.map(({ id, name }) => `${id}  ${name}`);
    throw new Refusal(asList('Several accounts: say which one with CLOUDFLARE_ACCOUNT_ID=…', known));
  }
}

function requireSecrets({ secretsFile }, { config, wrangler, readSecretsFile }) {
  const { vars = {} } = config;
  const { status, stdout } = wrangler('secret', 'list', '--format', 'json');
  // A worker that was never deployed has none, and the list fails.
  const kept = status === 0 ? (readJson(stdout) ?? []).map(({ name }) => name) : [];
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
  const commands = missing.map((name) => `npx wrangler secret put ${name}`);
  if (missing.length > 0) {
    throw new Refusal(
      asList('Secrets are missing. Set each, or pass --secrets-file (docs/deploy.md, section 6):', commands),
    );
  }
  for (const name of ['SESSION_SECRET', 'SESSION_SECRET_PREVIOUS']) {
    if (given[name] !== undefined && Buffer.byteLength(given[name]) < 32) {
      throw new Refusal(`${name} in ${secretsFile} must have at least 32 bytes.`);
    }
  }
}

function createDatabases(options, { config, wrangler, run, say }) {
  const { status, stdout, stderr } = wrangler('d1', 'list', '--json');
  const known = readJson(stdout);
  if (status !== 0 || !known) throw new Refusal(`The databases could not be listed:\n${stderr}`);
  const existing = new Set(known.map(({ name }) => name));
  for (const { binding, database_name: name, database_id: id } of config.d1_databases) {
    if (id || existing.has(name)) {
      say(`${binding}: ${name} is there`);
      continue;
    }
    say(`${binding}: creating ${name}`);
    run('d1', 'create', name, ...requirePlace(options, `the database ${name}`));
  }
}

function createBuckets(options, { config, wrangler, run, say }) {
  for (const { binding, bucket_name: name, jurisdiction } of config.r2_buckets) {
    const within = jurisdiction ? ['--jurisdiction', jurisdiction] : [];
    const { status, stderr, stdout } = wrangler('r2', 'bucket', 'info', name, '--json', ...within);
    if (status === 0) {
      say(`${binding}: ${name} is there`);
      continue;
    }
    const reason = `${stdout}\n${stderr}`;
    if (!NO_SUCH_BUCKET.test(reason))
      throw new Refusal(`The bucket ${name} could not be looked up:\n${reason.trim()}`);
    const place = requirePlace(options, `the bucket ${name}`);
    say(`${binding}: creating ${name}`);
    run('r2', 'bucket', 'create', name, ...(jurisdiction ? within : place));
  }
}

/** There is no default: a database is moved by copying it. */
function requirePlace({ location, jurisdiction }, what) {
  if (jurisdiction) return ['--jurisdiction', jurisdiction];
  if (location) return ['--location', location];
  throw new Refusal(
    `Say where to create ${what}, near most of your users: --location ${LOCATIONS.join('|')} (docs/deploy.md, section 4).`,
  );
}

/** The directory first: its migrations never wait for those of a cell. */
function migrate({ config, run, recordApplied, say }) {
  const isCell = ({ binding }) => binding !== 'DIRECTORY';
  const cellNumber = ({ binding }) => Number(binding.slice('CELL_'.length));
  const directory = config.d1_databases.filter((database) => !isCell(database));
  const cells = config.d1_databases.filter(isCell).sort((a, b) => cellNumber(a) - cellNumber(b));
  for (const { binding } of [...directory, ...cells]) run('d1', 'migrations', 'apply', binding, '--remote');
  if (recordApplied()) say(`${APPLIED} has changed: commit it, so that nobody edits what is applied.`);
}

async function publish({ isGradual, secretsFile }, { config, git, run, say, isHealthy }) {
  const secrets = secretsFile ? ['--secrets-file', secretsFile] : [];
  const message = ['--message', `commit ${git('rev-parse', '--short', 'HEAD')}`];
  if (isGradual) {
    run('versions', 'upload', '--minify', ...message, ...secrets);
    return say(
      'Uploaded, and served to nobody. Next: npx wrangler versions deploy (docs/deploy.md, section 10).',
    );
  }
  run('deploy', '--minify', ...message, ...secrets);
  const { PUBLIC_URL: origin } = config.vars ?? {};
  if (!origin)
    return say('Deployed. PUBLIC_URL is not set, so nothing was asked whether it is well: try /health.');
  if (!(await isHealthy(origin))) {
    throw new Refusal(
      `Deployed, but ${origin}/health does not answer 200. See \`npx wrangler tail --status error\`; \`npx wrangler rollback\` goes back.`,
    );
  }
  say(`Deployed. ${origin}/health answers.`);
}

function refuseIfAny(title, problems) {
  if (problems.length > 0) throw new Refusal(asList(title, problems));
}

function asList(title, lines) {
  return [title, ...lines.map((line) => `  ${line}`)].join('\n');
}

function toKiB(bytes) {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}

/** Null for anything else; wrangler may say a word before its JSON. */
function readJson(text) {
  try {
    return JSON.parse(text.slice(text.search(/[[{]/)));
  } catch {
    return null;
  }
}

async function realTools() {
  const { unstable_readConfig: readConfig } = await import('wrangler');
  const environment = { ...process.env, ...quiet };
  const wrangler = (...args) =>
    spawnSync(process.execPath, [wranglerScript, ...args], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...environment, CI: 'true', NO_COLOR: '1' },
    });
  const run = (...args) => {
    console.log(`\n> wrangler ${args.join(' ')}`);
    const { status } = spawnSync(process.execPath, [wranglerScript, ...args], {
      cwd: root,
      stdio: 'inherit',
      env: environment,
    });
    if (status !== 0)
      throw new Refusal(`wrangler ${args.slice(0, 3).join(' ')} failed; its reason stands above.`);
  };
  return {
    config: readConfig({ config: join(root, 'wrangler.toml') }, { hideWarnings: true }),
    environment,
    wrangler,
    run,
    say: (text) => console.log(text),
    git(...args) {
      const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
      return status === 0 ? stdout.trim() : null;
    },
    migrationProblems: () => checkMigrations(readMigrations(), readApplied()),
    bundle: () => bundle(wrangler),
    readSecretsFile(path) {
      const text = readFileSync(path, 'utf8');
      return path.endsWith('.json') ? JSON.parse(text) : parseEnv(text);
    },
    recordApplied() {
      const applied = Object.fromEntries(readMigrations().map(({ path, text }) => [path, checksum(text)]));
      const text = `${JSON.stringify(applied, null, 2)}\n`;
      if (text === `${JSON.stringify(readApplied(), null, 2)}\n`) return false;
      writeFileSync(join(root, APPLIED), text);
      return true;
    },
    async isHealthy(origin) {
      for (let attempt = 0; attempt < HEALTH_TRIES; attempt += 1) {
        const answer = await fetch(`${origin}/health`).catch(() => null);
        if (answer?.ok) return true;
        await sleep(HEALTH_WAIT_MS);
      }
      return false;
    },
  };
}

/** What `wrangler deploy` would upload, in a folder of its own. */
function bundle(wrangler) {
  rmSync(join(root, OUTPUT), { recursive: true, force: true });
  const { status, stdout, stderr } = wrangler('deploy', '--dry-run', '--outdir', OUTPUT, '--minify');
  if (status !== 0) throw new Refusal(`The worker could not be bundled:\n${stdout}${stderr}`);
  return readdirSync(join(root, OUTPUT))
    .filter((name) => !name.endsWith('.map') && name !== 'README.md')
    .map((name) => readFileSync(join(root, OUTPUT, name)));
}
