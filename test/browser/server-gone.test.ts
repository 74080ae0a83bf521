// The server dies while somebody works: they are told, nothing typed is lost, and all goes on without a reload.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import {
  type PreparedServer,
  prepareServer,
  type RunningServer,
  startServer,
} from '../../scripts/own-server.ts';
import { launchChromium } from './chromium.ts';
import { baseOf, signIn, visit } from './screens.ts';
import { demo } from './server.ts';

const MIB = 1024 * 1024;
let prepared: PreparedServer;
let server: RunningServer;
let browser: Browser;
let folder: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'edgework-gone-'));
  prepared = await prepareServer('gone-test');
  server = await startServer(prepared);
  browser = await launchChromium();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  prepared?.remove();
  rmSync(folder, { recursive: true });
});

test('a comment and a file outlive a server that is killed', async () => {
  const storageState = await signIn(browser, prepared.origin, demo.member);
  const { page, close } = await visit(browser, { storageState });
  const task = `${await baseOf(page, prepared.origin)}/tasks/38`;
  const path = join(folder, 'film.bin');
  writeFileSync(path, Buffer.alloc(18 * MIB, 'Edgework loses nothing. '));
  const slow = await page.context().newCDPSession(page);
  await slow.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 3 * MIB,
  });
  await page.goto(task);
  await page.evaluate(() => document.documentElement.setAttribute('data-never-reloaded', ''));
  const field = page.locator('#new-comment');
  const send = page.getByRole('button', { name: 'Comment', exact: true });
  await field.fill('Half a thought');
  await page.getByText('Edit the description').click();
  const description = page.locator('.editor').getByRole('textbox', { name: 'Description' });
  await description.fill('Half a plan');
  await page.locator('input[type="file"]').setInputFiles(path);
  const row = page.locator('#uploads li', { hasText: 'film.bin' });
  // The first chunk is stored, the second is on its way.
  await page.waitForResponse((answer) => answer.url().endsWith('/parts/1'));

  await server.kill();
  await row.getByText('the server does not answer').waitFor();
  await field.pressSequentially(', and the rest');
  await send.click();
  await page.getByText('did not reach the server').waitFor();
  assert.equal(await field.inputValue(), 'Half a thought, and the rest');
  await description.press('End');
  await description.pressSequentially(', and its end');
  await description.press('ControlOrMeta+Enter');
  await page.locator('form[aria-busy]').waitFor({ state: 'detached' });

  server = await startServer(prepared);
  const file = page.locator('.files .panel:not(.uploads) li', { hasText: 'film.bin' });
  await file.waitFor({ timeout: 60_000 });
  assert.equal(await field.inputValue(), 'Half a thought, and the rest');
  await send.click();
  const comment = page.locator('.comment .text', { hasText: 'Half a thought, and the rest' });
  await comment.waitFor();
  assert.deepEqual([await comment.count(), await field.inputValue(), await row.count()], [1, '', 0]);
  await description.press('ControlOrMeta+Enter');
  await page.locator('.section > .rich', { hasText: 'Half a plan, and its end' }).waitFor();
  assert.equal(await page.locator('html[data-never-reloaded]').count(), 1);
  await close();
});
