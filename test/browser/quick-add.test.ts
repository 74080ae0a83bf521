import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { pollUntil } from '../support/timeout.ts';
import { endInterceptions, interceptRequests } from './intercept.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { findAxeProblems, signInToWorkspace, visit, waitForFocus } from './visit.ts';

const { server, browser } = await openServerAndBrowser();
const mark = Date.now().toString(36);
const makeUnique = (name: string) => `${name} ${mark}`;
// The lead has few tasks, so all of them fit on the page.
const { storageState, base } = await signInToWorkspace(browser, server.origin, 'lead@demo.test');

const openList = async (options = {}) => {
  const opened = await visit(browser, { storageState, reducedMotion: 'reduce', ...options });
  await opened.page.goto(base);
  return {
    ...opened,
    field: findField(opened.page),
    reading: opened.page.locator('#understood .preview-text'),
  };
};
const findField = (page: Page) => page.getByRole('textbox', { name: 'Task name' });
const isFocused = (page: Page) => findField(page).evaluate((field) => field === document.activeElement);
const findRow = (page: Page, name: string) => page.locator('.rows .row-name', { hasText: name });

/** Delays requests until the returned function releases them. */
async function holdRequests(page: Page, method: 'GET' | 'POST') {
  const held: Route[] = [];
  let isHeld = true;
  await interceptRequests(page, '**/tasks/add*', (route) =>
    isHeld && route.request().method() === method ? void held.push(route) : route.continue(),
  );
  return Object.assign(
    async () => {
      isHeld = false;
      await Promise.all(held.splice(0).map((route) => route.continue()));
    },
    { hasRequest: () => held.length > 0 },
  );
}

test('quick add previews the task while it is typed, creates it on Enter, and clears the field', async () => {
  const { page, field, reading, problems, close } = await openList();
  await field.focus();
  await page.keyboard.type(`${makeUnique('Report')}, @jonas, tomorrow, high`);
  await reading.getByText(/Jonas Weber · .* · High priority · /).waitFor();
  assert.deepEqual(await findAxeProblems(page), []);
  assert.equal(await page.getByText('Add details after commas').isVisible(), false);
  await page.keyboard.press('Enter');
  await page.getByText(`Added: ${makeUnique('Report')} · Jonas Weber`).waitFor();
  assert.equal(await field.inputValue(), '');
  assert.equal(await reading.count(), 0);
  await page.getByText('Add details after commas').waitFor();
  assert.ok(await isFocused(page));
  await page.keyboard.type(`${makeUnique('Own')}, low`);
  await reading.getByText('Low priority').waitFor();
  await page.keyboard.press('Enter');
  await findRow(page, makeUnique('Own')).waitFor();
  assert.ok(await isFocused(page));
  assert.deepEqual(problems, []);
  await close();
});

test('quick add previews and creates a repeating task with a due time and tags, and fits a 390 px phone', async () => {
  const { page, field, reading, problems, close } = await openList({
    viewport: { width: 390, height: 800 },
  });
  await field.focus();
  await page.keyboard.type(`${makeUnique('Review')}, every friday 17:30, +${makeUnique('tag')}, high, then`);
  await page.locator('#understood .preview-note', { hasText: '“high” is part of the name' }).waitFor();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  assert.deepEqual(await findAxeProblems(page), []);
  for (let press = 0; press < ', then'.length; press += 1) await page.keyboard.press('Backspace');
  await reading.getByText(/Fri .* 17:30 · Every Friday · High priority · New tag /).waitFor();
  assert.equal(await page.locator('#understood .preview-note').count(), 0);
  await page.keyboard.press('Enter');
  await page.getByText(/Added: Review .* 17:30 · Every Friday · High priority/).waitFor();
  assert.equal(await field.inputValue(), '');
  assert.deepEqual(problems, []);
  await close();
});

test("quick add creates the task on Enter even if the preview hasn't arrived", async () => {
  const { page, field, reading, problems, close } = await openList();
  const release = await holdRequests(page, 'GET');
  await field.fill(`${makeUnique('Early')}, in 3 days, @jo`);
  // Waits until the preview is requested, as if the person paused.
  await pollUntil(release.hasRequest);
  await field.press('End');
  await page.keyboard.type('nas w');
  await page.keyboard.press('Enter');
  await page.getByText(`Added: ${makeUnique('Early')} · Jonas Weber`).waitFor();
  await release();
  await page.waitForTimeout(200);
  assert.equal(await reading.count(), 0);
  assert.deepEqual(problems, []);
  await close();
});

test('quick add accepts the text of the next task while a task is being saved', async () => {
  const { page, field, problems, close } = await openList();
  const release = await holdRequests(page, 'POST');
  await field.fill(`${makeUnique('First')}, low`);
  await field.press('Enter');
  await page.keyboard.type(`${makeUnique('Second')}, high`);
  await release();
  await findRow(page, makeUnique('First')).waitFor();
  assert.equal(await field.inputValue(), `${makeUnique('Second')}, high`);
  await page.locator('#understood').getByText('High priority').waitFor();
  await field.press('Enter');
  await findRow(page, makeUnique('Second')).waitFor();
  assert.equal(await field.inputValue(), '');
  assert.deepEqual(problems, []);
  await close();
});

test('quick add queues tasks submitted while another is being saved, and keeps unfinished text in the field', async () => {
  const { page, field, problems, close } = await openList();
  const release = await holdRequests(page, 'POST');
  await field.fill(makeUnique('One'));
  await field.press('Enter');
  for (const name of ['Two', 'Three']) {
    await page.keyboard.type(`${makeUnique(name)}, low`);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
  }
  await page.keyboard.type(makeUnique('Fou'));
  await release();
  for (const name of ['One', 'Two', 'Three']) await findRow(page, makeUnique(name)).waitFor();
  await page.keyboard.type('r');
  assert.equal(await field.inputValue(), `${makeUnique('Fou')}r`);
  for (const name of ['One', 'Two', 'Three']) assert.equal(await findRow(page, makeUnique(name)).count(), 1);
  assert.deepEqual(problems, []);
  await close();
});

test('after an error, quick add sends no queued task until the person submits again', async () => {
  const { page, field, close } = await openList();
  const release = await holdRequests(page, 'POST');
  await field.fill(`${makeUnique('Bad')}, @nobody known`);
  await field.press('Enter');
  await page.keyboard.type(makeUnique('After'));
  await page.keyboard.press('Enter');
  await release();
  await page.locator('.problem', { hasText: 'No one matches' }).waitFor();
  await page.waitForTimeout(300);
  assert.equal(await field.inputValue(), `${makeUnique('Bad')}, @nobody known`);
  assert.equal(await findRow(page, makeUnique('After')).count(), 0);
  await field.fill(makeUnique('Good'));
  await field.press('Enter');
  await findRow(page, makeUnique('Good')).waitFor();
  assert.equal(await field.inputValue(), makeUnique('After'));
  await field.press('Enter');
  await findRow(page, makeUnique('After')).waitFor();
  assert.equal(await field.inputValue(), '');
  await close();
});

test('quick add returns rejected text to the field with an error, ahead of text typed later', async () => {
  const { page, field, problems, close } = await openList();
  const release = await holdRequests(page, 'POST');
  await field.fill(`${makeUnique('Wrong')}, @nobody known`);
  await field.press('Enter');
  await page.keyboard.type(makeUnique('Later'));
  await release();
  await page.locator('.problem', { hasText: 'No one matches “nobody known”.' }).waitFor();
  assert.equal(await field.inputValue(), `${makeUnique('Wrong')}, @nobody known`);
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  assert.deepEqual(await findAxeProblems(page), []);
  assert.equal(await page.getByText('No one matches').filter({ visible: true }).count(), 1);
  await field.fill(`${makeUnique('Wrong')}, @jonas`);
  assert.equal(await page.locator('.problem').count(), 0);
  await field.press('Enter');
  await page.getByText(`Added: ${makeUnique('Wrong')} · Jonas Weber`).waitFor();
  assert.equal(await field.inputValue(), makeUnique('Later'));
  // The browser logs the 400 response as an error.
  assert.deepEqual(
    problems.filter((each) => !/status of 400/.test(each)),
    [],
  );
  await close();
});

test('quick add keeps the text in the field when the request fails', async () => {
  const { page, field, close } = await openList();
  await interceptRequests(page, '**/tasks/add*', (route) => route.abort());
  await field.fill(makeUnique('Lost'));
  await field.press('Enter');
  await page.getByText('reach the server').waitFor();
  assert.equal(await field.inputValue(), makeUnique('Lost'));
  await endInterceptions(page);
  await field.press('Enter');
  await findRow(page, makeUnique('Lost')).waitFor();
  await close();
});

test('quick add keeps the text and its preview when the page refreshes', async () => {
  const { page, field, reading, close } = await openList();
  await field.fill(`${makeUnique('Kept')}, high`);
  await reading.getByText('High priority').waitFor();
  const other = await openList();
  await other.field.fill(makeUnique('From elsewhere'));
  await other.field.press('Enter');
  await findRow(page, makeUnique('From elsewhere')).waitFor();
  assert.equal(await field.inputValue(), `${makeUnique('Kept')}, high`);
  await reading.getByText('High priority').waitFor();
  await other.close();
  await close();
});

test('quick add previews and creates a task without JavaScript', async () => {
  const { page, field, reading, close } = await openList({ javaScriptEnabled: false });
  await field.fill(`${makeUnique('Seen')}, @jonas, high`);
  await page.getByRole('button', { name: 'Preview' }).click();
  await reading.getByText(/Jonas Weber · High priority/).waitFor();
  assert.equal(await field.inputValue(), `${makeUnique('Seen')}, @jonas, high`);
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByText(`Added: ${makeUnique('Seen')} · Jonas Weber`).waitFor();
  await page.getByRole('heading', { name: 'My work' }).waitFor();
  await waitForFocus(field);
  // Enter creates the task without a preview.
  await field.fill(`${makeUnique('At once')}, low`);
  await field.press('Enter');
  await findRow(page, makeUnique('At once')).waitFor();
  await close();
});
