// Does what people do first: clone, install and run `npx wrangler`. CI runs this file with several versions of Node and
// npm, and `npm run test:long` runs it with those of this machine.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { root } from '../../scripts/databases.ts';
import { isLong } from '../browser/tier.ts';
import { checkDev, createTerminalEnvironment, deployToFakeAccount, emptyAccount } from './bare-commands.ts';

const readPackageFile = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'));

it('package.json allows exactly the install scripts that exist, because npm 12 blocks all others', () => {
  const { packages }: { packages: Record<string, { hasInstallScript?: true; resolved?: string }> } =
    readPackageFile('package-lock.json');
  const scripted = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  // The keys have no versions, because npm can't verify the version of a package without a URL in the lock file.
  assert.ok(Object.values(packages).every(({ resolved }) => resolved === undefined));
  assert.deepEqual(
    readPackageFile('package.json').allowScripts,
    Object.fromEntries(scripted.map((name) => [name, true])),
  );
});

it('a fresh clone serves the demo with `npx wrangler dev`, and `npx wrangler deploy` fails without publishing anything', {
  skip: !isLong && 'only in `npm run test:long` and CI, because it installs every package',
}, async (test) => {
  const folder = mkdtempSync(join(tmpdir(), 'edgework-clone-'));
  const run = (command: string, ...args: string[]) =>
    spawnSync(command, args, { cwd: folder, encoding: 'utf8', env: createTerminalEnvironment() });
  const registry = run('npm', 'view', 'wrangler', 'name', '--fetch-retries=0');
  if (registry.status !== 0) return test.skip(`the npm registry is unreachable: ${registry.stderr}`);
  try {
    test.diagnostic(`Node ${run('node', '--version').stdout.trim()}, npm ${run('npm', '--version').stdout}`);
    assertSuccess(run('git', 'clone', '--quiet', root, '.'));
    assertSuccess(run('npm', 'ci', '--no-audit', '--no-fund'));
    await checkDev(folder);
    const { status, output, changes } = await deployToFakeAccount(folder, emptyAccount);
    assert.notEqual(status, 0);
    assert.match(output, /MAIL_FROM.*Nothing was published. `npm run deploy` creates/s);
    assert.deepEqual(changes, []);
    assert.equal(run('git', 'status', '--porcelain').stdout, '', 'the commands change no tracked file');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function assertSuccess({ status, stdout, stderr }: ReturnType<typeof spawnSync>): void {
  assert.equal(status, 0, `${stdout}${stderr}`);
}
