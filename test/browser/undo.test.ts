import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { addCard, findCard, findCardInColumn, findColumn } from './boards.ts';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { getAddressHeaders, signInToWorkspace, visit } from './visit.ts';

const { server, browser } = await openServerAndBrowser();
const run = Date.now().toString(36);
const makeUnique = (name: string) => `${name} ${run}`;
const viewport = { width: 1280, height: 900 };
const { storageState, base } = await signInToWorkspace(browser, server.origin, demo.owner);

const findToast = (page: Page) => page.locator('#flash-message');
const waitForMessage = (page: Page, text: string) => findToast(page).filter({ hasText: text }).waitFor();
const waitForMoves = (page: Page) => page.locator('.cards > li.moving').waitFor({ state: 'detached' });

async function openBoard(name: string) {
  const visited = await visit(browser, { storageState, viewport });
  await visited.page.goto(`${base}/projects/1`);
  await addCard(visited.page, makeUnique(name));
  return visited;
}

test('pressing Z or Ctrl Z undoes changes one by one, even on other pages, but not while typing', async () => {
  const { page, problems, close } = await openBoard('Three steps');
  const name = makeUnique('Three steps');
  await findCard(page, name).locator('a').first().focus();
  for (const [key, status] of [
    ['2', 'in_progress'],
    ['3', 'internal_review'],
    ['4', 'client_review'],
  ] as const) {
    await page.keyboard.press(key);
    await findCardInColumn(page, status, name).waitFor();
    await waitForMoves(page);
  }
  await page.keyboard.press('z');
  await findCardInColumn(page, 'internal_review', name).waitFor();
  await waitForMessage(page, 'Undone');
  await page.keyboard.press('Control+z');
  await findCardInColumn(page, 'in_progress', name).waitFor();
  await waitForMoves(page);

  await page.goto(`${base}/inbox`);
  await page.keyboard.press('z');
  await waitForMessage(page, 'Undone');
  assert.equal(page.url(), `${base}/inbox`);
  await page.goto(`${base}/projects/1`);
  await findCardInColumn(page, 'todo', name).waitFor();
  // The shortcuts have no effect if nothing is left to undo, or while the person types in a field.
  await page.keyboard.press('z');
  const field = findColumn(page, 'todo').getByPlaceholder('Add a task…');
  await field.fill('a');
  await page.keyboard.press('z');
  await page.keyboard.press('Control+z');
  assert.equal(await findCardInColumn(page, 'todo', name).count(), 1);
  assert.deepEqual(problems, []);
  await close();
});

async function createMeeting(page: Page, name: string): Promise<string> {
  // Sign-ins are rate-limited by IP address, so this file uses its own address.
  const address = getAddressHeaders('undo');
  const callApi = async (path: string, data: object, headers: Record<string, string>) => {
    const answer = await page.request.post(`${server.origin}/v1${path}`, { data, headers });
    assert.ok(answer.ok(), `${path} returned ${answer.status()}: ${await answer.text()}`);
    return answer.json();
  };
  const { token, user } = await callApi(
    '/auth/login',
    { email: demo.owner, password: demo.password },
    address,
  );
  const { id } = await callApi(
    '/meetings',
    { projectId: 1, name, date: '2031-05-06', time: '10:00', participantIds: [user.id] },
    { Authorization: `Bearer ${token}` },
  );
  return `${base}/meetings/${id}`;
}

test("canceling a meeting opens the calendar with an Undo button, and the meeting page isn't requested again", async () => {
  const { page, problems, close } = await openBoard('Beside a meeting');
  const meeting = await createMeeting(page, makeUnique('Standup'));
  await page.goto(meeting);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'GET') asked.push(request.url());
  });
  await page.getByRole('button', { name: /Cancel/ }).click();
  await page.waitForURL(`${base}/calendar`);
  await waitForMessage(page, 'Meeting canceled');
  await page.waitForTimeout(1_000);
  assert.deepEqual(
    asked.filter((url) => url === meeting),
    [],
  );
  await findToast(page).getByRole('button', { name: 'Undo' }).click();
  await waitForMessage(page, 'Undone');
  assert.equal((await page.goto(meeting))?.status(), 200);
  assert.deepEqual(problems, []);
  await close();
});

test('pressing Z restores a removed file and a removed notification', async () => {
  const { page, problems, close } = await openBoard('With a file');
  await page.goto(
    new URL(
      (await findCard(page, makeUnique('With a file')).locator('a').first().getAttribute('href')) ?? '',
      server.origin,
    ).href,
  );
  await page.locator('input[type="file"]').setInputFiles({
    name: 'plan.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('hello'),
  });
  const file = page.locator('.files .rows a', { hasText: 'plan.txt' });
  await file.waitFor();
  await page.getByRole('button', { name: 'Remove plan.txt' }).click();
  await waitForMessage(page, 'plan.txt removed');
  await file.waitFor({ state: 'detached' });
  await page.keyboard.press('z');
  await file.waitFor();

  await page.goto(`${base}/inbox`);
  const first = page.locator('.inbox > li').first();
  const id = (await first.getAttribute('id')) ?? '';
  await first.locator('.row-button').focus();
  await page.keyboard.press('x');
  await waitForMessage(page, 'Notification removed');
  await page.locator(`#${id}`).waitFor({ state: 'detached' });
  await page.keyboard.press('z');
  await waitForMessage(page, 'Undone');
  assert.equal(await page.locator('.inbox > li').first().getAttribute('id'), id);
  assert.deepEqual(problems, []);
  await close();
});

test('without JavaScript, the message and the Undo button appear on the next page', async () => {
  const { page, close } = await openBoard('Helper');
  const meeting = await createMeeting(page, makeUnique('Retro'));
  await close();
  const plain = await visit(browser, { storageState, viewport, javaScriptEnabled: false });
  await plain.page.goto(meeting);
  await plain.page.getByRole('button', { name: /Cancel/ }).click();
  await waitForMessage(plain.page, 'Meeting canceled');
  await findToast(plain.page).getByRole('button', { name: 'Undo' }).click();
  await waitForMessage(plain.page, 'Undone');
  assert.equal((await plain.page.goto(meeting))?.status(), 200);
  await plain.close();
});
