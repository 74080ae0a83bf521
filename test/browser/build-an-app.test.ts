// Runs the example app of docs/build-an-app.md in a separate process, with the consent page in a real browser.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../scripts/databases.ts';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';

const folder = mkdtempSync(join(tmpdir(), 'edgework-app-'));
const { server, browser } = await openServerAndBrowser(async () =>
  rmSync(folder, { recursive: true, force: true }),
);

/**
 * Starts the example app. `waitForOutput` returns the first output that matches a pattern. `ended` waits until the app
 * exits, and returns its exit code and all output.
 */
function run(...args: string[]) {
  const script = join(root, 'docs', 'examples', 'my-tasks.mjs');
  const child = spawn(process.execPath, [script, server.origin, ...args], { cwd: folder });
  const exit = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part) => {
      output += part;
    });
  }
  const waitForOutput = async (what: RegExp) => {
    for (;;) {
      const [found] = what.exec(output) ?? [];
      if (found !== undefined) return found;
      await Promise.race([once(child.stdout, 'data'), exit]);
      assert.equal(child.exitCode, null, output);
    }
  };
  return { waitForOutput, ended: async () => ({ code: (await exit)[0], output }) };
}

test('the example app signs in, lists tasks, stores its token and revokes it', async () => {
  const first = run();
  const page = await browser.newPage();
  await page.goto(await first.waitForOutput(/http\S+\/authorize\S+/));
  await page.fill('#email', demo.owner);
  await page.fill('#password', demo.password);
  await page.press('#password', 'Enter');
  await page.getByRole('heading', { name: 'Connect My tasks?' }).waitFor();
  await page.locator('#workspace').selectOption({ label: 'Northwind Studio' });
  await page.locator('button[value="approve"]').click();
  await page.getByText('You can close this page.').waitFor();
  const { code, output } = await first.ended();
  assert.equal(code, 0, output);
  assert.match(output, /Open tasks of Mara Lindqvist in Northwind Studio:\n#\d+ /);

  const second = await run().ended();
  assert.match(second.output, /^Open tasks of /);
  assert.equal((await run('sign-out').ended()).output, 'Signed out.\n');
  const third = run();
  await page.goto(await third.waitForOutput(/http\S+\/authorize\S+/));
  await page.locator('button[value="refuse"]').click();
  await page.getByText('You can close this page.').waitFor();
  const rejected = await third.ended();
  assert.equal(rejected.code, 1);
  assert.match(rejected.output, /access_denied/);
});
