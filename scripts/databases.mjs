import { createHash, createHmac } from 'node:crypto';
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
      const binding = value('binding');
      return {
        binding,
        name: value('database_name'),
        migrations: value('migrations_dir'),
        /** On this machine: of the database that is bound, or the binding where wrangler.toml names none. */
        id: value('preview_database_id') || value('database_id') || binding,
      };
    });
}

/** The account that wrangler.toml names; undefined where it names none. */
export function readAccountId() {
  return /^account_id = "(.*)"$/m.exec(readFileSync(join(root, 'wrangler.toml'), 'utf8'))?.[1];
}

/** Where the runtime keeps the database of an id: it names the file after it. */
export function databaseFile(folder, id) {
  const kind = 'miniflare-D1DatabaseObject';
  const key = createHash('sha256').update(kind).digest();
  const mac = (bytes) => createHmac('sha256', key).update(bytes).digest().subarray(0, 16);
  const name = mac(id);
  return join(folder, 'd1', kind, `${Buffer.concat([name, mac(name)]).toString('hex')}.sqlite`);
}

/** Changes whenever a database or a migration is added, so that an unchanged set need not be applied again. */
export function migrationsFingerprint() {
  return readDatabases()
    .map(({ binding, migrations }) => `${binding}: ${readdirSync(join(root, migrations)).sort().join(' ')}`)
    .join('\n');
}
