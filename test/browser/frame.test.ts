import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { signInToWorkspace, visit } from './visit.ts';

const { server, browser } = await openServerAndBrowser();
const { storageState, base } = await signInToWorkspace(browser, server.origin, demo.member);

test("a page that fits the window doesn't scroll, with or without a running timer", async () => {
  const { page, close } = await visit(browser, { storageState, viewport: { width: 1280, height: 800 } });
  const measureHeights = async () => {
    const found: Record<string, number> = {};
    for (const path of ['/filters', '/projects/1']) {
      await page.goto(base + path);
      found[path] = await page.evaluate(() => document.documentElement.scrollHeight);
    }
    return found;
  };
  const fits = { '/filters': 800, '/projects/1': 800 };
  assert.deepEqual(await measureHeights(), fits);
  await page.goto(`${base}/tasks/38`);
  await page.getByRole('button', { name: 'Start timer' }).click();
  await page.getByRole('form', { name: 'Running timer' }).waitFor();
  assert.deepEqual(await measureHeights(), fits);
  await page.getByRole('button', { name: 'Stop timer' }).click();
  await page.getByRole('form', { name: 'Running timer' }).waitFor({ state: 'detached' });
  await close();
});
