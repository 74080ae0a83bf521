// Large third-party programs that are rarely needed, so they aren't dependencies. The first use installs exactly these
// versions into .wrangler/tools.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './databases.ts';

/** Installs the packages into the folder `name` if any is missing or outdated. Returns the folder of their programs. */
export function installTools(name: string, versions: Readonly<Record<string, string>>): string {
  const folder = join(root, '.wrangler', 'tools', name);
  const isThere = Object.entries(versions).every(
    ([each, version]) => findInstalledVersion(folder, each) === version,
  );
  if (!isThere) {
    const packages = Object.entries(versions).map(([each, version]) => `${each}@${version}`);
    console.log(`Installing ${packages.join(', ')} …`);
    const { status } = spawnSync(
      'npm',
      [
        'install',
        '--prefix',
        folder,
        '--no-audit',
        '--no-fund',
        '--ignore-scripts',
        '--loglevel=error',
        ...packages,
      ],
      { stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' },
    );
    if (status !== 0) throw new Error(`${packages.join(', ')} could not be installed; see the output above`);
  }
  return join(folder, 'node_modules', '.bin');
}

function findInstalledVersion(folder: string, name: string): string | null {
  const path = join(folder, 'node_modules', name, 'package.json');
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).version : null;
}
