// This file is long because all its tests share the fake of a Cloudflare account.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findDeployProblem } from '../../scripts/deploy/bare-deploy.ts';
import { describeBundle, describeStartup, readStartupMs } from '../../scripts/deploy/bundle-check.ts';
import { type Configuration, checkConfiguration, DeployError } from '../../scripts/deploy/configuration.ts';
import { deploy } from '../../scripts/deploy/deployment.ts';
import { REGIONS } from '../../scripts/deploy/locations.ts';
import { LOCATIONS, readOptions } from '../../scripts/deploy/options.ts';
import type { Tools } from '../../scripts/deploy/tools.ts';

const readyConfiguration = {
  name: 'edgework',
  vars: {
    R2_BUCKET_NAME: 'files',
    MAIL_FROM: 'Edgework <no-reply@edgework.com>',
    PUBLIC_URL: 'https://api.edgework.com',
  },
  d1_databases: [
    { binding: 'CELL_10', database_name: 'cell-10', migrations_dir: 'migrations/cell' },
    { binding: 'CELL_0', database_name: 'cell-0', migrations_dir: 'migrations/cell' },
    { binding: 'CELL_2', database_name: 'cell-2', migrations_dir: 'migrations/cell' },
    { binding: 'DIRECTORY', database_name: 'directory', migrations_dir: 'migrations/directory' },
  ],
  r2_buckets: [{ binding: 'FILES', bucket_name: 'files' }],
  placement: { region: 'aws:eu-central-1' },
  queues: {
    producers: [{ binding: 'TRANSACTIONAL_MAIL', queue: 'mail' }],
    consumers: [{ queue: 'mail', dead_letter_queue: 'mail-dead' }],
  },
};
const euConfiguration: Configuration = {
  ...readyConfiguration,
  vars: { ...readyConfiguration.vars, JURISDICTION: 'eu' },
  r2_buckets: [{ binding: 'FILES', bucket_name: 'files', jurisdiction: 'eu' }],
};
const secrets = ['SESSION_SECRET', 'R2_ACCOUNT_ID', 'R2_ACCESS_KEY_ID', 'R2_SECRET_ACCESS_KEY'];
const buildSuccess = (stdout = '') => ({ status: 0, stdout, stderr: '' });
const buildFailure = (stderr: string) => ({ status: 1, stdout: '', stderr });

interface CloudflareAccount {
  accounts: { id: string; name: string }[];
  databases: string[];
  /** The region of every database, or of each database by name. */
  region: string | Record<string, string>;
  jurisdiction: string | null;
  /** Null if no Worker is deployed yet. */
  secrets: string[] | null;
  buckets: string[];
  queues: string[];
  /** The bindings of databases with pending migrations. */
  pending: string[];
  /** The changes that `git status` lists. */
  dirty: string;
  file?: Record<string, string>;
  r2Error?: string;
  ms: number;
  tools?: Partial<Tools>;
}

function createFakeTools(changes: Partial<CloudflareAccount> = {}) {
  const ran: string[] = [];
  const output: string[] = [];
  const world: CloudflareAccount = {
    accounts: [{ id: 'a', name: 'A' }],
    databases: [],
    region: 'WEUR',
    jurisdiction: null,
    secrets,
    buckets: [],
    queues: [],
    pending: [],
    dirty: '',
    ms: 0,
    ...changes,
  };
  const tools: Tools = {
    config: readyConfiguration,
    environment: {},
    git: (command) => (command === 'status' ? world.dirty : 'abc1234'),
    wrangler(...args) {
      const command = args.join(' ');
      if (command.startsWith('whoami')) {
        const loggedIn = world.accounts.length > 0;
        return {
          ...buildSuccess(JSON.stringify({ loggedIn, accounts: world.accounts })),
          status: loggedIn ? 0 : 1,
        };
      }
      if (command.startsWith('secret list')) {
        return world.secrets
          ? buildSuccess(JSON.stringify(world.secrets.map((name) => ({ name }))))
          : buildFailure('no such worker');
      }
      const { jurisdiction, region, databases } = world;
      if (command.startsWith('d1 list'))
        return buildSuccess(JSON.stringify(databases.map((name) => ({ name, jurisdiction }))));
      if (command.startsWith('d1 info')) {
        const running = typeof region === 'string' ? region : region[args[2] ?? ''];
        return buildSuccess(JSON.stringify({ name: args[2], running_in_region: running }));
      }
      if (command.startsWith('d1 migrations list')) {
        return buildSuccess(
          world.pending.includes(args[3] ?? '')
            ? 'Migrations to be applied:\n0001_a.sql'
            : '✅ No migrations to apply!',
        );
      }
      if (command.startsWith('r2 bucket info')) {
        if (world.r2Error) return buildFailure(world.r2Error);
        const within = args[args.indexOf('--jurisdiction') + 1];
        return world.buckets.includes(
          args.includes('--jurisdiction') ? `${args[3]} in ${within}` : (args[3] ?? ''),
        )
          ? buildSuccess('{"location": "WEUR"}')
          : buildFailure('The specified bucket does not exist. [code: 10006]');
      }
      if (command.startsWith('queues info')) {
        return world.queues.includes(args[2] ?? '')
          ? buildSuccess('Queue Name: …')
          : buildFailure(
              `Queue "${args[2]}" does not exist. To create it, run: wrangler queues create ${args[2]}`,
            );
      }
      throw new Error(`no fake response for wrangler ${command}`);
    },
    run: (...args) => void ran.push(args.join(' ')),
    print: (text) => void output.push(text),
    migrationProblems: () => [],
    measureStartup: () => 250,
    bundle: () => [Buffer.from('export default {}')],
    readSecretsFile: () => world.file ?? {},
    recordApplied: () => true,
    probe: async () => null,
    now: () => world.ms,
    async sleep(ms) {
      world.ms += ms;
    },
    ...changes.tools,
  };
  const startDeploy = (...args: string[]) => deploy(readOptions(args), tools);
  return { startDeploy, ran, output, tools, world };
}

const allResources = {
  databases: ['directory', 'cell-0', 'cell-2', 'cell-10'],
  buckets: ['files'],
  queues: ['mail', 'mail-dead'],
};
const migrations = ['DIRECTORY', 'CELL_0', 'CELL_2', 'CELL_10'].map(
  (name) => `d1 migrations apply ${name} --remote`,
);

async function expectRejection(world: Partial<CloudflareAccount>, ...args: string[]): Promise<string> {
  const { startDeploy, ran } = createFakeTools(world);
  let reason = '';
  await assert.rejects(startDeploy(...args), (error) => {
    if (error instanceof Error) reason = error.message;
    return error instanceof DeployError;
  });
  assert.deepEqual(ran, [], 'nothing is created before a rejection');
  return reason;
}

describe('a deployment', () => {
  it('creates missing resources in the given location, migrates the directory and then the cells, and deploys', async () => {
    const { startDeploy, ran, output } = createFakeTools({ databases: ['cell-0'] });
    await startDeploy('--location', 'weur');
    assert.deepEqual(ran, [
      'd1 create cell-10 --location weur',
      'd1 create cell-2 --location weur',
      'd1 create directory --location weur',
      'r2 bucket create files --location weur',
      'queues create mail',
      'queues create mail-dead',
      ...migrations,
      'deploy --minify --message commit abc1234',
    ]);
    assert.match(output.join('\n'), /migrations\/applied\.json has changed: commit it/);
    assert.match(output.at(-1) ?? '', /https:\/\/api\.edgework\.com\/health returns 200/);
  });

  it('creates nothing and needs no location if all resources exist', async () => {
    const { startDeploy, ran } = createFakeTools(allResources);
    await startDeploy();
    assert.deepEqual(ran, [...migrations, 'deploy --minify --message commit abc1234']);
  });

  it('uploads a version without deploying it when --gradual is set', async () => {
    const { startDeploy, ran } = createFakeTools(allResources);
    await startDeploy('--gradual');
    assert.equal(ran.at(-1), 'versions upload --minify --message commit abc1234');
  });

  it('reads the initial secrets from a file', async () => {
    const file = Object.fromEntries(secrets.map((name) => [name, randomBytes(32).toString('hex')]));
    const { startDeploy, ran } = createFakeTools({ ...allResources, secrets: null, file });
    await startDeploy('--secrets-file', '../production.env');
    assert.equal(ran.at(-1), 'deploy --minify --message commit abc1234 --secrets-file ../production.env');
  });

  for (const dirty of ['?? migrations/applied.json', 'M migrations/applied.json']) {
    it(`can be repeated with the same command if publishing failed and git status lists "${dirty}"`, async () => {
      const { startDeploy, ran } = createFakeTools({ ...allResources, dirty });
      await startDeploy('--location', 'weur', '--secrets-file', '../production.env');
      assert.match(ran.at(-1) ?? '', /^deploy --minify/);
    });
  }

  it('reports an unhealthy new version and suggests rolling back', async () => {
    const { startDeploy, world } = createFakeTools({
      ...allResources,
      tools: { probe: createProbe([null], 'status 500') },
    });
    await assert.rejects(startDeploy(), /\/health doesn't return 200: status 500.*wrangler rollback/s);
    assert.ok(world.ms <= 60_000);
  });

  it('checks every database with the health key from the secrets file or the environment', async () => {
    const sent: (string | undefined)[] = [];
    const probe: Tools['probe'] = async (_origin, key) => {
      sent.push(key);
      return null;
    };
    await createFakeTools({ ...allResources, tools: { probe } }).startDeploy();
    const HEALTH_KEY = randomBytes(32).toString('hex');
    await createFakeTools({ ...allResources, tools: { probe, environment: { HEALTH_KEY } } }).startDeploy();
    const given = createFakeTools({
      ...allResources,
      file: { HEALTH_KEY: 'k'.repeat(32) },
      tools: { probe },
    });
    await given.startDeploy('--secrets-file', '../production.env');
    assert.deepEqual(sent, [undefined, undefined, HEALTH_KEY, HEALTH_KEY, 'k'.repeat(32), 'k'.repeat(32)]);
  });

  it('waits up to ten minutes for a new domain, and shows its progress', async () => {
    const pending = Array.from({ length: 190 }, () => 'getaddrinfo ENOTFOUND api.edgework.com');
    const { startDeploy, output, world } = createFakeTools({
      ...allResources,
      tools: { probe: createProbe(pending, null) },
    });
    await startDeploy();
    assert.ok(world.ms > 500_000 && world.ms < 600_000);
    const progress = output.filter((line) => line.startsWith('Waiting for https://api.edgework.com/health'));
    assert.ok(progress.length >= 15 && progress.length <= 20);
    assert.match(progress[1] ?? '', /1 of up to 10 minutes: getaddrinfo ENOTFOUND/);
  });

  it("lists what to check if the domain never responds, and doesn't suggest rolling back", async () => {
    const { startDeploy, world } = createFakeTools({
      ...allResources,
      tools: { probe: async () => 'certificate has expired' },
    });
    await assert.rejects(startDeploy(), (error) => {
      assert.match(String(error), /within 10 minutes: certificate has expired.*zone of api\.edgework\.com/s);
      assert.doesNotMatch(String(error), /rollback/);
      return error instanceof DeployError;
    });
    assert.ok(world.ms >= 600_000 && world.ms < 610_000);
  });
});

function createProbe(first: readonly (string | null)[], last: string | null): Tools['probe'] {
  const waiting = [...first];
  return async () => {
    const next = waiting.shift();
    return next === undefined ? last : next;
  };
}

describe('the data location', () => {
  it('is set by the jurisdiction in wrangler.toml for every created database and bucket', async () => {
    const { startDeploy, ran } = createFakeTools({ tools: { config: euConfiguration } });
    await startDeploy('--jurisdiction', 'eu');
    assert.deepEqual(ran.slice(0, 5), [
      ...['cell-10', 'cell-0', 'cell-2', 'directory'].map((name) => `d1 create ${name} --jurisdiction eu`),
      'r2 bucket create files --jurisdiction eu',
    ]);
  });

  it("doesn't have to be given again in later deployments", async () => {
    const { startDeploy, ran } = createFakeTools({
      ...allResources,
      jurisdiction: 'eu',
      buckets: ['files in eu'],
      tools: { config: euConfiguration },
    });
    await startDeploy();
    assert.match(ran.at(-1) ?? '', /^deploy/);
  });

  it('is rejected if databases have no jurisdiction or a different jurisdiction', async () => {
    const tools = { config: euConfiguration };
    const outside = await expectRejection({ ...allResources, tools }, '--jurisdiction', 'eu');
    assert.match(
      outside,
      /DIRECTORY: directory is in no jurisdiction.*FILES: files is in no.*restore a backup/s,
    );
    const inUs = { ...allResources, jurisdiction: 'us', buckets: ['files in eu'], tools };
    assert.match(await expectRejection(inUs), /CELL_0: cell-0 is in the jurisdiction us/);
    assert.match(
      await expectRejection({ ...allResources, jurisdiction: 'eu' }),
      /no JURISDICTION.*in the jurisdiction eu/s,
    );
  });

  it('is rejected if the options and wrangler.toml disagree', async () => {
    const tools = { config: euConfiguration };
    assert.match(await expectRejection({ tools }, '--jurisdiction', 'us'), /must be eu.*got 'us'/);
    assert.match(await expectRejection({ tools }, '--location', 'weur'), /no effect in a jurisdiction/);
    assert.throws(() => readOptions(['--location', 'weur', '--jurisdiction', 'eu']), /Choose one/);
  });

  it('is rejected if it contradicts the existing resources', async () => {
    const all = await expectRejection(allResources, '--location', 'enam');
    assert.match(
      all,
      /enam contradicts.*DIRECTORY: directory is in weur.*FILES: files is in weur.*without --location/s,
    );
    const half = await expectRejection({ databases: ['cell-0'] }, '--location', 'enam');
    assert.match(half, /CELL_0: cell-0 is in weur.*again with --location weur/s);
    assert.doesNotMatch(half, /CELL_2/);
  });

  it('can be different for a later cell, and the command that creates the cell can be repeated', async () => {
    const databases = ['directory', 'cell-0', 'cell-2'];
    const { startDeploy, ran } = createFakeTools({ ...allResources, databases });
    await startDeploy('--location', 'apac');
    assert.equal(ran[0], 'd1 create cell-10 --location apac');
    const region = { directory: 'WEUR', 'cell-0': 'WEUR', 'cell-2': 'WEUR', 'cell-10': 'APAC' };
    const again = createFakeTools({ ...allResources, region });
    await again.startDeploy('--location', 'apac');
    assert.match(again.ran.at(-1) ?? '', /^deploy/);
  });

  it("is rejected if the Worker's region in wrangler.toml doesn't match it", async () => {
    const smart = { ...readyConfiguration, placement: {} };
    assert.match(
      await expectRejection({ tools: { config: smart } }, '--location', 'weur'),
      /region = "aws:eu-central-1"/,
    );
    assert.match(await expectRejection({}, '--location', 'oc'), /region = "aws:ap-southeast-2"/);
    assert.match(await expectRejection({ ...allResources, region: 'ENAM' }), /region = "aws:us-east-1"/);
    const { startDeploy } = createFakeTools({ ...allResources, tools: { config: smart } });
    await startDeploy();
    const chosen = createFakeTools({
      tools: { config: { ...readyConfiguration, placement: { region: 'gcp:europe-west1' } } },
    });
    await chosen.startDeploy('--location', 'weur');
  });

  it('maps to a region that wrangler accepts', async () => {
    const { unstable_readConfig: readConfig } = await import('wrangler');
    const folder = mkdtempSync(join(tmpdir(), 'edgework-placement-'));
    const path = join(folder, 'wrangler.toml');
    for (const region of LOCATIONS.map((location) => REGIONS[location])) {
      writeFileSync(path, `name = "a"\n[placement]\nregion = "${region}"\n`);
      assert.equal(JSON.stringify(readConfig({ config: path }).placement), JSON.stringify({ region }));
    }
    rmSync(folder, { recursive: true });
  });
});

describe('a deployment', () => {
  it("doesn't start without a location for missing resources", async () => {
    assert.match(await expectRejection({}), /--location weur\|/);
  });
  it("doesn't start without an account", async () => {
    assert.match(await expectRejection({ ...allResources, accounts: [] }), /wrangler login/);
  });
  it("doesn't start if several accounts exist and none is selected", async () => {
    const accounts = [
      { id: 'a1', name: 'Mine' },
      { id: 'b2', name: 'Theirs' },
    ];
    assert.match(
      await expectRejection({ ...allResources, accounts }),
      /CLOUDFLARE_ACCOUNT_ID.*a1 {2}Mine.*b2 {2}Theirs/s,
    );
    const { startDeploy } = createFakeTools({
      ...allResources,
      accounts,
      tools: { environment: { CLOUDFLARE_ACCOUNT_ID: 'a1' } },
    });
    await startDeploy();
  });
  it("doesn't start if secrets are missing, and prints the command for each", async () => {
    const message = await expectRejection({
      ...allResources,
      secrets: ['R2_ACCESS_KEY_ID', 'GITHUB_CLIENT_ID'],
    });
    for (const name of ['SESSION_SECRET', 'R2_SECRET_ACCESS_KEY', 'R2_ACCOUNT_ID', 'GITHUB_CLIENT_SECRET']) {
      assert.match(message, new RegExp(`npx wrangler secret put ${name}`));
    }
    assert.doesNotMatch(message, /GOOGLE|put R2_ACCESS_KEY_ID/);
  });
  it("doesn't start if the key for push notifications in the file doesn't have 32 bytes", async () => {
    const secrets = { VAPID_PRIVATE_KEY: 'A'.repeat(42) };
    const message = await expectRejection({ ...allResources, file: secrets }, '--secrets-file', 'x.env');
    assert.match(message, /VAPID_PRIVATE_KEY in x\.env must be 32 bytes in base64/);
    assert.doesNotMatch(message, /AAAA/);
  });
  it("doesn't start if a secret in the file is too short", async () => {
    for (const name of ['SESSION_SECRET', 'OPERATOR_KEY']) {
      const message = await expectRejection(
        { ...allResources, file: { [name]: 'short' } },
        '--secrets-file',
        'x.env',
      );
      assert.match(message, new RegExp(`${name} in x\\.env must have at least 32 bytes`));
      assert.doesNotMatch(message, /short/);
    }
  });
  it("doesn't start if the working tree has changes", async () => {
    assert.match(
      await expectRejection({ ...allResources, dirty: ' M wrangler.toml' }),
      /Commit first.*wrangler\.toml/s,
    );
    const dirty = 'M migrations/applied.json\n M migrations/cell/0001_a.sql';
    assert.match(await expectRejection({ ...allResources, dirty }), /Commit first.*0001_a\.sql/s);
  });
  it("doesn't start if D1 would reject a migration", async () => {
    const tools = { migrationProblems: () => ['migrations/cell/0001_a.sql:3  dropping a table'] };
    assert.match(await expectRejection({ ...allResources, tools }), /0001_a\.sql:3/);
  });
  it("doesn't start with the template's sender address", async () => {
    const vars = { ...readyConfiguration.vars, MAIL_FROM: 'Edgework <no-reply@example.com>' };
    assert.match(
      await expectRejection({ ...allResources, tools: { config: { ...readyConfiguration, vars } } }),
      /MAIL_FROM/,
    );
  });
  it('doesn\'t start if R2 returns an error other than "no such bucket"', async () => {
    assert.match(
      await expectRejection({ ...allResources, r2Error: 'Please enable R2 [code: 10042]' }),
      /enable R2/,
    );
  });
  it("doesn't start if wrangler.toml lacks the given jurisdiction", async () => {
    assert.match(await expectRejection({}, '--jurisdiction', 'eu'), /Add jurisdiction = "eu"/);
  });
  it("doesn't start with an unknown option", () => {
    assert.throws(() => readOptions(['--dryrun']), /--location HINT/);
    assert.throws(() => readOptions(['--location', 'mars']), /must be one of weur.*got 'mars'/);
  });
});

describe('a direct `wrangler deploy`', () => {
  const findProblem = (world: Partial<CloudflareAccount>) => {
    const { tools, ran } = createFakeTools({ ...allResources, ...world });
    const problem = findDeployProblem(tools);
    assert.deepEqual(ran, [], 'the check creates nothing');
    return problem;
  };

  it('may publish once everything exists and is migrated', () => assert.equal(findProblem({}), null));

  it('stops if a database is missing', () =>
    assert.equal(
      findProblem({ databases: ['directory', 'cell-0', 'cell-10'] }),
      'These databases do not exist:\n  CELL_2: cell-2',
    ));

  it('stops if a migration is pending', () =>
    assert.equal(
      findProblem({ pending: ['CELL_10', 'DIRECTORY'] }),
      'These databases have pending migrations:\n  CELL_10: cell-10\n  DIRECTORY: directory',
    ));

  it('stops if the bucket is missing', () =>
    assert.equal(findProblem({ buckets: [] }), 'These buckets do not exist:\n  FILES: files'));

  it('stops if a queue or the queue for dead letters is missing', () => {
    assert.equal(findProblem({ queues: ['mail-dead'] }), 'These queues do not exist:\n  mail');
    assert.equal(findProblem({ queues: ['mail'] }), 'These queues do not exist:\n  mail-dead');
  });

  it('stops without an account, a secret or the right jurisdiction, or if a lookup fails', () => {
    assert.match(findProblem({ accounts: [] }) ?? '', /wrangler login/);
    assert.match(findProblem({ secrets: null }) ?? '', /wrangler secret put SESSION_SECRET/);
    assert.match(findProblem({ jurisdiction: 'eu' }) ?? '', /in the jurisdiction eu/);
    assert.match(findProblem({ r2Error: 'Please enable R2 [code: 10042]' }) ?? '', /enable R2/);
  });

  it('lists everything that is missing at once', () =>
    assert.equal(
      findProblem({ databases: ['cell-0'], buckets: [], queues: [], pending: ['CELL_0'] }),
      [
        'These databases do not exist:\n  CELL_10: cell-10\n  CELL_2: cell-2\n  DIRECTORY: directory',
        'These buckets do not exist:\n  FILES: files',
        'These queues do not exist:\n  mail\n  mail-dead',
        'These databases have pending migrations:\n  CELL_0: cell-0',
      ].join('\n'),
    ));
});

describe('a dry run', () => {
  it('reports the bundle size and configuration problems without accessing an account', async () => {
    const vars = { ...readyConfiguration.vars, MAIL_FROM: 'no-reply@example.com' };
    const failIfAsked = () => assert.fail('a dry run has no account');
    const { startDeploy, ran, output } = createFakeTools({
      tools: { config: { ...readyConfiguration, vars }, wrangler: failIfAsked, git: failIfAsked },
    });
    await startDeploy('--dry-run');
    assert.deepEqual(ran, []);
    assert.match(output.join('\n'), /Bundle: .* KiB gzip.*MAIL_FROM.*nothing was created/s);
  });

  it('warns if the bundle exceeds 600 KiB gzipped', () => {
    const below = describeBundle([randomBytes(590 * 1024)]);
    assert.match(below, /590\.0 KiB raw, 590\.\d KiB gzip/);
    assert.doesNotMatch(below, /Warning/);
    assert.match(
      describeBundle([randomBytes(310 * 1024), randomBytes(310 * 1024)]),
      /Warning: more than 600\.0 KiB/,
    );
  });

  it('reports the shortest of up to three measured start-up times', () => {
    const measure = (...results: (number | null)[]) => {
      const waiting = [...results];
      return () => waiting.shift() ?? null;
    };
    assert.equal(describeStartup(measure(258)), 'Start-up: 258 ms of CPU on this machine.');
    assert.equal(describeStartup(measure(1200, 390)), 'Start-up: 390 ms of CPU on this machine.');
    assert.match(describeStartup(measure(1200, 700, 500)), /500 ms.*Warning: more than 400 ms/);
    assert.throws(() => describeStartup(measure(1200, 1100, 1001)), DeployError);
    assert.match(describeStartup(measure(null)), /could not be measured/);
  });

  it("reads the start-up time from wrangler's output", () => {
    const output = 'Sampled time: 1069.0 ms\n│   Active: 763.6 ms (including 113.2 ms garbage collection)\n';
    assert.equal(readStartupMs(output), 763.6);
    assert.equal(readStartupMs('failed'), null);
  });
});

describe('the deployment configuration', () => {
  const listProblems = (change: Configuration) =>
    checkConfiguration({ ...readyConfiguration, ...change }).join('\n');

  it('is ready if it contains no local values', () =>
    assert.deepEqual(checkConfiguration(readyConfiguration), []));

  const withVars = (change: Record<string, unknown>) => ({ vars: { ...readyConfiguration.vars, ...change } });
  const unready: readonly (readonly [name: string, change: Configuration, reason: RegExp])[] = [
    ['a local environment', withVars({ ENVIRONMENT: 'local' }), /ENVIRONMENT/],
    ['no sender', withVars({ MAIL_FROM: undefined }), /MAIL_FROM/],
    ['a URL without TLS', withVars({ PUBLIC_URL: 'http://api.edgework.com' }), /PUBLIC_URL/],
    ['a URL with a path', withVars({ PUBLIC_URL: 'https://edgework.com/api' }), /PUBLIC_URL/],
    ['a secret among the variables', withVars({ SESSION_SECRET: 'x' }), /SESSION_SECRET is in \[vars\]/],
    [
      'a bucket name that differs from the bound bucket',
      withVars({ R2_BUCKET_NAME: 'other' }),
      /'other', but FILES is bound to 'files'/,
    ],
    ['an unknown jurisdiction', withVars({ JURISDICTION: 'EU' }), /JURISDICTION must be one of eu/],
    [
      'files outside the jurisdiction',
      withVars({ JURISDICTION: 'eu' }),
      /FILES and \[vars\] must have the same/,
    ],
    [
      'an endpoint outside the jurisdiction',
      {
        ...euConfiguration,
        vars: { ...euConfiguration.vars, R2_S3_ENDPOINT: 'https://a.r2.cloudflarestorage.com' },
      },
      /endpoint of eu/,
    ],
    ['no bucket', { r2_buckets: [] }, /no \[\[r2_buckets\]\]/],
    ['no directory', { d1_databases: readyConfiguration.d1_databases.slice(0, 3) }, /bound as DIRECTORY/],
    [
      'a cell with the tables of the directory',
      {
        d1_databases: [
          ...readyConfiguration.d1_databases,
          { binding: 'CELL_3', database_name: 'c', migrations_dir: 'migrations/directory' },
        ],
      },
      /CELL_3 must have migrations_dir = "migrations\/cell"/,
    ],
    [
      'one database for two cells',
      {
        d1_databases: [
          ...readyConfiguration.d1_databases,
          { ...readyConfiguration.d1_databases[0], binding: 'CELL_3' },
        ],
      },
      /cell-10 is bound twice/,
    ],
    [
      'a cell with an invalid number',
      {
        d1_databases: [
          ...readyConfiguration.d1_databases,
          { binding: 'CELL_01', database_name: 'c', migrations_dir: 'migrations/cell' },
        ],
      },
      /CELL_01 is not a valid name/,
    ],
  ];
  for (const [name, change, reason] of unready) {
    it(`isn't ready with ${name}`, () => assert.match(listProblems(change), reason));
  }
});
