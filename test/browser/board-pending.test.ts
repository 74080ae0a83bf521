import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addCard, card, column, holdFirstRequest } from './boards.ts';
import { getWorkspaceUrl, signIn, visit } from './screens.ts';
import { demo } from './server.ts';
import { openStage } from './stage.ts';

const { server, browser } = await openStage();

/** Makes names unique, so that the file can run twice on one server. */
const run = Date.now().toString(36);
const makeUnique = (name: string) => `${name} ${run}`;
const viewport = { width: 1280, height: 800 };

test('a moved card stays in its new column when the response to an earlier form arrives', async () => {
  const storageState = await signIn(browser, server.origin, demo.member);
  const { page, close } = await visit(browser, { storageState, viewport });
  await page.goto(`${await getWorkspaceUrl(page, server.origin)}/projects/1`);
  await addCard(page, makeUnique('Moved meanwhile'));
  const answered = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await page.route('**/tasks', async (route) => {
    const response = await route.fetch();
    answered.resolve();
    await held.promise;
    await route.fulfill({ response });
  });
  await column(page, 'todo').getByPlaceholder('Add a task…').fill(makeUnique('Added slowly'));
  await page.keyboard.press('Enter');
  await answered.promise;
  const sent = await holdFirstRequest(page, '**/move');
  await card(page, makeUnique('Moved meanwhile')).locator('a').first().focus();
  await page.keyboard.press('4');
  const move = await sent.held;
  const received = page.waitForResponse('**/tasks');
  held.resolve();
  await received;
  await page.locator('form[aria-busy]:not(#move)').waitFor({ state: 'detached' });
  const moved = column(page, 'client_review').locator('li', { hasText: makeUnique('Moved meanwhile') });
  assert.equal(await moved.count(), 1);
  await move.continue();
  await card(page, makeUnique('Added slowly')).waitFor();
  await page.reload();
  assert.equal(await moved.count(), 1);
  await close();
});
