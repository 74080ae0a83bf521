import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { pollUntil } from '../support/hang.ts';
import { addCard, card, chooseFilter, column } from './boards.ts';
import { getWorkspaceUrl, signIn, visit } from './screens.ts';
import { demo } from './server.ts';
import { openStage } from './stage.ts';

const { server, browser } = await openStage();

/** Makes names unique, so that the file can run twice on one server. */
const run = Date.now().toString(36);
const makeUnique = (name: string) => `${name} ${run}`;
const viewport = { width: 1280, height: 800 };

test('cards can be reordered by mouse, by keyboard and without JavaScript, and other browsers show the new order', async () => {
  const storageState = await signIn(browser, server.origin, demo.member);
  const { page, problems } = await visit(browser, { storageState, viewport });
  const other = await visit(browser, { storageState, viewport });
  const plain = await visit(browser, { storageState, viewport, javaScriptEnabled: false });
  const board = `${await getWorkspaceUrl(page, server.origin)}/projects/1`;
  // The filter hides the cards of other tests.
  await page.goto(board);
  await chooseFilter(page, 'Priority', 'Medium');
  await page.waitForURL(/priority=medium/);
  const names = ['First', 'Second', 'Third'].map((name) => makeUnique(`${name} by hand`));
  for (const name of names.toReversed()) await addCard(page, name, 'client_review');
  const [first = '', second = '', third = ''] = names;
  const order = async (shown: Page) => {
    const texts = await column(shown, 'client_review')
      .locator('.cards > li:not(.more, .sortable-fallback) > a')
      .allTextContents();
    return texts.map((text) => text.trim()).filter((text) => names.includes(text));
  };
  const shows = (shown: Page, wanted: string[]) =>
    pollUntil(async () => String(await order(shown)) === String(wanted));
  await other.page.goto(board);
  await shows(other.page, [first, second, third]);

  const from = await card(page, first).boundingBox();
  const to = await card(page, third).boundingBox();
  assert.ok(from && to);
  await page.mouse.move(from.x + 60, from.y + 12);
  await page.mouse.down();
  await page.mouse.move(from.x + 62, from.y + 30, { steps: 4 });
  await page.mouse.move(to.x + 60, to.y + to.height - 4, { steps: 12 });
  // The page moves the card with a delay.
  await shows(page, [second, third, first]);
  await page.mouse.up();
  await shows(other.page, [second, third, first]);

  await card(page, first).locator('a').first().focus();
  await page.keyboard.press('Alt+ArrowUp');
  await page.keyboard.press('Alt+ArrowUp');
  assert.deepEqual(await order(page), [first, second, third]);
  await page.keyboard.press('Alt+ArrowDown');
  await page.locator('.cards > li.moving').waitFor({ state: 'detached' });
  await shows(other.page, [second, first, third]);
  assert.deepEqual(await order(page), [second, first, third]);
  const focused = () => page.evaluate(() => document.activeElement?.closest('li')?.textContent);
  assert.ok((await focused())?.includes(first));

  await plain.page.goto(board);
  await card(plain.page, third).hover();
  await card(plain.page, third).locator('a.move').click();
  await plain.page.getByRole('button', { name: `Move above ${first}` }).click();
  await plain.page.getByRole('button', { name: `Move above ${second}` }).click();
  await shows(plain.page, [third, second, first]);
  await shows(page, [third, second, first]);
  assert.deepEqual([...problems, ...other.problems], []);
});
