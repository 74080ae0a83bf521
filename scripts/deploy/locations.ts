// Checks that the options, wrangler.toml and the account agree on where data is stored and where the Worker runs.

import { type Configuration, DeployError, formatList, throwIfProblems } from './configuration.ts';
import type { Options } from './options.ts';
import { findLocation, type Resource } from './resources.ts';
import type { Tools } from './tools.ts';

/** A cloud region in the middle of each location. Cloudflare runs the Worker in the nearest data center. */
export const REGIONS: Readonly<Record<string, string>> = {
  weur: 'aws:eu-central-1',
  eeur: 'gcp:europe-central2',
  wnam: 'aws:us-west-1',
  enam: 'aws:us-east-1',
  apac: 'aws:ap-southeast-1',
  oc: 'aws:ap-southeast-2',
};

/**
 * Compares the options with wrangler.toml, because later deployments and a bare `wrangler deploy` read only
 * wrangler.toml.
 */
export function requireMatchingConfiguration(
  { location, jurisdiction }: Options,
  { vars = {} }: Configuration,
): void {
  const { JURISDICTION: configured } = vars;
  if (jurisdiction && configured === undefined) {
    throw new DeployError(`Add jurisdiction = "${jurisdiction}" to [[r2_buckets]] FILES and JURISDICTION = "${jurisdiction}" to [vars] in wrangler.toml, so that files and
Durable Objects stay there too. Commit, then run this again (docs/deploy.md, section 4).`);
  }
  if (jurisdiction && jurisdiction !== configured) {
    throw new DeployError(
      `--jurisdiction must be ${configured}, the JURISDICTION in wrangler.toml; got '${jurisdiction}'. Leave it out, or change wrangler.toml before the first deployment.`,
    );
  }
  if (location && configured) {
    throw new DeployError(
      `--location ${location} has no effect in a jurisdiction, and wrangler.toml says JURISDICTION = "${configured}". Leave out one of them.`,
    );
  }
}

/** Throws if existing resources are in another jurisdiction, because a resource can't change its jurisdiction. */
export function requireJurisdiction(resources: readonly Resource[], { vars = {} }: Configuration): void {
  const wanted = vars.JURISDICTION ?? null;
  const elsewhere = resources.filter(
    ({ exists, jurisdiction }) => exists && jurisdiction !== undefined && jurisdiction !== wanted,
  );
  const lines = elsewhere.map(
    ({ binding, name, jurisdiction }) =>
      `${binding}: ${name} is in ${jurisdiction ? `the jurisdiction ${jurisdiction}` : 'no jurisdiction'}`,
  );
  const asked = wanted === null ? 'no JURISDICTION' : `JURISDICTION = "${wanted}"`;
  throwIfProblems(`wrangler.toml says ${asked}, but a jurisdiction can't be changed after creation:`, [
    ...lines,
    ...(lines.length > 0
      ? [
          'Change JURISDICTION in [vars] and jurisdiction in [[r2_buckets]] back to what exists. To move the data, give',
          'the databases and the bucket new names, deploy, then restore a backup (docs/operations.md).',
        ]
      : []),
  ]);
}

/** Throws if `--location` contradicts existing resources, because a location can't change. Later cells may differ. */
export function requireLocation(resources: readonly Resource[], { location }: Options, tools: Tools): void {
  if (!location) return;
  const missing = resources.filter(({ exists }) => !exists);
  if (missing.length > 0 && missing.every(isLaterCell)) return;
  const located = resources
    .map((each) => findLocation(each, tools))
    .filter((each) => each.location !== undefined);
  if (missing.length === 0 && located.some((each) => each.location === location)) return;
  const elsewhere = located.filter((each) => each.location !== location);
  const contradicting = missing.length === 0 ? elsewhere : elsewhere.filter((each) => !isLaterCell(each));
  if (contradicting.length === 0) return;
  const [first] = contradicting;
  throw new DeployError(
    [
      formatList(
        `--location ${location} contradicts existing resources, and a location can't be changed after creation:`,
        contradicting.map((each) => `${each.binding}: ${each.name} is in ${each.location}`),
      ),
      missing.length === 0
        ? 'Run this again without --location. To move a database, back it up and restore it (docs/operations.md).'
        : `Run this again with --location ${first?.location}, or delete the listed resources if they are empty (npx wrangler d1 delete, npx wrangler r2 bucket delete).`,
    ].join('\n'),
  );
}

function isLaterCell({ binding }: Resource): boolean {
  return /^CELL_[1-9]/.test(binding);
}

/**
 * Throws if the Worker wouldn't run near a new directory from its first request, because Smart Placement first needs
 * traffic. Also throws if its region belongs to a location other than the directory's.
 */
export function requirePlacement(resources: readonly Resource[], { location }: Options, tools: Tools): void {
  const { placement, vars = {} } = tools.config;
  const directory = resources.find(({ binding }) => binding === 'DIRECTORY');
  if (!directory || vars.JURISDICTION) return;
  const region = placement?.region;
  if (directory.exists && region === undefined) return;
  const directoryLocation = directory.exists ? findLocation(directory, tools).location : location;
  const expected = directoryLocation && REGIONS[directoryLocation];
  // Accepts a region that isn't in `REGIONS`, because someone chose it manually.
  const isOfAnother = Object.values(REGIONS).includes(region ?? '') && region !== expected;
  if (!expected || (region !== undefined && !isOfAnother)) return;
  throw new DeployError(
    [
      `The directory's location is ${directoryLocation}. Run the Worker near it: replace [placement] in wrangler.toml, commit, then run this again (docs/deploy.md, section 4):`,
      '  [placement]',
      `  region = "${expected}"`,
    ].join('\n'),
  );
}
