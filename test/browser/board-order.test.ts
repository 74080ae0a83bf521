import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { pollUntil } from '../support/timeout.ts';
import { addCard, findCard, findColumn, selectFilter } from './boards.ts';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { getWorkspaceUrl, signIn, visit } from './visit.ts';

const { server, browser } = await openServerAndBrowser();

const run = Date.now().toString(36);
const makeUnique = (name: string) => `${name} ${run}`;
const viewport = { width: 1280, height: 800 };

test('cards can be reordered by mouse, by keyboard and without JavaScript, and other browsers show the new order', async () => {
  const storageState = await signIn(browser, server.origin, demo.member);
  const { page, problems } = await visit(browser, { storageState, viewport });
  const other = await visit(browser, { storageState, viewport });
  const plain = await visit(browser, { storageState, viewport, javaScriptEnabled: false });
  const board = `${await getWorkspaceUrl(page, server.origin)}/projects/1`;
  // Filters the board, because reordering must also work while other cards are hidden.
  await page.goto(board);
  await selectFilter(page, 'Priority', 'Medium');
  await page.waitForURL(/priority=medium/);
  const names = ['First', 'Second', 'Third'].map((name) => makeUnique(`${name} by hand`));
  for (const name of names.toReversed()) await addCard(page, name, 'client_review');
  const [first = '', second = '', third = ''] = names;
  const readOrder = async (shown: Page) => {
    const texts = await findColumn(shown, 'client_review')
      .locator('.cards > li:not(.more, .sortable-fallback) > a')
      .allTextContents();
    return texts.map((text) => text.trim()).filter((text) => names.includes(text));
  };
  const waitForOrder = (shown: Page, wanted: string[]) =>
    pollUntil(async () => String(await readOrder(shown)) === String(wanted));
  await other.page.goto(board);
  await waitForOrder(other.page, [first, second, third]);

  const from = await findCard(page, first).boundingBox();
  const to = await findCard(page, third).boundingBox();
  assert.ok(from && to);
  await page.mouse.move(from.x + 60, from.y + 12);
  await page.mouse.down();
  await page.mouse.move(from.x + 62, from.y + 30, { steps: 4 });
  await page.mouse.move(to.x + 60, to.y + to.height - 4, { steps: 12 });
  // The page moves the card after a short delay.
  await waitForOrder(page, [second, third, first]);
  await page.mouse.up();
  await waitForOrder(other.page, [second, third, first]);

  await findCard(page, first).locator('a').first().focus();
  await page.keyboard.press('Alt+ArrowUp');
  await page.keyboard.press('Alt+ArrowUp');
  assert.deepEqual(await readOrder(page), [first, second, third]);
  await page.keyboard.press('Alt+ArrowDown');
  await page.locator('.cards > li.moving').waitFor({ state: 'detached' });
  await waitForOrder(other.page, [second, first, third]);
  assert.deepEqual(await readOrder(page), [second, first, third]);
  const getFocusedCard = () => page.evaluate(() => document.activeElement?.closest('li')?.textContent);
  assert.ok((await getFocusedCard())?.includes(first));

  await plain.page.goto(board);
  await findCard(plain.page, third).hover();
  await findCard(plain.page, third).locator('a.move').click();
  await plain.page.getByRole('button', { name: `Move above ${first}` }).click();
  await plain.page.getByRole('button', { name: `Move above ${second}` }).click();
  await waitForOrder(plain.page, [third, second, first]);
  await waitForOrder(page, [third, second, first]);
  assert.deepEqual([...problems, ...other.problems], []);
});
