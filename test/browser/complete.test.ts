import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { findCard, findCardInColumn } from './boards.ts';
import { inputMethods } from './input-methods.ts';
import { endInterceptions, interceptRequests } from './intercept.ts';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { type Colleague, openColleague } from './team.ts';
import { getWorkspaceUrl, visit } from './visit.ts';

const { server, browser } = await openServerAndBrowser();
const run = Date.now().toString(36);
let me: Colleague;
let base: string;
let myId: string;

before(async () => {
  me = await openColleague(browser, server.origin, demo.owner, { viewport: { width: 1280, height: 900 } });
  base = await getWorkspaceUrl(me.page, server.origin);
  myId = (await me.ask<{ id: string }>('/me')).id;
});

async function createTask(name: string, fields: object = {}): Promise<number> {
  const task = { projectId: 1, assigneeId: myId, deadline: '2020-01-02', name: `${name} ${run}`, ...fields };
  return (await me.ask<{ id: number }>('/tasks', task)).id;
}

const readStatus = async (id: number) => (await me.ask<{ status: string }>(`/tasks/${id}`)).status;
const findButton = (page: Page, name: string) =>
  page
    .getByRole('button', { name: `Complete ${name} ${run}`, exact: true })
    .or(findCard(page, `${name} ${run}`).getByRole('button', { name: 'Complete', exact: true }));

interface PageWithTask {
  readonly name: string;
  readonly address: (task: { id: number; parent: number }) => string;
}

const pagesWithTask: readonly PageWithTask[] = [
  { name: 'My work', address: () => '' },
  { name: 'the board', address: () => '/projects/1' },
  { name: 'the task list', address: () => `/tasks?q=${run}` },
  { name: 'search', address: () => `/search?q=${run}` },
  { name: 'its parent', address: ({ parent }) => `/tasks/${parent}` },
];

for (const method of inputMethods)
  test(`a task can be completed with one press on five kinds of pages, and reopened with Undo (${method.name})`, async () => {
    const { page, problems, close } = await visit(browser, {
      ...method.options,
      storageState: await me.page.context().storageState(),
      viewport: { width: 1280, height: 900 },
    });
    for (const place of pagesWithTask) {
      const name = `From ${place.name}, ${method.name}`;
      const parent = await createTask(`Parent, ${place.name}, ${method.name}`);
      const id = await createTask(name, { parentId: parent });
      await page.goto(base + place.address({ id, parent }));
      await method.press(findButton(page, name));
      await page.locator('#flash-message').filter({ hasText: 'Completed' }).waitFor();
      assert.equal(await readStatus(id), 'completed', place.name);
      const undo = page.locator('#flash-message').getByRole('button', { name: 'Undo' });
      // The message can disappear before Tab reaches the button, so the keyboard case focuses the button directly.
      await (method.name === 'keyboard' ? undo.press('Enter') : method.press(undo));
      await page.locator('#flash-message').filter({ hasText: 'Undone' }).waitFor();
      assert.equal(await readStatus(id), 'todo', place.name);
    }
    assert.deepEqual(problems, []);
    await close();
  });

test('pressing E completes the focused card, and pressing Z undoes the change', async () => {
  const { page } = me;
  const id = await createTask('By key');
  await page.goto(`${base}/projects/1`);
  const name = `By key ${run}`;
  await findCardInColumn(page, 'todo', name).locator('a').first().focus();
  await page.keyboard.press('e');
  await findCardInColumn(page, 'completed', name).waitFor();
  assert.equal(await findButton(page, 'By key').getAttribute('aria-pressed'), 'true');
  await page.keyboard.press('z');
  await findCardInColumn(page, 'todo', name).waitFor();
  assert.equal(await readStatus(id), 'todo');
});

test("a task looks completed immediately, and reopens if the server can't be reached", async () => {
  const { page } = me;
  const id = await createTask('Without a server');
  await page.goto(base);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await interceptRequests(page, '**/app/**', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await held;
    return route.abort('connectionfailed');
  });
  const complete = findButton(page, 'Without a server');
  await complete.click();
  assert.equal(await complete.getAttribute('aria-pressed'), 'true');
  release();
  await page.locator('#toast:not(:empty)').waitFor();
  assert.equal(await complete.getAttribute('aria-pressed'), 'false');
  await endInterceptions(page);
  await complete.click();
  await complete.waitFor({ state: 'detached' });
  assert.equal(await readStatus(id), 'completed');
});
