import type { Configuration } from './configuration.ts';
import { DeployError } from './configuration.ts';
import { LOCATIONS, type Options } from './options.ts';
import { readJson, type Tools } from './tools.ts';

const MISSING_BUCKET_PATTERN = /10006|does not exist/;
const MISSING_QUEUE_PATTERN = /does not exist/;

export interface Resource {
  readonly kind: 'database' | 'bucket';
  readonly binding: string;
  readonly name: string;
  readonly exists: boolean;
  /** Undefined if unknown; null if the resource has no jurisdiction. */
  readonly jurisdiction?: string | null | undefined;
  /** A value of `--location`. Undefined if unknown. */
  readonly location?: string | undefined;
}

interface ListedDatabase {
  readonly uuid?: string;
  readonly name: string;
  readonly jurisdiction?: string | null;
}

export function findResources(tools: Tools): Resource[] {
  return [...findDatabases(tools), ...findBuckets(tools)];
}

function findDatabases({ config, wrangler }: Tools): Resource[] {
  const { status, stdout, stderr } = wrangler('d1', 'list', '--json');
  const known = readJson<ListedDatabase[]>(stdout);
  if (status !== 0 || !known) throw new DeployError(`The databases could not be listed:\n${stderr}`);
  return (config.d1_databases ?? []).map(({ binding, database_name: name = '', database_id: id }) => {
    const listed = known.find((each) => (id ? each.uuid === id : each.name === name));
    const exists = Boolean(id || listed);
    return { kind: 'database', binding, name, exists, jurisdiction: listed?.jurisdiction };
  });
}

function findBuckets({ config, wrangler }: Tools): Resource[] {
  return (config.r2_buckets ?? []).map(({ binding, bucket_name: name = '', jurisdiction = null }) => {
    const find = (...within: string[]) => {
      const { status, stdout, stderr } = wrangler('r2', 'bucket', 'info', name, '--json', ...within);
      if (status === 0) return readJson<{ location?: string }>(stdout) ?? {};
      const reason = `${stdout}\n${stderr}`;
      if (MISSING_BUCKET_PATTERN.test(reason)) return null;
      throw new DeployError(`The bucket ${name} could not be looked up:\n${reason.trim()}`);
    };
    const found = find(...(jurisdiction ? ['--jurisdiction', jurisdiction] : []));
    const bucket = { kind: 'bucket', binding, name } as const;
    if (found) return { ...bucket, exists: true, jurisdiction, location: toLocation(found.location) };
    // Also looks outside the jurisdiction. Otherwise, the deployment would create a second, empty bucket of this name.
    const isOutside = jurisdiction !== null && find() !== null;
    return { ...bucket, exists: isOutside, jurisdiction: null };
  });
}

/** Adds a database's location. Runs a wrangler command, so call it only if the location matters. */
export function findLocation(resource: Resource, { wrangler }: Tools): Resource {
  if (resource.kind !== 'database' || !resource.exists) return resource;
  const { status, stdout } = wrangler('d1', 'info', resource.name, '--json');
  const info = status === 0 ? readJson<{ running_in_region?: string }>(stdout) : null;
  return { ...resource, location: toLocation(info?.running_in_region) };
}

function toLocation(region: string | undefined): string | undefined {
  const location = region?.toLowerCase() ?? '';
  return LOCATIONS.includes(location) ? location : undefined;
}

export function createMissingResources(
  resources: readonly Resource[],
  options: Options,
  { config, run, print }: Tools,
): void {
  const missing = resources.filter(({ exists }) => !exists);
  for (const { binding, name } of resources.filter(({ exists }) => exists))
    print(`${binding}: ${name} exists`);
  const [first] = missing;
  if (!first) return;
  const locationFlags = buildLocationFlags(options, config, `the ${first.kind} ${first.name}`);
  for (const { kind, binding, name } of missing) {
    print(`${binding}: creating ${name}`);
    run(...(kind === 'database' ? ['d1', 'create'] : ['r2', 'bucket', 'create']), name, ...locationFlags);
  }
}

export function findQueues({ config, wrangler }: Tools): { name: string; exists: boolean }[] {
  return [...listQueueNames(config)].map((name) => {
    const { status, stdout, stderr } = wrangler('queues', 'info', name);
    if (status === 0) return { name, exists: true };
    const reason = `${stdout}\n${stderr}`;
    if (MISSING_QUEUE_PATTERN.test(reason)) return { name, exists: false };
    throw new DeployError(`The queue ${name} could not be looked up:\n${reason.trim()}`);
  });
}

export function createQueues(tools: Tools): void {
  const { run, print } = tools;
  for (const { name, exists } of findQueues(tools)) {
    print(exists ? `${name} exists` : `creating ${name}`);
    if (!exists) run('queues', 'create', name);
  }
}

function listQueueNames({ queues: { producers = [], consumers = [] } = {} }: Configuration): Set<string> {
  const dead = consumers.flatMap(({ dead_letter_queue: name }) => name ?? []);
  return new Set([...producers, ...consumers].flatMap(({ queue }) => queue ?? []).concat(dead));
}

/** Requires a jurisdiction or a location, because moving a database later means copying it. */
function buildLocationFlags({ location }: Options, { vars = {} }: Configuration, what: string): string[] {
  if (vars.JURISDICTION) return ['--jurisdiction', String(vars.JURISDICTION)];
  if (location) return ['--location', location];
  throw new DeployError(
    `Say where to create ${what}, near most of your users: --location ${LOCATIONS.join('|')} (docs/deploy.md, section 4).`,
  );
}
