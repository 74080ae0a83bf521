import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { signInToWorkspace, visit } from './visit.ts';

const { server, browser } = await openServerAndBrowser();
const missingTaskPath = '/tasks/999999999';
const { storageState, base } = await signInToWorkspace(browser, server.origin, demo.member);

test('commenting on a removed task shows an error and keeps the typed text', async () => {
  const { page, close } = await visit(browser, { storageState });
  await page.goto(`${base}/tasks/38`);
  const title = await page.getByRole('heading', { level: 1 }).textContent();
  const field = page.getByRole('textbox', { name: 'Your comment' }).first();
  await field.fill('Too late');
  await field.evaluate(
    ({ form }: HTMLTextAreaElement, to) => {
      const back = form?.elements.namedItem('back');
      if (back instanceof HTMLInputElement) back.value = to;
      form?.setAttribute('action', `${to}/comments`);
    },
    new URL(base + missingTaskPath).pathname,
  );
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  await page.locator('#toast', { hasText: /\w/ }).waitFor();
  assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), title);
  assert.equal(await field.inputValue(), 'Too late');
  await close();
});

test('a 404 page has the sidebar on desktops and phones', async () => {
  for (const width of [1280, 390]) {
    const { page, close } = await visit(browser, { storageState, viewport: { width, height: 800 } });
    await page.goto(base + missingTaskPath);
    if (width === 390) await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Projects' }).click();
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    await close();
  }
});
