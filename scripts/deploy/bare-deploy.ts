import { checkConfiguration, DeployError, formatList } from './configuration.ts';
import { requireJurisdiction } from './locations.ts';
import { requireAccount, requireSecrets } from './requirements.ts';
import { findDatabases, type Resource } from './resources.ts';
import type { Tools } from './tools.ts';

const NO_PENDING_PATTERN = /No migrations to apply/i;

/**
 * Returns the problem that would make a bare `wrangler deploy` publish a broken service, or null if there is none.
 * Only reads from the account.
 */
export function findDeployProblem(tools: Tools): string | null {
  const { config } = tools;
  const unready = checkConfiguration(config);
  if (unready.length > 0) return formatList('wrangler.toml is not ready for production:', unready);
  const databases: Resource[] = [];
  try {
    requireAccount(tools);
    requireSecrets({ isDryRun: false, isGradual: false, secretsFile: undefined }, tools);
    databases.push(...findDatabases(tools));
    requireJurisdiction(databases, config);
  } catch (error) {
    if (error instanceof DeployError) return error.message;
    throw error;
  }
  const missing = databases.filter(({ exists }) => !exists).map(({ binding, name }) => `${binding}: ${name}`);
  if (missing.length > 0) return formatList('These databases do not exist:', missing);
  const pending = (config.d1_databases ?? [])
    .map(({ binding }) => binding)
    .filter((binding) => hasPendingMigrations(binding, tools));
  if (pending.length > 0) return formatList('These databases have pending migrations:', pending);
  return null;
}

function hasPendingMigrations(binding: string, { wrangler }: Tools): boolean {
  const { status, stdout, stderr } = wrangler('d1', 'migrations', 'list', binding, '--remote');
  if (status !== 0) throw new Error(`Could not list the migrations of ${binding}:\n${stdout}${stderr}`);
  return !NO_PENDING_PATTERN.test(stdout);
}
