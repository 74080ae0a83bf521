import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The D1 databases of wrangler.toml: the directory and every cell, each with its folder of migrations. */
export function readDatabases() {
  const toml = readFileSync(join(root, 'wrangler.toml'), 'utf8');
  return toml
    .split(/^\[\[d1_databases\]\]$/m)
    .slice(1)
    .map((section) => section.split(/^\[/m)[0] ?? '')
    .map((section) => {
      const value = (name) => new RegExp(`^${name} = "(.*)"$`, 'm').exec(section)?.[1] ?? '';
      return { binding: value('binding'), name: value('database_name'), migrations: value('migrations_dir') };
    });
}

/** Changes whenever a database or a migration is added, so that an unchanged set need not be applied again. */
export function migrationsFingerprint() {
  return readDatabases()
    .map(({ binding, migrations }) => `${binding}: ${readdirSync(join(root, migrations)).sort().join(' ')}`)
    .join('\n');
}
