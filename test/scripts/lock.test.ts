import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { root } from '../../scripts/databases.ts';

interface LockedPackage {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
}

const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));

it('every dependency is pinned to one version', () => {
  const { dependencies, devDependencies } = readJson('package.json');
  const loose = Object.entries<string>({ ...dependencies, ...devDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version),
  );
  assert.deepEqual(loose, []);
});

it('the lockfile contains the hash of every package, but no registry URL', () => {
  const { '': _project, ...packages }: Record<string, LockedPackage> = readJson('package-lock.json').packages;
  for (const [path, { resolved, integrity, link }] of Object.entries(packages)) {
    assert.ok(!link && !resolved, `${path} must come from the registry by name; got ${resolved ?? 'a link'}`);
    assert.match(integrity ?? '', /^sha512-[\w+/]{86}==$/, path);
  }
});
