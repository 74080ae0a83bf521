import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { unstable_readConfig as readConfig } from 'wrangler';
import { root } from '../../scripts/databases.ts';
import {
  type Configuration,
  checkConfiguration,
  type DatabaseConfiguration,
  DeployError,
} from '../../scripts/deploy/configuration.ts';
import { readOptions } from '../../scripts/deploy/options.ts';
import { requireSecrets } from '../../scripts/deploy/requirements.ts';
import { createTools, type Tools } from '../../scripts/deploy/tools.ts';

interface Consumer {
  readonly queue: string;
  readonly dead_letter_queue?: string;
}

interface ReadConfiguration extends Configuration {
  readonly name: string;
  readonly d1_databases: readonly DatabaseConfiguration[];
  readonly r2_buckets: readonly { binding: string; bucket_name: string }[];
  readonly durable_objects: { readonly bindings: readonly { name: string; class_name: string }[] };
  readonly send_email: readonly { name: string }[];
  readonly analytics_engine_datasets: readonly { binding: string; dataset: string }[];
  readonly version_metadata: unknown;
  readonly queues: {
    readonly producers: readonly { binding: string; queue: string }[];
    readonly consumers: readonly Consumer[];
  };
  readonly observability: unknown;
  readonly migrations: unknown;
  readonly triggers: { readonly crons: unknown };
  readonly assets: unknown;
  readonly routes: unknown;
  readonly build: { readonly command?: string };
}

const readConfiguration = (env: string) =>
  readConfig({ config: join(root, 'wrangler.toml'), env }, { hideWarnings: true }) as ReadConfiguration;
const [production, staging] = [readConfiguration(''), readConfiguration('staging')];

it('staging has the same bindings as production, but shares no storage with it', () => {
  const listBindings = (config: ReadConfiguration) => ({
    databases: config.d1_databases.map(({ binding, migrations_dir: folder }) => [binding, folder]),
    buckets: config.r2_buckets.map(({ binding }) => binding),
    objects: config.durable_objects.bindings.map(({ name, class_name: type }) => [name, type]),
    mail: config.send_email.map(({ name }) => name),
    metrics: config.analytics_engine_datasets.map(({ binding }) => binding),
    version: config.version_metadata,
    observability: config.observability,
    queues: config.queues.producers.map(({ binding }) => binding),
    consumers: config.queues.consumers.map(({ queue: _queue, dead_letter_queue: _dead, ...rules }) => rules),
    migrations: config.migrations,
    crons: config.triggers.crons,
    assets: config.assets,
  });
  assert.deepEqual(listBindings(staging), listBindings(production));
  const listNames = (config: ReadConfiguration) => [
    config.name,
    ...config.d1_databases.map(({ database_name: name }) => name),
    ...config.r2_buckets.map(({ bucket_name: name }) => name),
    ...config.analytics_engine_datasets.map(({ dataset }) => dataset),
    ...config.queues.producers.map(({ queue }) => queue),
    ...config.queues.consumers.flatMap(({ queue, dead_letter_queue: dead }) => [queue].concat(dead ?? [])),
  ];
  assert.deepEqual(
    listNames(staging).filter((name) => listNames(production).includes(name)),
    [],
  );
  assert.deepEqual(staging.routes, []);
});

it('the staging configuration is ready for deployment once it has a sender', () => {
  const vars = { ...staging.vars, MAIL_FROM: 'Edgework <no-reply@edgework.com>' };
  assert.deepEqual(checkConfiguration({ ...staging, vars }), []);
});

it('staging is selected with --env, and an unknown environment is rejected', async () => {
  const { env } = readOptions(['--env', 'staging']);
  const tools = await createTools(env);
  assert.equal(tools.config.r2_buckets?.[0]?.bucket_name, 'edgework-staging-files');
  await assert.rejects(
    createTools('stagin'),
    (error) => error instanceof DeployError && /staging/.test(error.message),
  );
});

it('`wrangler deploy --env staging` checks staging instead of production', () => {
  assert.equal(staging.build.command, `${production.build.command} staging`);
});

it('the commands for missing secrets include the environment', () => {
  const tools = {
    config: staging,
    wrangler: () => ({ status: 1, stdout: '', stderr: '' }),
  } as unknown as Tools;
  assert.throws(
    () => requireSecrets(readOptions(['--env', 'staging']), tools),
    /npx wrangler secret put SESSION_SECRET --env staging/,
  );
});
