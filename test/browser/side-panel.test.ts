// This file is long because its tests share the functions that open tasks in the panel.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { findCard, findCardInColumn, selectFilter } from './boards.ts';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { type Colleague, openColleague } from './team.ts';
import {
  findAxeProblems,
  getWorkspaceUrl,
  type StorageState,
  visit,
  waitForAnimations,
  waitForFocus,
} from './visit.ts';

const { server, browser } = await openServerAndBrowser(() =>
  Promise.all([me?.close(), other?.close()]).then(() => undefined),
);
const run = Date.now().toString(36);
const viewport = { width: 1280, height: 800 };
let me: Colleague;
let other: Colleague;
let base: string;
let myId: string;
let storageState: StorageState;

before(async () => {
  me = await openColleague(browser, server.origin, demo.member, { viewport });
  other = await openColleague(browser, server.origin, demo.owner, { viewport });
  base = await getWorkspaceUrl(me.page, server.origin);
  myId = (await me.ask<{ id: string }>('/me')).id;
  storageState = await me.page.context().storageState();
});

const today = new Date().toISOString().slice(0, 10);

async function createTask(name: string, fields: object = {}): Promise<number> {
  const task = { projectId: 1, assigneeId: myId, deadline: today, name: `${name} ${run}`, ...fields };
  return (await other.ask<{ id: number }>('/tasks', task)).id;
}

const openPage = (options: BrowserContextOptions = {}) =>
  visit(browser, { storageState, viewport, ...options });
const findPanel = (page: Page) => page.getByRole('dialog').and(page.locator('#task-panel'));
const findTaskPanel = (page: Page, name: string) =>
  page.getByRole('dialog', { name: `${name} ${run}`, exact: true });
const findLink = (page: Page, id: number) => page.locator(`main a[href$="/tasks/${id}"]`).first();
const findMarked = (opener: Locator) => opener.and(opener.page().locator('[aria-current="true"]')).waitFor();
const getOpenTask = (page: Page) => new URL(page.url()).searchParams.get('task');

/** Opens a task in the panel of a board that shows only the tasks of this run. */
async function openOnBoard(name: string, id: number, options: BrowserContextOptions = {}) {
  const visited = await openPage(options);
  await visited.page.goto(`${base}/projects/1?q=${run}`);
  await findLink(visited.page, id).focus();
  await visited.page.keyboard.press('Enter');
  const panel = findTaskPanel(visited.page, name);
  await panel.waitFor();
  return { ...visited, panel };
}

interface PageWithTasks {
  readonly name: string;
  readonly path: string;
  readonly opener?: (page: Page, name: string) => Locator;
}

const pagesWithTasks: readonly PageWithTasks[] = [
  { name: 'the board', path: `/projects/1?q=${run}` },
  { name: 'the board of all projects', path: `/board?q=${run}` },
  { name: 'the task list', path: `/tasks?q=${run}` },
  { name: 'My work', path: '' },
  { name: 'search', path: `/search?q=${run}` },
  { name: 'the calendar', path: '/calendar?view=week&project=1' },
  { name: 'the timeline', path: '/timeline?project=1&who=me' },
  {
    name: 'the inbox',
    path: '/inbox',
    opener: (page, name) => page.getByRole('button', { name: `${name} ${run}` }),
  },
];

for (const { name: place, path, opener } of pagesWithTasks)
  test(`a task opens in the panel from ${place}, and Escape closes the panel`, async () => {
    const name = `From ${place}`;
    const id = await createTask(name);
    const { page, problems, close } = await openPage();
    await page.goto(base + path);
    const title = await page.title();
    const from = opener?.(page, name) ?? findLink(page, id);
    await from.focus();
    await page.keyboard.press('Enter');
    const panel = findTaskPanel(page, name);
    await panel.waitFor();
    await waitForFocus(panel);
    await findMarked(from);
    assert.equal(getOpenTask(page), String(id));
    assert.equal(new URL(page.url()).pathname, new URL(base + path).pathname);
    assert.match(await page.title(), new RegExp(`^${name} ${run} · `));
    assert.deepEqual(await findAxeProblems(page), []);
    assert.deepEqual(await findRepeatedIds(page), []);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await waitForFocus(from);
    assert.equal(page.url(), base + path);
    assert.equal(await page.title(), title);
    await page.goBack();
    await panel.waitFor();
    await page.goBack();
    await panel.waitFor({ state: 'detached' });
    assert.equal(page.url(), base + path);
    assert.deepEqual(problems, []);
    await close();
  });

function findRepeatedIds(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const ids = [...document.querySelectorAll('[id]')].map((each) => each.getAttribute('id') ?? '');
    return ids.filter((id, index) => ids.indexOf(id) !== index);
  });
}

test('opening a notification in the panel marks it as read', async () => {
  const name = 'Unread';
  await createTask(name);
  const { page, close } = await openPage();
  await page.goto(`${base}/inbox`);
  const item = page.locator('.inbox > li', { hasText: `${name} ${run}` });
  await item.locator('.row-button').click();
  await findTaskPanel(page, name).waitFor();
  await item.and(page.locator('.read')).waitFor();
  await close();
});

test('keys and buttons open the next and previous task in the order on the screen', async () => {
  const names = ['Third', 'Second', 'First'];
  const ids = new Map<string, number>();
  for (const name of names) ids.set(name, await createTask(name, { projectId: 2 }));
  const { page, problems, close } = await openPage();
  await page.goto(`${base}/tasks?project=2&q=${run}`);
  const order = await page
    .locator('tbody td.name > a[id]')
    .evaluateAll((links) => links.map(({ textContent }) => textContent?.trim().split(' ')[0] ?? ''));
  assert.deepEqual([...order].sort(), [...names].sort());
  const [one = '', two = '', three = ''] = order;
  await findLink(page, ids.get(one) ?? 0).click();
  await findTaskPanel(page, one).waitFor();
  await page.keyboard.press('j');
  await findTaskPanel(page, two).waitFor();
  await findMarked(findLink(page, ids.get(two) ?? 0));
  assert.equal(getOpenTask(page), String(ids.get(two)));
  await page.getByRole('button', { name: 'Next task' }).click();
  await findTaskPanel(page, three).waitFor();
  await page.locator('[aria-label="Next task"][aria-disabled="true"]').waitFor();
  await waitForFocus(page.getByRole('button', { name: 'Next task' }));
  await page.keyboard.press('k');
  await findTaskPanel(page, two).waitFor();
  await page.goBack();
  await findTaskPanel(page, three).waitFor();
  await page.goForward();
  await findTaskPanel(page, two).waitFor();
  assert.equal(getOpenTask(page), String(ids.get(two)));
  assert.deepEqual(problems, []);
  await close();
});

test('a task in the panel is still open after a reload, and a shared link opens it', async () => {
  const name = 'Shared';
  const id = await createTask(name);
  const { page, problems, close } = await openOnBoard(name, id);
  await page.reload();
  await findTaskPanel(page, name).waitFor();
  await findMarked(findLink(page, id));
  await page.goto(`${base}?task=${id}`);
  await findTaskPanel(page, name).waitFor();
  await page.keyboard.press('Escape');
  await findPanel(page).waitFor({ state: 'detached' });
  assert.equal(page.url(), base);
  assert.deepEqual(problems, []);
  await close();
});

test("a shared link to a task that doesn't exist opens an error page", async () => {
  const { page, close } = await openPage();
  await page.goto(`${base}?task=999999`);
  await page.waitForURL(/\/tasks\/999999$/);
  await page.getByRole('heading', { name: 'Page not found' }).or(page.getByRole('alert')).first().waitFor();
  await close();
});

test("a change made in the panel appears on the board, and both show other people's changes", async () => {
  const name = 'Beside';
  const id = await createTask(name);
  const { page, panel, problems, close } = await openOnBoard(name, id);
  await panel.getByLabel('Status', { exact: true }).selectOption({ label: 'Client review' });
  await findCardInColumn(page, 'client_review', `${name} ${run}`).waitFor();
  await findMarked(findLink(page, id));
  await panel.getByPlaceholder(/Write a comment/).fill('Said beside');
  await panel.getByRole('button', { name: 'Comment', exact: true }).click();
  await panel.locator('.comment', { hasText: 'Said beside' }).waitFor();
  await findCard(page, `${name} ${run}`).getByTitle('1 comment').waitFor();
  await other.ask(`/tasks/${id}`, { name: `Renamed ${run}` }, 'PATCH');
  await findTaskPanel(page, 'Renamed').waitFor();
  await findCard(page, `Renamed ${run}`).waitFor();
  assert.match(await page.title(), /^Renamed /);
  assert.deepEqual(problems, []);
  await close();
});

test('the first Escape moves focus out of a field, and the second closes the panel', async () => {
  const name = 'In a field';
  const { page, panel, close } = await openOnBoard(name, await createTask(name));
  const field = panel.getByPlaceholder(/Write a comment/);
  await field.focus();
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.activeElement?.tagName !== 'TEXTAREA');
  assert.equal(await findPanel(page).count(), 1);
  await page.keyboard.press('Escape');
  await findPanel(page).waitFor({ state: 'detached' });
  await close();
});

test('Escape closes an open dialog and keeps the panel open', async () => {
  const name = 'Below a dialog';
  const { page, close } = await openOnBoard(name, await createTask(name));
  await findCard(page, `${name} ${run}`).getByRole('link', { name: 'Move to…' }).click();
  await page.locator('#move-dialog[open]').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('#move-dialog:not([open])').waitFor({ state: 'attached' });
  await findTaskPanel(page, name).waitFor();
  await close();
});

test('a half-written comment is kept when the panel closes or opens another task, or the page reloads', async () => {
  const [name, next] = ['Drafted', 'Drafted next'];
  const id = await createTask(name);
  const nextId = await createTask(next);
  const { page, panel, close } = await openOnBoard(name, id);
  page.on('dialog', (dialog) => void dialog.accept());
  const findCommentField = (of: Locator) => of.getByPlaceholder(/Write a comment/);
  await findCommentField(panel).fill('Not yet sent');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.activeElement?.tagName !== 'TEXTAREA');
  await page.keyboard.press('Escape');
  await findPanel(page).waitFor({ state: 'detached' });
  await findLink(page, id).click();
  assert.equal(await findCommentField(panel).inputValue(), 'Not yet sent');
  await findLink(page, nextId).click();
  assert.equal(await findCommentField(findTaskPanel(page, next)).inputValue(), '');
  await page.goBack();
  assert.equal(await findCommentField(panel).inputValue(), 'Not yet sent');
  await page.reload();
  assert.equal(await findCommentField(panel).inputValue(), 'Not yet sent');
  // The task's full page has the same draft.
  await page.getByRole('link', { name: 'Open full page' }).click();
  await page.waitForURL(/\/tasks\/\d+$/);
  await page.waitForFunction(() =>
    document.querySelector('textarea#new-comment')?.matches(':not(:placeholder-shown)'),
  );
  assert.equal(await page.locator('#new-comment').inputValue(), 'Not yet sent');
  await close();
});

test('a title that is still being edited is saved when the panel closes', async () => {
  const name = 'Typed';
  const id = await createTask(name);
  const { page, panel, close } = await openOnBoard(name, id);
  await panel.getByLabel('Task name', { exact: true }).fill(`Typed and closed ${run}`);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await findPanel(page).waitFor({ state: 'detached' });
  await findCard(page, `Typed and closed ${run}`).waitFor();
  assert.equal((await me.ask<{ name: string }>(`/tasks/${id}`)).name, `Typed and closed ${run}`);
  await close();
});

test('a rejected form shows its error in the panel', async () => {
  const name = 'Rejected';
  const { page, panel, problems, close } = await openOnBoard(name, await createTask(name));
  const field = panel.locator('#panel-related-task');
  await field.fill('999999');
  await field.press('Enter');
  await panel.locator('[aria-invalid="true"]').waitFor();
  assert.equal(await field.inputValue(), '999999');
  assert.equal(await page.locator('main [aria-invalid]').count(), 0);
  assert.deepEqual(
    problems.filter((each) => !each.includes('status of 40')),
    [],
  );
  await close();
});

test('pressing E completes the task in the panel, and pressing Z undoes the change', async () => {
  const name = 'Completed beside';
  const { page, panel, problems, close } = await openOnBoard(name, await createTask(name));
  await page.keyboard.press('e');
  await findCardInColumn(page, 'completed', `${name} ${run}`).waitFor();
  await panel.locator('select[name="status"] > [value="completed"]:checked').waitFor({ state: 'attached' });
  await page.keyboard.press('z');
  await findCardInColumn(page, 'todo', `${name} ${run}`).waitFor();
  await panel.locator('select[name="status"] > [value="todo"]:checked').waitFor({ state: 'attached' });
  assert.deepEqual(problems, []);
  await close();
});

test('deleting the task in the panel closes the panel, and pressing Z restores the task', async () => {
  const name = 'Deleted beside';
  const id = await createTask(name);
  // The other tests sign in as the member, who may not delete the task, so this one signs in as the owner.
  const { page, problems, close } = await openPage({
    storageState: await other.page.context().storageState(),
  });
  await page.goto(`${base}/tasks?q=${run}`);
  await findLink(page, id).click();
  await findTaskPanel(page, name).locator('summary', { hasText: 'Actions' }).click();
  await findTaskPanel(page, name).getByRole('button', { name: 'Delete', exact: true }).click();
  await page.locator('#flash-message', { hasText: 'Moved to the trash' }).waitFor();
  await findPanel(page).waitFor({ state: 'detached' });
  await findLink(page, id).waitFor({ state: 'detached' });
  assert.equal(page.url(), `${base}/tasks?q=${run}`);
  await page.keyboard.press('z');
  await findLink(page, id).waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('the panel closes when someone else deletes the task', async () => {
  const name = 'Gone';
  const id = await createTask(name);
  const { page, close } = await openOnBoard(name, id);
  await other.page.goto(`${base}/tasks/${id}`);
  await other.page.locator('summary', { hasText: 'Actions' }).click();
  await other.page.getByRole('button', { name: 'Delete', exact: true }).click();
  await findPanel(page).waitFor({ state: 'detached' });
  assert.equal(getOpenTask(page), null);
  await close();
});

test('the copy of a duplicated task opens in the panel', async () => {
  const name = 'Duplicated';
  const id = await createTask(name);
  const { page, panel, problems, close } = await openOnBoard(name, id);
  await panel.locator('summary', { hasText: 'Actions' }).click();
  await panel.getByRole('button', { name: 'Duplicate' }).click();
  await page.waitForURL((url) => url.searchParams.get('task') !== String(id));
  assert.equal(new URL(page.url()).pathname, `${new URL(base).pathname}/projects/1`);
  assert.deepEqual(problems, []);
  await close();
});

test('changing a filter keeps the panel open, and Back restores the previous filter', async () => {
  const name = 'Filtered beside';
  const { page, problems, close } = await openOnBoard(name, await createTask(name));
  await selectFilter(page, 'Priority', 'High');
  await page.waitForURL(/priority=high/);
  assert.notEqual(getOpenTask(page), null);
  await findCard(page, `${name} ${run}`).waitFor({ state: 'detached' });
  await page.goBack();
  await findCard(page, `${name} ${run}`).waitFor();
  await findTaskPanel(page, name).waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('the panel can be resized by keyboard and pointer, and the browser remembers its width', async () => {
  const name = 'Resized';
  const { page, panel, close } = await openOnBoard(name, await createTask(name));
  const edge = page.getByRole('separator', { name: 'Panel width' });
  await waitForAnimations(page);
  // The browser acknowledges input before the page handles it, so the test waits for the width.
  const waitForWidth = (width: number) => edge.and(page.locator(`[aria-valuenow="${width}"]`)).waitFor();
  await edge.focus();
  await page.keyboard.press('Home');
  await waitForWidth(480);
  await page.keyboard.press('ArrowLeft');
  await waitForWidth(496);
  await page.mouse.move(1280 - 496, 400);
  await page.mouse.down();
  await page.mouse.move(1280 - 600, 400, { steps: 3 });
  await page.mouse.up();
  await waitForWidth(600);
  await page.mouse.move(1280 - 600, 400);
  await page.mouse.down();
  await page.mouse.move(200, 400, { steps: 3 });
  await page.mouse.up();
  await waitForWidth(720);
  await page.reload();
  await panel.waitFor();
  await waitForWidth(720);
  await waitForAnimations(page);
  assert.equal((await panel.boundingBox())?.width, 720);
  await close();
});

test('links in the panel open other tasks in the panel, and all other pages in the whole window', async () => {
  const [name, child] = ['With a subtask', 'Inside'];
  const id = await createTask(name);
  const childId = await createTask(child, { parentId: id });
  const { page, panel, close } = await openOnBoard(name, id);
  await panel.locator(`a[href$="/tasks/${childId}"]`).first().click();
  await findTaskPanel(page, child).waitFor();
  assert.equal(getOpenTask(page), String(childId));
  await page.keyboard.press('f');
  await page.waitForURL(new RegExp(`/tasks/${childId}$`));
  await page.goBack();
  await findTaskPanel(page, child).waitFor();
  await findPanel(page).locator('a[href$="/projects/1"]').first().click();
  await findPanel(page).waitFor({ state: 'detached' });
  assert.equal(page.url(), `${base}/projects/1`);
  await close();
});

test('a Ctrl-click on a task is left to the browser, which opens a new tab', async () => {
  const id = await createTask('In a tab');
  const { page, close } = await openPage();
  await page.goto(base);
  const isLeft = await findLink(page, id).evaluate((link) => {
    let isDefault = false;
    const recordEvent = (event: Event) => {
      isDefault = !event.defaultPrevented;
      event.preventDefault();
    };
    addEventListener('click', recordEvent, { once: true });
    link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: true }));
    return isDefault;
  });
  assert.equal(isLeft, true);
  await close();
});

test('a task opens as a page if the window is too narrow for the panel', async () => {
  const id = await createTask('Narrow');
  const { page, problems, close } = await openPage({ viewport: { width: 390, height: 844 } });
  await page.goto(base);
  await findLink(page, id).click();
  await page.waitForURL(new RegExp(`/tasks/${id}$`));
  assert.deepEqual(await findAxeProblems(page), []);
  await page.goto(`${base}?task=${id}`);
  await page.waitForURL(new RegExp(`/tasks/${id}$`));
  assert.deepEqual(problems, []);
  await close();
});

test('a task opens as a page without JavaScript', async () => {
  const id = await createTask('Without a script');
  const { page, close } = await openPage({ javaScriptEnabled: false });
  await page.goto(base);
  await findLink(page, id).click();
  await page.waitForURL(new RegExp(`/tasks/${id}$`));
  await close();
});

test('a signed-out person who opens a task is sent to the sign-in page', async () => {
  const id = await createTask('Signed out');
  const { page, close } = await openPage();
  await page.goto(base);
  await page.context().clearCookies();
  await findLink(page, id).click();
  await page.waitForURL(/\/sign-in\?next=/);
  await close();
});

test("the Copy link button copies a task's link, in the panel and on the task page", async () => {
  const name = 'Copied';
  const id = await createTask(name);
  const { page, panel, problems, close } = await openOnBoard(name, id);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const readClipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await panel.locator('summary', { hasText: 'Actions' }).click();
  await panel.getByRole('button', { name: 'Copy link' }).click();
  await panel.getByText('Copied', { exact: true }).waitFor();
  assert.equal(await readClipboard(), `${base}/tasks/${id}`);
  await page.goto(`${base}/tasks/${id}`);
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.locator('summary', { hasText: 'Actions' }).click();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('Copied', { exact: true }).waitFor();
  assert.equal(await readClipboard(), `${base}/tasks/${id}`);
  assert.deepEqual(problems, []);
  await close();
});
