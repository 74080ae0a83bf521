import { checkConfiguration, type DatabaseConfiguration, DeployError, formatList } from './configuration.ts';
import { requireJurisdiction } from './locations.ts';
import { requireAccount, requireSecrets } from './requirements.ts';
import { findQueues, findResources } from './resources.ts';
import type { Tools } from './tools.ts';

const NO_PENDING_PATTERN = /No migrations to apply/i;

/**
 * Returns the problems that would make a bare `wrangler deploy` publish a broken service, or null if there are none.
 * Creates nothing in the account, except wrangler's own table of applied migrations in a new database.
 */
export function findDeployProblem(tools: Tools): string | null {
  const unready = checkConfiguration(tools.config);
  if (unready.length > 0) return formatList('wrangler.toml is not ready for production:', unready);
  try {
    requireAccount(tools);
    requireSecrets({ isDryRun: false, isGradual: false, secretsFile: undefined }, tools);
    return describeUnpreparedResources(tools);
  } catch (error) {
    if (error instanceof DeployError) return error.message;
    throw error;
  }
}

/** Lists everything that is missing. Otherwise, wrangler would create databases and buckets without their location. */
function describeUnpreparedResources(tools: Tools): string | null {
  const { config } = tools;
  const resources = findResources(tools);
  requireJurisdiction(resources, config);
  const missing = resources.filter(({ exists }) => !exists);
  const listMissing = (kind: 'database' | 'bucket') =>
    missing.filter((each) => each.kind === kind).map(({ binding, name }) => `${binding}: ${name}`);
  const queues = findQueues(tools).filter(({ exists }) => !exists);
  const pending = (config.d1_databases ?? [])
    .filter(({ binding }) => !missing.some((each) => each.binding === binding))
    .filter((database) => hasPendingMigrations(database, tools));
  const lists: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ['These databases do not exist:', listMissing('database')],
    ['These buckets do not exist:', listMissing('bucket')],
    ['These queues do not exist:', queues.map(({ name }) => name)],
    [
      'These databases have pending migrations:',
      pending.map(({ binding, database_name: name }) => `${binding}: ${name}`),
    ],
  ];
  const found = lists.filter(([, lines]) => lines.length > 0);
  return found.length === 0 ? null : found.map(([title, lines]) => formatList(title, lines)).join('\n');
}

function hasPendingMigrations({ binding }: DatabaseConfiguration, { wrangler }: Tools): boolean {
  const { status, stdout, stderr } = wrangler('d1', 'migrations', 'list', binding, '--remote');
  if (status !== 0)
    throw new DeployError(`The migrations of ${binding} could not be listed:\n${stdout}${stderr}`);
  return !NO_PENDING_PATTERN.test(stdout);
}
