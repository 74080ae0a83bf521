import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  addCard,
  buildCardsSelector,
  dragByMouse,
  dragByTouch,
  findCard,
  findCardInColumn,
  findColumn,
  selectFilter,
} from './boards.ts';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { signInToWorkspace, visit } from './visit.ts';

const { server, browser } = await openServerAndBrowser();
const run = Date.now().toString(36);
const makeUnique = (name: string) => `${name} ${run}`;
const viewport = { width: 1280, height: 900 };
const { storageState, base } = await signInToWorkspace(browser, server.origin, demo.member);

async function openBoard(name: string, options = {}) {
  const visited = await visit(browser, { storageState, viewport, ...options });
  const { page } = visited;
  await page.goto(`${base}/projects/1`);
  await addCard(page, makeUnique(name));
  const moves: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/move')) moves.push(request.url());
  });
  return { ...visited, moves };
}

const getFocusedCard = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('.cards > li')?.querySelector('a')?.textContent ?? '');
const waitForMoves = (page: Page) => page.locator('.cards > li.moving').waitFor({ state: 'detached' });

/** Returns the center of the empty space below a column's last card. */
async function getPointBelow(page: Page, status: string) {
  const list = await findColumn(page, status).locator('.cards').boundingBox();
  const cards = page.locator(buildCardsSelector(status));
  const last = (await cards.count()) > 0 ? await cards.last().boundingBox() : null;
  assert.ok(list);
  const from = last ? last.y + last.height : list.y;
  const bottom = list.y + list.height;
  assert.ok(bottom - from > 100, `${bottom - from} px under the last card`);
  return { x: list.x + list.width / 2, y: (from + bottom) / 2 };
}

test('a card dropped into the empty space of a short column moves to that column and keeps focus', async () => {
  const { page, problems, close } = await openBoard('Dropped below');
  await selectFilter(page, 'Priority', 'Medium');
  await page.waitForURL(/priority=medium/);
  const short = await page.evaluate(() => {
    const columns = [...document.querySelectorAll<HTMLElement>('.column:not([data-status="todo"])')];
    const countCards = (each: HTMLElement) => each.querySelectorAll('.cards > li').length;
    return columns.toSorted((one, other) => countCards(one) - countCards(other))[0]?.dataset.status ?? '';
  });
  const from = await findCard(page, makeUnique('Dropped below')).boundingBox();
  const to = await getPointBelow(page, short);
  assert.ok(from);
  await page.mouse.move(from.x + 60, from.y + 12);
  await page.mouse.down();
  await page.mouse.move(from.x + 90, from.y + 30, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 12 });
  await findColumn(page, short).locator('.sortable-ghost').waitFor();
  await page.mouse.up();
  await waitForMoves(page);
  await findCardInColumn(page, short, makeUnique('Dropped below')).waitFor();
  assert.equal((await getFocusedCard(page)).trim(), makeUnique('Dropped below'));
  assert.deepEqual(problems, []);
  await close();
});

test('Escape cancels a drag without moving the card or opening its task', async () => {
  const { page, problems, moves, close } = await openBoard('Not dragged after all');
  const name = makeUnique('Not dragged after all');
  const readOrder = () => page.locator(`${buildCardsSelector('todo')} > a`).allTextContents();
  const before = await readOrder();
  const { drop } = await dragByMouse(
    findCard(page, name),
    findColumn(page, 'internal_review').locator('.cards'),
  );
  await page.keyboard.press('Escape');
  await findCardInColumn(page, 'todo', name).waitFor();
  assert.equal(await page.locator('.sortable-fallback, .sortable-ghost, .sortable-chosen').count(), 0);
  await drop();
  assert.deepEqual(await readOrder(), before);
  assert.equal(page.url(), `${base}/projects/1`);
  const secondDrag = await dragByMouse(
    findCard(page, name),
    findColumn(page, 'internal_review').locator('.cards'),
  );
  await secondDrag.drop();
  await waitForMoves(page);
  await findCardInColumn(page, 'internal_review', name).waitFor();
  assert.equal(moves.length, 1);
  assert.deepEqual(problems, []);
  await close();
});

test('a card moved by touch, keyboard or menu keeps focus', async () => {
  const { page, problems, close } = await openBoard('Moved three times', { hasTouch: true });
  const name = makeUnique('Moved three times');
  const isFocused = async (how: string) => {
    await waitForMoves(page);
    await page.waitForTimeout(500);
    assert.equal((await getFocusedCard(page)).trim(), name, how);
  };
  const { drop } = await dragByTouch(findCard(page, name), findColumn(page, 'in_progress').locator('.cards'));
  await drop();
  await findCardInColumn(page, 'in_progress', name).waitFor();
  await isFocused('touch');
  await page.keyboard.press('4');
  await findCardInColumn(page, 'client_review', name).waitFor();
  await isFocused('key');
  await findCard(page, name).locator('a.move').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  // Number keys also work in the dialog.
  await page.keyboard.press('5');
  await findCardInColumn(page, 'completed', name).waitFor();
  await isFocused('menu');
  assert.equal(await page.getByRole('dialog').count(), 0);
  assert.deepEqual(problems, []);
  await close();
});

test('single-key shortcuts work while a checkbox has focus, but not in a text field', async () => {
  const { page, close } = await visit(browser, { storageState, viewport });
  await page.goto(`${base}/tasks`);
  await page.locator('input[name="ids"]').first().click();
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('type')), 'checkbox');
  await page.keyboard.press('?');
  await page.waitForURL(`${base}/shortcuts`);
  await page.goto(`${base}/search`);
  await page.getByRole('searchbox').fill('a');
  await page.keyboard.press('?');
  assert.equal(await page.getByRole('searchbox').inputValue(), 'a?');
  await close();
});
