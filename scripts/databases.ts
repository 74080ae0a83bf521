import { createHash, createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface DeployedDatabase {
  readonly binding: string;
  readonly name: string;
  readonly migrations: string;
  /** The local id: `preview_database_id` or `database_id` in wrangler.toml, or else the binding name. */
  readonly id: string;
}

export const root = join(import.meta.dirname, '..');

export function readDatabases(): DeployedDatabase[] {
  const toml = readFileSync(join(root, 'wrangler.toml'), 'utf8');
  return toml
    .split(/^\[\[d1_databases\]\]$/m)
    .slice(1)
    .map((section) => section.split(/^\[/m)[0] ?? '')
    .map((section) => {
      const value = (name: string) => new RegExp(`^${name} = "(.*)"$`, 'm').exec(section)?.[1] ?? '';
      const binding = value('binding');
      return {
        binding,
        name: value('database_name'),
        migrations: value('migrations_dir'),
        id: value('preview_database_id') || value('database_id') || binding,
      };
    });
}

export function readAccountId(): string | undefined {
  return /^account_id = "(.*)"$/m.exec(readFileSync(join(root, 'wrangler.toml'), 'utf8'))?.[1];
}

export function getDatabaseFile(folder: string, id: string): string {
  const kind = 'miniflare-D1DatabaseObject';
  const key = createHash('sha256').update(kind).digest();
  const mac = (bytes: string | Buffer) => createHmac('sha256', key).update(bytes).digest().subarray(0, 16);
  const name = mac(id);
  return join(folder, 'd1', kind, `${Buffer.concat([name, mac(name)]).toString('hex')}.sqlite`);
}

/**
 * Changes whenever a database or migration is added, so an unchanged fingerprint means that there is nothing to apply.
 */
export function computeMigrationsFingerprint(): string {
  return readDatabases()
    .map(({ binding, migrations }) => `${binding}: ${readdirSync(join(root, migrations)).sort().join(' ')}`)
    .join('\n');
}
