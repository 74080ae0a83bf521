import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { addCard, dragByMouse, findCard, findCardInColumn, findColumn } from './boards.ts';
import { holdFirstRequest, interceptRequests } from './intercept.ts';
import { measurePage } from './page-measurements.ts';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { getAddressHeaders, getWorkspaceUrl, type StorageState, signIn, visit } from './visit.ts';

const { server, browser } = await openServerAndBrowser();
let storageState: StorageState;
let base: string;
let board: string;

before(async () => {
  storageState = await signIn(browser, server.origin, demo.member);
  const { page, close } = await visit(browser, { storageState });
  base = await getWorkspaceUrl(page, server.origin);
  board = `${base}/projects/1`;
  await close();
});

const run = Date.now().toString(36);
const makeUnique = (name: string) => `${name} ${run}`;

const viewport = { width: 1280, height: 800 };
const MONTH_MS = 30 * 86_400_000;

async function getColumnCount(page: Page, status: string): Promise<number> {
  return Number(await findColumn(page, status).locator('h2 .number').textContent());
}

async function getStoredStatus(page: Page, name: string): Promise<string | undefined> {
  const html = await page.evaluate(async (address) => (await fetch(address)).text(), board);
  const columns = html.split('<section class="column"').slice(1);
  return columns.find((each) => each.includes(name))?.match(/data-status="(\w+)"/)?.[1];
}

test("a column's quick-add field creates a task in that column and updates the column's count", async () => {
  const { page, problems, close } = await visit(browser, { storageState, viewport });
  await page.goto(board);
  const before = await getColumnCount(page, 'in_progress');
  await addCard(page, makeUnique('Count the chairs'), 'in_progress');
  assert.equal(await getColumnCount(page, 'in_progress'), before + 1);
  assert.equal(await findColumn(page, 'in_progress').getByPlaceholder('Add a task…').inputValue(), '');
  assert.equal(page.url(), board);
  assert.deepEqual(problems, []);
  await close();
});

test('a task added in another browser during a save appears as soon as the save completes', async () => {
  const { page, close } = await visit(browser, { storageState, viewport });
  const other = await visit(browser, { storageState, viewport });
  const [socket] = await Promise.all([page.waitForEvent('websocket'), page.goto(board)]);
  await other.page.goto(board);
  const answered = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await interceptRequests(page, '**/tasks', async (route) => {
    const response = await route.fetch();
    answered.resolve();
    await held.promise;
    await route.fulfill({ response });
  });
  // Stops the clock, so that no timer refreshes the page.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await findColumn(page, 'todo').getByPlaceholder('Add a task…').fill(makeUnique('Mine'));
  await page.keyboard.press('Enter');
  await answered.promise;
  const message = socket.waitForEvent('framereceived');
  await addCard(other.page, makeUnique('Theirs'));
  await message;
  // The page would refresh now if no form were being submitted.
  await page.clock.runFor(100);
  held.resolve();
  await findCard(page, makeUnique('Mine')).waitFor();
  await findCard(page, makeUnique('Theirs')).waitFor();
  await Promise.all([close(), other.close()]);
});

test('a card dragged to another column appears there immediately and stays', async () => {
  const { page, problems, close } = await visit(browser, { storageState, viewport });
  await page.goto(board);
  await addCard(page, makeUnique('Dragged by mouse'));
  const target = findColumn(page, 'internal_review').locator('.cards');
  const { drop } = await dragByMouse(findCard(page, makeUnique('Dragged by mouse')), target);
  await drop();
  await findColumn(page, 'internal_review')
    .locator('li', { hasText: makeUnique('Dragged by mouse') })
    .waitFor();
  await page.locator('.cards > li.moving').waitFor({ state: 'detached' });
  assert.equal(await getStoredStatus(page, makeUnique('Dragged by mouse')), 'internal_review');
  assert.deepEqual(problems, []);
  await close();
});

test('a number key moves the focused card, which keeps focus, and arrow keys move focus to other cards', async () => {
  const { page, problems, close } = await visit(browser, { storageState, viewport });
  await page.goto(board);
  await addCard(page, makeUnique('Moved by key'));
  await findCard(page, makeUnique('Moved by key')).locator('a').first().focus();
  const sent = await holdFirstRequest(page, '**/move');
  await page.keyboard.press('4');
  // The card moves before the server has received the request.
  await findColumn(page, 'client_review')
    .locator('li', { hasText: makeUnique('Moved by key') })
    .waitFor();
  await (await sent.held).continue();
  await page.locator('.cards > li.moving').waitFor({ state: 'detached' });
  assert.equal(await getStoredStatus(page, makeUnique('Moved by key')), 'client_review');
  const getFocusedCard = () => page.evaluate(() => document.activeElement?.closest('li')?.textContent);
  assert.ok((await getFocusedCard())?.includes(makeUnique('Moved by key')));
  await page.keyboard.press('ArrowLeft');
  const walked = await page.evaluate(
    () => document.activeElement?.closest<HTMLElement>('.column')?.dataset.status,
  );
  assert.equal(walked, 'internal_review');
  assert.deepEqual(problems, []);
  await close();
});

test('a card can be moved with "Move to…" using only the keyboard', async () => {
  const { page, close } = await visit(browser, { storageState, viewport });
  await page.goto(board);
  await addCard(page, makeUnique('Moved by menu'));
  await findCard(page, makeUnique('Moved by menu')).locator('a.move').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Completed' }).focus();
  await page.keyboard.press('Enter');
  await findColumn(page, 'completed')
    .locator('li', { hasText: makeUnique('Moved by menu') })
    .waitFor();
  await page.locator('.cards > li.moving').waitFor({ state: 'detached' });
  assert.equal(await getStoredStatus(page, makeUnique('Moved by menu')), 'completed');
  await close();
});

test('cards can be added, moved and filtered without JavaScript', async () => {
  const { page, close } = await visit(browser, { storageState, viewport, javaScriptEnabled: false });
  await page.goto(board);
  await addCard(page, makeUnique('Without a script'));
  await findCard(page, makeUnique('Without a script')).hover();
  await findCard(page, makeUnique('Without a script')).locator('a.move').click();
  await page.getByRole('dialog').getByRole('button', { name: 'In progress' }).click();
  await findColumn(page, 'in_progress')
    .locator('li', { hasText: makeUnique('Without a script') })
    .waitFor();
  assert.equal(page.url(), board);
  await page.getByRole('searchbox', { name: 'Text' }).fill(makeUnique('without a script'));
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.waitForURL(/q=/);
  await findCard(page, makeUnique('Without a script')).waitFor();
  assert.equal(await page.locator('.cards > li:not(.more)').count(), 1);
  await close();
});

test("the board shows other people's changes without a reload and keeps half-typed text", async () => {
  const one = await visit(browser, { storageState, viewport });
  const other = await visit(browser, {
    storageState: await signIn(browser, server.origin, demo.owner),
    viewport,
  });
  await one.page.goto(board);
  await other.page.goto(board);
  const field = one.page.locator('.column[data-status="todo"]').getByPlaceholder('Add a task…');
  await field.fill('Half a sentence that');
  await addCard(other.page, makeUnique('Seen by everybody'), 'client_review');
  await findCard(one.page, makeUnique('Seen by everybody')).waitFor();
  assert.equal(await field.inputValue(), 'Half a sentence that');
  assert.equal(await one.page.evaluate(() => document.activeElement?.id), 'add-todo');
  assert.deepEqual([...one.problems, ...other.problems], []);
  await one.close();
  await other.close();
});

test('a card returns to its column if its move fails, and an error message appears', async () => {
  const { page, close } = await visit(browser, { storageState, viewport });
  await page.goto(board);
  await addCard(page, makeUnique('Cut off'));
  await page.context().setOffline(true);
  const before = await getColumnCount(page, 'completed');
  await findCard(page, makeUnique('Cut off')).locator('a').first().focus();
  await page.keyboard.press('5');
  await page.getByText('reach the server').waitFor();
  await findColumn(page, 'todo')
    .locator('li', { hasText: makeUnique('Cut off') })
    .waitFor();
  assert.equal(await getColumnCount(page, 'completed'), before);
  await page.context().setOffline(false);
  assert.equal(await getStoredStatus(page, makeUnique('Cut off')), 'todo');
  await close();
});

test('a moved card stays in its new column when another request fails', async () => {
  const { page, close } = await visit(browser, { storageState, viewport });
  await page.goto(board);
  await addCard(page, makeUnique('Arrived'));
  await findCard(page, makeUnique('Arrived')).locator('a').first().focus();
  await page.keyboard.press('5');
  await page.locator('form[aria-busy]').waitFor({ state: 'detached' });
  await page.context().setOffline(true);
  await page.locator('#add-todo').fill(makeUnique('Not arrived'));
  await page.keyboard.press('Enter');
  await page.getByText('reach the server').waitFor();
  assert.equal(await findCardInColumn(page, 'completed', makeUnique('Arrived')).count(), 1);
  await close();
});

test('a board of 200 cards loads with at most five requests and 48 KB', async () => {
  const { page, close } = await visit(browser, { storageState, viewport });
  await page.goto(board);
  const login = await page.request.post(`${server.origin}/v1/auth/login`, {
    data: { email: demo.member, password: demo.password },
    headers: getAddressHeaders(demo.member),
  });
  const headers = { Authorization: `Bearer ${(await login.json()).token}` };
  const deadline = new Date(Date.now() + MONTH_MS).toISOString().slice(0, 10);
  const name = makeUnique('Weighed with many others, and named as tasks are');
  for (const status of ['todo', 'in_progress', 'internal_review', 'client_review', 'completed']) {
    const tasks = Array.from({ length: 40 }, (_, index) => ({
      projectId: 1,
      name: `${name} ${index}`,
      status,
      deadline,
    }));
    const made = await page.request.post(`${server.origin}/v1/tasks/bulk`, { headers, data: { tasks } });
    assert.equal(made.status(), 201);
  }
  await page.goto(board);
  assert.equal(await page.locator('.cards > li:not(.more)').count(), 200);
  await close();
  const weight = await measurePage(browser, storageState, board);
  assert.ok(weight.bytes <= 48_000, `${weight.bytes} bytes`);
  assert.ok(weight.scriptBytes <= 26_000, `${weight.scriptBytes} bytes of scripts`);
  assert.ok(weight.styleBytes <= 15_000, `${weight.styleBytes} bytes of styles`);
  assert.ok(weight.requests.length <= 5, weight.requests.join(' '));
});
