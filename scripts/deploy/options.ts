import { parseArgs } from 'node:util';
import { DeployError, JURISDICTIONS } from './configuration.ts';

export const LOCATIONS = ['weur', 'eeur', 'apac', 'oc', 'wnam', 'enam'];

const USAGE = `npm run deploy [-- options]
  --env NAME            deploy an environment of wrangler.toml, such as staging
  --dry-run             check the configuration and the migrations, bundle, and stop
  --location HINT       where missing databases and the bucket are created: ${LOCATIONS.join(', ')}
  --jurisdiction NAME   instead of a location: where data must stay, the same as JURISDICTION in wrangler.toml: ${JURISDICTIONS.join(', ')}
  --secrets-file PATH   upload the secrets in this file (KEY=value lines, or JSON) with the deployment
  --gradual             upload the version without sending it requests (docs/deploy.md, section 10)`;

export interface Options {
  readonly isDryRun: boolean;
  readonly isGradual: boolean;
  readonly secretsFile: string | undefined;
  /** An environment in wrangler.toml. Undefined means production. */
  readonly env?: string | undefined;
  readonly location?: string | undefined;
  readonly jurisdiction?: string | undefined;
}

export function readOptions(args: string[]): Options {
  const values = parseDeployArgs(args);
  requireOneOf('location', values.location, LOCATIONS);
  requireOneOf('jurisdiction', values.jurisdiction, JURISDICTIONS);
  if (values.location && values.jurisdiction)
    throw new DeployError(
      'Choose one of --location and --jurisdiction: in a jurisdiction, a location has no effect.',
    );
  const { 'dry-run': isDryRun, gradual: isGradual, 'secrets-file': secretsFile, ...place } = values;
  return { isDryRun, isGradual, secretsFile, ...place };
}

function parseDeployArgs(args: string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const options = {
    'dry-run': flag,
    env: text,
    gradual: flag,
    location: text,
    jurisdiction: text,
    'secrets-file': text,
  };
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new DeployError(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  }
}

function requireOneOf(name: string, value: string | undefined, allowed: readonly string[]): void {
  if (value === undefined || allowed.includes(value)) return;
  throw new DeployError(`--${name} must be one of ${allowed.join(', ')}; got '${value}'.`);
}
