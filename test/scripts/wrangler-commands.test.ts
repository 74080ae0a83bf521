// Tests `npx wrangler` with the files of the working tree. fresh-clone.test.ts repeats two tests in a real clone.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { root } from '../../scripts/databases.ts';
import { type AccountAnswer, checkDev, deployToFakeAccount, emptyAccount } from './bare-commands.ts';

const workDirectory = mkdtempSync(join(tmpdir(), 'edgework-bare-'));

before(() => {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { status, stdout } = spawnSync('git', list, { cwd: root, encoding: 'utf8' });
  assert.equal(status, 0);
  for (const path of stdout.split('\0').filter(Boolean)) cpSync(join(root, path), join(workDirectory, path));
  symlinkSync(join(root, 'node_modules'), join(workDirectory, 'node_modules'));
});

after(() => rmSync(workDirectory, { recursive: true, force: true }));

it('`wrangler dev` serves the demo to the printed key and in a browser', () => checkDev(workDirectory));

it('`wrangler deploy` publishes nothing while wrangler.toml has the defaults, and explains what to do', async () => {
  const { status, output, changes } = await deployToFakeAccount(workDirectory, emptyAccount);
  assert.notEqual(status, 0);
  assert.match(output, /MAIL_FROM.*Nothing was published. `npm run deploy` creates/s);
  assert.deepEqual(changes, []);
});

it('`wrangler deploy` publishes nothing while secrets are missing, and lists them', async () => {
  const { status, output, changes } = await deployConfigured(emptyAccount);
  assert.notEqual(status, 0);
  assert.match(output, /npx wrangler secret put SESSION_SECRET.*Nothing was published/s);
  assert.deepEqual(changes, []);
});

it('`wrangler deploy` publishes nothing while databases, the bucket, queues or migrations are missing', async () => {
  const secrets = ['SESSION_SECRET', 'R2_ACCOUNT_ID', 'R2_ACCESS_KEY_ID', 'R2_SECRET_ACCESS_KEY'];
  const cell = { uuid: 'cell', name: 'edgework-cell-0' };
  const { status, output, changes } = await deployConfigured((path) => {
    if (path.endsWith('/secrets')) return secrets.map((name) => ({ name, type: 'secret_text' }));
    if (path.endsWith('/d1/database')) return [cell];
    if (path.endsWith(`/d1/database/${cell.name}`)) return cell;
    if (path.endsWith('/query')) return [{ results: [], success: true, meta: {} }];
    return path.includes('/r2/buckets/') ? null : emptyAccount(path);
  });
  assert.notEqual(status, 0);
  const lists = [
    'databases do not exist:.*DIRECTORY: edgework-directory',
    'buckets do not exist:.*FILES: edgework-files',
    'queues do not exist:.*edgework-mail-transactional.*edgework-mail-notifications.*edgework-mail-dead',
    'databases have pending migrations:.*CELL_0: edgework-cell-0',
    'Nothing was published. `npm run deploy` creates what is missing',
  ];
  assert.match(output, new RegExp(lists.join('.*'), 's'));
  // This request changes nothing: Wrangler sends it to list the migrations.
  assert.deepEqual(
    changes.filter((each) => each !== `POST /accounts/account/d1/database/${cell.uuid}/query`),
    [],
  );
});

/** Deploys with a sender address that isn't the template's, because `wrangler deploy` would otherwise stop earlier. */
async function deployConfigured(answer: AccountAnswer) {
  const path = join(workDirectory, 'wrangler.toml');
  const original = readFileSync(path, 'utf8');
  writeFileSync(path, original.replace('no-reply@example.com', 'no-reply@edgework.dev'));
  try {
    return await deployToFakeAccount(workDirectory, answer);
  } finally {
    writeFileSync(path, original);
  }
}
