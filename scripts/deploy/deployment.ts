import { APPLIED_FILE } from '../migrations/files.ts';
import { describeBundle, describeStartup } from './bundle-check.ts';
import {
  checkConfiguration,
  type DatabaseConfiguration,
  formatList,
  throwIfProblems,
} from './configuration.ts';
import { waitUntilHealthy } from './health.ts';
import {
  requireJurisdiction,
  requireLocation,
  requireMatchingConfiguration,
  requirePlacement,
} from './locations.ts';
import type { Options } from './options.ts';
import { requireAccount, requireCleanTree, requireSecrets } from './requirements.ts';
import { createMissingResources, createQueues, findResources } from './resources.ts';
import type { Tools } from './tools.ts';

export async function deploy(options: Options, tools: Tools): Promise<void> {
  const { config, print } = tools;
  const unready = checkConfiguration(config);
  throwIfProblems('The migrations cannot be applied:', tools.migrationProblems());
  print(describeBundle(tools.bundle()));
  print(describeStartup(tools.measureStartup));
  if (options.isDryRun) {
    if (unready.length > 0)
      print(formatList('Before a real deployment, change this in wrangler.toml:', unready));
    return print('Dry run: nothing was created, migrated or deployed.');
  }
  throwIfProblems('wrangler.toml is not ready for production:', unready);
  requireMatchingConfiguration(options, config);
  requireCleanTree(tools);
  requireAccount(tools);
  requireSecrets(options, tools);
  const resources = findResources(tools);
  requireJurisdiction(resources, config);
  requireLocation(resources, options, tools);
  requirePlacement(resources, options, tools);
  createMissingResources(resources, options, tools);
  createQueues(tools);
  migrate(tools);
  await publish(options, tools);
}

/** Migrates the directory first, because its migrations never depend on cell migrations. */
function migrate({ config: { d1_databases: databases = [] }, run, recordApplied, print }: Tools): void {
  const isCell = ({ binding }: DatabaseConfiguration) => binding !== 'DIRECTORY';
  const cellNumber = ({ binding }: DatabaseConfiguration) => Number(binding.slice('CELL_'.length));
  const directory = databases.filter((database) => !isCell(database));
  const cells = databases.filter(isCell).sort((a, b) => cellNumber(a) - cellNumber(b));
  for (const { binding } of [...directory, ...cells]) run('d1', 'migrations', 'apply', binding, '--remote');
  if (recordApplied())
    print(`${APPLIED_FILE} has changed: commit it, so that applied migrations are never edited.`);
}

async function publish({ isGradual, secretsFile }: Options, tools: Tools): Promise<void> {
  const { config, git, run, print } = tools;
  const secrets = secretsFile ? ['--secrets-file', secretsFile] : [];
  const message = ['--message', `commit ${git('rev-parse', '--short', 'HEAD')}`];
  if (isGradual) {
    run('versions', 'upload', '--minify', ...message, ...secrets);
    return print(
      'Uploaded. It serves no requests yet. Next: npx wrangler versions deploy (docs/deploy.md, section 10).',
    );
  }
  const origin = config.vars?.PUBLIC_URL === undefined ? null : String(config.vars.PUBLIC_URL);
  const probe = (at: string) => tools.probe(at, findHealthKey(secretsFile, tools));
  const wasHealthy = origin !== null && (await probe(origin)) === null;
  run('deploy', '--minify', ...message, ...secrets);
  if (origin === null)
    return print(
      'Deployed. PUBLIC_URL is not set, so the service was not checked. Open /health to check it.',
    );
  await waitUntilHealthy(origin, wasHealthy, { ...tools, probe });
  print(`Deployed. ${origin}/health returns 200.`);
}

function findHealthKey(secretsFile: string | undefined, tools: Tools): string | undefined {
  const given = secretsFile ? tools.readSecretsFile(secretsFile) : {};
  return given.HEALTH_KEY ?? tools.environment.HEALTH_KEY;
}
