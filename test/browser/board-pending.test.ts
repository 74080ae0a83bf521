import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addCard, findCard, findColumn } from './boards.ts';
import { holdFirstRequest, interceptRequests } from './intercept.ts';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { getWorkspaceUrl, signIn, visit } from './visit.ts';

const { server, browser } = await openServerAndBrowser();

const run = Date.now().toString(36);
const makeUnique = (name: string) => `${name} ${run}`;
const viewport = { width: 1280, height: 800 };

test('a moved card stays in its new column when the response to an earlier form arrives', async () => {
  const storageState = await signIn(browser, server.origin, demo.member);
  const { page, close } = await visit(browser, { storageState, viewport });
  await page.goto(`${await getWorkspaceUrl(page, server.origin)}/projects/1`);
  await addCard(page, makeUnique('Moved while saving'));
  const answered = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await interceptRequests(page, '**/tasks', async (route) => {
    const response = await route.fetch();
    answered.resolve();
    await held.promise;
    await route.fulfill({ response });
  });
  await findColumn(page, 'todo').getByPlaceholder('Add a task…').fill(makeUnique('Added slowly'));
  await page.keyboard.press('Enter');
  await answered.promise;
  const sent = await holdFirstRequest(page, '**/move');
  await findCard(page, makeUnique('Moved while saving')).locator('a').first().focus();
  await page.keyboard.press('4');
  const move = await sent.held;
  const received = page.waitForResponse('**/tasks');
  held.resolve();
  await received;
  await page.locator('form[aria-busy]:not(#move)').waitFor({ state: 'detached' });
  const moved = findColumn(page, 'client_review').locator('li', {
    hasText: makeUnique('Moved while saving'),
  });
  assert.equal(await moved.count(), 1);
  await move.continue();
  await findCard(page, makeUnique('Added slowly')).waitFor();
  await page.reload();
  assert.equal(await moved.count(), 1);
  await close();
});
