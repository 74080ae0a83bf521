import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../databases.ts';
import type { Lock } from './lock.ts';

/** Asks nothing of whoever ships the worker but to keep a notice. */
const shippedLicences = new Set([
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'Unlicense',
  'BlueOak-1.0.0',
]);
/** Tools on the developer's machine, of which nothing is passed on. */
const toolLicences = new Set([
  ...shippedLicences,
  'CC0-1.0',
  'MPL-2.0',
  'LGPL-3.0-or-later',
  'Python-2.0',
  'CC-BY-4.0',
]);

/** @param licenceOf of the installed package at a path of the lock file; null where it is not installed here. */
export function findLicenceProblems(
  packages: Lock['packages'],
  licenceOf: (path: string) => unknown,
): string[] {
  return Object.entries(packages).flatMap(([path, entry]) => {
    if (path === '') return [];
    const isTool = Boolean(entry.dev || entry.devOptional);
    const licence = licenceOf(path) ?? entry.license;
    // Packages of other platforms are not here to be read.
    if (licence === undefined && entry.optional) return [];
    if (isAllowed(licence, isTool ? toolLicences : shippedLicences)) return [];
    const where = isTool ? 'for tools' : 'for what is shipped';
    return [
      `${path}: the licence '${licence ?? 'none'}' is not on the list ${where} (scripts/audit/licences.ts)`,
    ];
  });
}

/** Of `A OR B` one will do, of `A AND B` all must be allowed. */
function isAllowed(licence: unknown, allowed: ReadonlySet<string>): boolean {
  if (typeof licence !== 'string') return false;
  const text = licence.replace(/[()]/g, '');
  return text
    .split(/\s+OR\s+/)
    .some((option) => option.split(/\s+AND\s+/).every((each) => allowed.has(each)));
}

export function installedLicence(path: string): unknown {
  const manifest = join(root, path, 'package.json');
  return existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')).license ?? null) : null;
}
