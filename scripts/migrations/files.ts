import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { root } from '../databases.ts';
import { checkMigration } from './sql.ts';

/**
 * `npm run deploy` writes the checksums of applied migrations to this file. A migration that isn't in the file is a
 * draft that can change. The Git history can't replace this file, because shallow clones don't have it.
 */
export const APPLIED_FILE = 'migrations/applied.json';

export interface Migration {
  /** Relative to the root of the project, with slashes. */
  readonly path: string;
  readonly text: string;
}

type AppliedChecksums = Readonly<Record<string, string>>;

export function readMigrations(): Migration[] {
  return readdirSync(join(root, 'migrations'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => path !== APPLIED_FILE)
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

export function readApplied(): AppliedChecksums {
  const path = join(root, APPLIED_FILE);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

export function computeChecksum(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function checkMigrations(files: readonly Migration[], applied: AppliedChecksums = {}): string[] {
  const found = files.flatMap(({ path, text }) => checkMigration(path, text));
  for (const folder of new Set(files.map(({ path }) => dirname(path)))) {
    const members = files.filter(({ path }) => dirname(path) === folder);
    members.forEach(({ path }, index) => {
      const number = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(basename(path))?.[1];
      const expected = String(index + 1).padStart(4, '0');
      if (number === undefined) found.push(`${path}:1  is not named like ${expected}_what_it_adds.sql`);
      else if (number !== expected) {
        found.push(
          `${path}:1  has the number ${number} but ${expected} comes next; gaps and duplicates make migrations run out of order`,
        );
      }
    });
  }
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  for (const [path, sum] of Object.entries(applied)) {
    const text = texts.get(path);
    if (text === undefined) found.push(`${path}:1  was applied by a deployment but is missing; restore it`);
    else if (computeChecksum(text) !== sum) {
      found.push(
        `${path}:1  was applied by a deployment but has changed since; restore it, and add a migration`,
      );
    }
  }
  return found;
}
