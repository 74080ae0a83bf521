// The migrations as files: their order, and which of them a deployment has applied.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { root } from '../databases.ts';
import { checkMigration } from './sql.ts';

/**
 * What deployments have applied, by checksum: `npm run deploy` writes it. Until then a migration is a draft and may
 * change. A checksum of every file at every commit would freeze drafts and be renewed by habit, and so prove nothing;
 * the history of git is missing from a shallow clone.
 */
export const APPLIED = 'migrations/applied.json';

export interface Migration {
  /** From the root of the project, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** Checksums by path. */
type Applied = Readonly<Record<string, string>>;

/** Every migration with its text, the folders and numbers in order. */
export function readMigrations(): Migration[] {
  return readdirSync(join(root, 'migrations'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => path !== APPLIED)
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

export function readApplied(): Applied {
  const path = join(root, APPLIED);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

export function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The problems of all migrations: each by itself, their numbers, and whether an applied one was touched. */
export function checkMigrations(files: readonly Migration[], applied: Applied = {}): string[] {
  const found = files.flatMap(({ path, text }) => checkMigration(path, text));
  for (const folder of new Set(files.map(({ path }) => dirname(path)))) {
    const members = files.filter(({ path }) => dirname(path) === folder);
    members.forEach(({ path }, index) => {
      const number = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(basename(path))?.[1];
      const expected = String(index + 1).padStart(4, '0');
      if (number === undefined) found.push(`${path}:1  is not named like ${expected}_what_it_adds.sql`);
      else if (number !== expected) {
        found.push(
          `${path}:1  has the number ${number} where ${expected} comes next; a gap or a pair runs out of order`,
        );
      }
    });
  }
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  for (const [path, sum] of Object.entries(applied)) {
    const text = texts.get(path);
    if (text === undefined) found.push(`${path}:1  was applied by a deployment and is gone; put it back`);
    else if (checksum(text) !== sum) {
      found.push(
        `${path}:1  was applied by a deployment and has changed since; put it back, and add a migration`,
      );
    }
  }
  return found;
}
