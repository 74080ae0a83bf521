import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { interceptRequests } from './intercept.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { findAxeProblems, signInToWorkspace, visit, waitForFocus } from './visit.ts';

const { server, browser } = await openServerAndBrowser();
const { storageState, base } = await signInToWorkspace(browser, server.origin);

const openVisit = async (options = {}) => {
  const opened = await visit(browser, { storageState, reducedMotion: 'reduce', ...options });
  await opened.page.goto(base);
  return opened;
};
const openSearch = async (page: Page) => {
  await page.goto(`${base}/search`);
  await waitForFocus(page.getByRole('searchbox'));
};
const getFocusedText = (page: Page) =>
  page.evaluate(() => document.activeElement?.textContent?.trim() || document.activeElement?.tagName);
const findHeading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 });

test('typing "inv" on the search page and pressing Enter opens the People page', async () => {
  const { page, problems, close } = await openVisit();
  await page.keyboard.press('/');
  await page.getByRole('link', { name: 'New meeting' }).waitFor();
  assert.deepEqual(await findAxeProblems(page), []);
  await page.keyboard.type('inv');
  await page.getByRole('heading', { name: /^Commands/ }).waitFor();
  assert.deepEqual(await findAxeProblems(page), []);
  await page.keyboard.press('Enter');
  await findHeading(page, 'People').waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('pressing Enter before the results arrive opens a result for the typed text, not for the previous text', async () => {
  const { page, close } = await openVisit();
  await page.goto(`${base}/search`);
  let releaseRequest: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    releaseRequest = resolve;
  });
  await interceptRequests(page, '**/search?q=*', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('searchbox').fill('calen');
  await page.keyboard.press('Enter');
  await page.waitForTimeout(300);
  assert.match(page.url(), /\/search$/);
  releaseRequest();
  await findHeading(page, 'Calendar')
    .or(page.getByRole('heading', { name: /^\w+ \d{4}$/ }))
    .first()
    .waitFor();
  assert.match(page.url(), /\/calendar/);
  await close();
});

test('arrow keys move focus from the search field through all results and back, and Enter opens the focused result', async () => {
  const { page, problems, close } = await openVisit();
  await openSearch(page);
  await page.keyboard.type('team');
  await page.getByRole('heading', { name: /^Commands/ }).waitFor();
  await page.waitForURL(/q=team/);
  const rows = await page.locator('#found .rows :is(a, button)').count();
  assert.ok(rows >= 1);
  for (let step = 0; step < rows + 2; step += 1) await page.keyboard.press('ArrowDown');
  const last = await page.locator('#found .rows :is(a, button)').last().innerText();
  assert.equal(await getFocusedText(page), last.trim());
  for (let step = 0; step < rows + 2; step += 1) await page.keyboard.press('ArrowUp');
  assert.equal(await getFocusedText(page), 'INPUT');
  assert.equal(await page.getByRole('searchbox').inputValue(), 'team');
  await page.keyboard.press('ArrowDown');
  assert.equal(await getFocusedText(page), 'Teams');
  await page.keyboard.press('Enter');
  await findHeading(page, 'Teams').waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('a running timer can be stopped from the search page', async () => {
  const { page, problems, close } = await openVisit();
  await page.goto(`${base}/tasks/38`);
  await page.getByRole('button', { name: 'Start timer' }).click();
  await page.getByRole('form', { name: 'Running timer' }).waitFor();
  await openSearch(page);
  await page.keyboard.type('stop');
  await page.waitForURL(/q=stop/);
  await page.keyboard.press('Enter');
  await page.getByRole('form', { name: 'Running timer' }).waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('button', { name: 'Stop timer' }).count(), 0);
  assert.deepEqual(problems, []);
  await close();
});

test('without JavaScript, commands are links and buttons, and Enter submits the search', async () => {
  const { page, close } = await openVisit({ javaScriptEnabled: false });
  await page.goto(`${base}/search`);
  await page.getByRole('searchbox').fill('new pro');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'New project' }).click();
  await findHeading(page, 'New project').waitFor();
  await page.goto(`${base}/search?q=read`);
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await findHeading(page, 'Inbox').waitFor();
  await close();
});
