// Databases and buckets that are not there yet.

import { Refusal } from './configuration.ts';
import { LOCATIONS, type Options } from './options.ts';
import { readJson, type Tools } from './tools.ts';

const NO_SUCH_BUCKET = /10006|does not exist/;

export function createDatabases(options: Options, { config, wrangler, run, say }: Tools): void {
  const { status, stdout, stderr } = wrangler('d1', 'list', '--json');
  const known = readJson<{ name: string }[]>(stdout);
  if (status !== 0 || !known) throw new Refusal(`The databases could not be listed:\n${stderr}`);
  const existing = new Set(known.map(({ name }) => name));
  for (const { binding, database_name: name = '', database_id: id } of config.d1_databases ?? []) {
    if (id || existing.has(name)) {
      say(`${binding}: ${name} is there`);
      continue;
    }
    say(`${binding}: creating ${name}`);
    run('d1', 'create', name, ...requirePlace(options, `the database ${name}`));
  }
}

export function createBuckets(options: Options, { config, wrangler, run, say }: Tools): void {
  for (const { binding, bucket_name: name = '', jurisdiction } of config.r2_buckets ?? []) {
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
function requirePlace({ location, jurisdiction }: Options, what: string): string[] {
  if (jurisdiction) return ['--jurisdiction', jurisdiction];
  if (location) return ['--location', location];
  throw new Refusal(
    `Say where to create ${what}, near most of your users: --location ${LOCATIONS.join('|')} (docs/deploy.md, section 4).`,
  );
}
