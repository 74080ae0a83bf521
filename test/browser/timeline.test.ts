// This file is long because it tests moving bars by mouse, by keyboard and by other people.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { pollUntil } from '../support/timeout.ts';
import { endInterceptions, holdFirstRequest, interceptRequests } from './intercept.ts';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { type Colleague, openColleague } from './team.ts';
import { findAxeProblems, getWorkspaceUrl, measureOverflow, signIn, visit } from './visit.ts';

const { server, browser } = await openServerAndBrowser();
const MONDAY = '2031-03-03';
const wide = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 } };

interface PlannedTask {
  readonly id: number;
  readonly startDate: string | null;
  readonly deadline: string | null;
}

const createTask = (person: Colleague, fields: object) =>
  person.ask<PlannedTask>('/tasks', { projectId: 1, name: 'Planned', ...fields });
const readDates = async (person: Colleague, id: number) => {
  const { startDate, deadline } = await person.ask<PlannedTask>(`/tasks/${id}`);
  return [startDate, deadline];
};
const waitForSave = ({ page }: Colleague) =>
  page.waitForResponse((answer) => answer.request().method() === 'POST');
/** Waits until the server's response shows the task at its new dates. */
const waitForDeadline = ({ page }: Colleague, id: number, deadline: string) =>
  page.locator(`#bar-${id}[data-deadline="${deadline}"]:not([data-sent], .moving)`).waitFor();

async function openTimeline(options: BrowserContextOptions = wide, email = demo.owner) {
  const person = await openColleague(browser, server.origin, email, options);
  const base = await getWorkspaceUrl(person.page, server.origin);
  const url = `${base}/timeline?day=${MONDAY}&project=1`;
  return { ...person, base, url, findBar: (id: number) => person.page.locator(`#bar-${id}`) };
}

async function measure(element: Locator) {
  const box = await element.boundingBox();
  assert.ok(box);
  return { ...box, centerX: box.x + box.width / 2, centerY: box.y + box.height / 2 };
}

const measureDay = (page: Page) =>
  page
    .locator('.timeline > table')
    .evaluate(
      (table: HTMLTableElement) => (table.querySelector('thead th + th') as HTMLElement).offsetWidth / 7,
    );

/** Presses the mouse on the bar, and moves it by this many days without releasing it. */
async function startDrag(page: Page, bar: Locator, days: number) {
  await bar.evaluate((each) => each.scrollIntoView({ inline: 'center', block: 'nearest' }));
  const { centerX, centerY } = await measure(bar);
  await page.mouse.move(centerX, centerY);
  await page.mouse.down();
  await page.mouse.move(centerX + days * (await measureDay(page)), centerY, { steps: 8 });
}

test('dragging a bar moves its task, which can be undone with one key', async () => {
  const owner = await openTimeline();
  const { page, problems, close, url, findBar } = owner;
  const { id } = await createTask(owner, { startDate: '2031-03-04', deadline: '2031-03-06' });
  await page.goto(url);
  const saved = waitForSave(owner);
  await startDrag(page, findBar(id), 4);
  assert.equal(await findBar(id).getAttribute('data-dates'), 'Sat 8 Mar – Mon 10 Mar');
  await page.mouse.up();
  await saved;
  await waitForDeadline(owner, id, '2031-03-10');
  assert.deepEqual(await readDates(owner, id), ['2031-03-08', '2031-03-10']);
  assert.equal(await page.locator('#task-panel').count(), 0);
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  const undone = waitForSave(owner);
  await page.keyboard.press('z');
  await undone;
  assert.deepEqual(await readDates(owner, id), ['2031-03-04', '2031-03-06']);
  assert.deepEqual(problems, []);
  await close();
});

test('Escape cancels a drag, and releasing the button later neither saves nor opens the task', async () => {
  const owner = await openTimeline();
  const { page, problems, close, url, findBar } = owner;
  const { id } = await createTask(owner, { startDate: '2031-03-04', deadline: '2031-03-10' });
  await page.goto(url);
  const before = await measure(findBar(id));
  await startDrag(page, findBar(id), 2);
  await page.keyboard.press('Escape');
  assert.equal((await measure(findBar(id))).x, before.x);
  await page.waitForTimeout(200);
  await page.mouse.up();
  await page.waitForTimeout(200);
  assert.equal(page.url(), url);
  assert.equal(await page.locator('#task-panel').count(), 0);

  // If the page misses the release of the button, the bar doesn't follow the mouse.
  await startDrag(page, findBar(id), 2);
  await page.evaluate(() => dispatchEvent(new PointerEvent('pointermove', { pointerId: 1, buttons: 0 })));
  assert.equal((await measure(findBar(id))).x, before.x);
  await page.mouse.up();
  assert.deepEqual(await readDates(owner, id), ['2031-03-04', '2031-03-10']);
  await page.mouse.move(0, 0);

  await findBar(id).click();
  await page.locator('#task-panel').waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('a move that is made while the previous one is being saved is added to it', async () => {
  const owner = await openTimeline();
  const { page, problems, close, url, findBar } = owner;
  const { id } = await createTask(owner, { startDate: '2031-03-04', deadline: '2031-03-06' });
  const { id: other } = await createTask(owner, { deadline: '2031-03-20' });
  await page.goto(url);
  const [bar, day] = [findBar(id), await measureDay(page)];
  const { x } = await measure(bar);
  const first = await holdFirstRequest(page, '**/tasks/*', 'POST');
  await bar.focus();
  await page.keyboard.press('Shift+ArrowRight');
  const held = await first.held;
  await page.keyboard.press('Shift+ArrowRight');
  assert.ok(Math.abs((await measure(bar)).x - x - 2 * day) < 1);
  // Saves the second move, and drags the bar by three more days.
  await startDrag(page, bar, 3);
  await page.mouse.up();
  await findBar(other).focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await findBar(id).focus();
  assert.ok(Math.abs((await measure(bar)).x - x - 5 * day) < 1);
  await held.continue();
  await waitForDeadline(owner, id, '2031-03-11');
  await waitForDeadline(owner, other, '2031-03-19');
  assert.deepEqual(await readDates(owner, id), ['2031-03-09', '2031-03-11']);
  assert.deepEqual(await readDates(owner, other), [null, '2031-03-19']);
  assert.deepEqual(problems, []);
  await close();
});

test('keys pressed while a move is being saved move the task further from the saved dates', async () => {
  const owner = await openTimeline();
  const { page, close, url, findBar } = owner;
  const { id } = await createTask(owner, { deadline: '2031-03-12' });
  await page.goto(url);
  const first = await holdFirstRequest(page, '**/tasks/*', 'POST');
  await findBar(id).focus();
  await page.keyboard.press('Shift+ArrowRight');
  const held = await first.held;
  // Keeps the second move from being saved before the response arrives.
  await page.evaluate(() => {
    const timeout = window.setTimeout;
    window.setTimeout = ((run: () => void, ms?: number) => timeout(run, ms === 500 ? 3_000 : ms)) as never;
  });
  await page.keyboard.press('Shift+ArrowRight');
  await held.continue();
  await page.locator(`#bar-${id}.moving[data-deadline="2031-03-13"][data-dates="Fri 14 Mar"]`).waitFor();
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Tab');
  await waitForDeadline(owner, id, '2031-03-15');
  assert.deepEqual(await readDates(owner, id), [null, '2031-03-15']);
  await close();
});

test('arrow keys move focus between tasks and move a task by days, and repeated presses are saved once', async () => {
  const owner = await openTimeline();
  const { page, problems, close, url, findBar } = owner;
  const { id: previous } = await createTask(owner, { name: 'Previous', deadline: '2031-03-05' });
  const { id } = await createTask(owner, { deadline: '2031-03-05' });
  await page.goto(url);
  const bar = findBar(id);
  let saves = 0;
  page.on('request', (request) => {
    saves += request.method() === 'POST' ? 1 : 0;
  });
  await findBar(previous).focus();
  await page.keyboard.press('ArrowDown');
  assert.equal(await bar.evaluate((each) => each === document.activeElement), true);
  const saved = waitForSave(owner);
  for (let press = 0; press < 5; press += 1) await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowLeft');
  assert.equal(await page.locator('#toast').textContent(), 'Sun 9 Mar');
  await saved;
  await waitForDeadline(owner, id, '2031-03-09');
  assert.deepEqual([saves, await readDates(owner, id)], [1, [null, '2031-03-09']]);
  assert.equal(await bar.evaluate((each) => each === document.activeElement), true);

  await page.keyboard.press('Enter');
  await page.locator('#task-panel').waitFor();
  await bar.focus();
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#toast').textContent(), 'Sun 9 Mar');
  assert.equal(await page.locator('#task-panel').count(), 1);
  await page.keyboard.press('Escape');
  await page.locator('#task-panel').waitFor({ state: 'detached' });
  assert.deepEqual(await readDates(owner, id), [null, '2031-03-09']);
  assert.equal(saves, 1);
  assert.deepEqual(problems, []);
  await close();
});

test('leaving the page saves an unsaved move', async () => {
  const owner = await openTimeline(phone);
  const { page, close, url, findBar } = owner;
  const { id } = await createTask(owner, { deadline: '2031-03-12' });
  await page.goto(url);
  await findBar(id).focus();
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Planned' }).waitFor();
  await pollUntil(async () => (await readDates(owner, id))[1] === '2031-03-13');
  await page.goto(url);
  await findBar(id).focus();
  await page.keyboard.press('Shift+ArrowRight');
  await page.goto('about:blank');
  await pollUntil(async () => (await readDates(owner, id))[1] === '2031-03-14');
  await close();
});

test("someone else's change neither disturbs a drag nor is overwritten by it", async () => {
  const owner = await openTimeline();
  const { page, close, url, findBar } = owner;
  const { id } = await createTask(owner, { startDate: '2031-03-04', deadline: '2031-03-08' });
  await page.goto(url, { waitUntil: 'networkidle' });
  await startDrag(page, findBar(id), 3);
  const { x } = await measure(findBar(id));
  const member = await openColleague(browser, server.origin, demo.member, {});
  await member.ask(`/tasks/${id}`, { deadline: '2031-03-12' }, 'PATCH');
  await page.waitForTimeout(1_500);
  assert.equal((await measure(findBar(id))).x, x);
  await page.mouse.up();
  await waitForDeadline(owner, id, '2031-03-12');
  // A refresh removes the alert on the page, but not the toast.
  await page.locator('#toast', { hasText: 'changed this to “Wednesday, 12 March 2031”' }).waitFor();
  assert.equal(await page.getByText('startDate').count(), 0);
  assert.deepEqual(await readDates(owner, id), ['2031-03-04', '2031-03-12']);
  await member.close();
  await close();
});

test("someone else's change is kept if another task's move is still being saved", async () => {
  const owner = await openTimeline();
  const { page, close, url, findBar } = owner;
  const { id: moved } = await createTask(owner, { deadline: '2031-03-05' });
  const { id: contested } = await createTask(owner, { deadline: '2031-03-08' });
  await page.goto(url);
  const first = await holdFirstRequest(page, '**/tasks/*', 'POST');
  await findBar(moved).focus();
  await page.keyboard.press('Shift+ArrowRight');
  const held = await first.held;
  const member = await openColleague(browser, server.origin, demo.member, {});
  await member.ask(`/tasks/${contested}`, { deadline: '2031-03-12' }, 'PATCH');
  await findBar(contested).focus();
  await page.keyboard.press('Shift+ArrowRight');
  await page.locator(`#bar-${contested}[data-sent="1"]:not(.moving)`).waitFor();
  await held.continue();
  await page.locator('#toast', { hasText: 'changed this to “Wednesday, 12 March 2031”' }).waitFor();
  await waitForDeadline(owner, contested, '2031-03-12');
  await waitForDeadline(owner, moved, '2031-03-06');
  assert.deepEqual(await readDates(owner, contested), [null, '2031-03-12']);
  await member.close();
  await close();
});

test("a bar returns to its previous position if its move can't be sent", async () => {
  const owner = await openTimeline();
  const { page, close, url, findBar } = owner;
  const { id } = await createTask(owner, { deadline: '2031-03-12' });
  await page.goto(url);
  const { x } = await measure(findBar(id));
  await interceptRequests(page, '**/tasks/*', (route) => route.abort());
  await findBar(id).focus();
  await page.keyboard.press('Shift+ArrowRight');
  await page.getByText("Couldn't reach the server").waitFor();
  assert.equal((await measure(findBar(id))).x, x);
  await endInterceptions(page);
  await page.keyboard.press('Shift+ArrowRight');
  await waitForDeadline(owner, id, '2031-03-13');
  await close();
});

test('swiping across bars scrolls the timeline without moving tasks', async () => {
  const owner = await openTimeline({ ...phone, hasTouch: true, isMobile: true });
  const { page, problems, close, url, findBar } = owner;
  const { id } = await createTask(owner, { startDate: '2031-03-03', deadline: '2031-03-14' });
  await page.goto(url);
  let saves = 0;
  page.on('request', (request) => {
    saves += request.method() === 'POST' ? 1 : 0;
  });
  await findBar(id).scrollIntoViewIfNeeded();
  const { x, centerY: y } = await measure(findBar(id));
  const devTools = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number) =>
    devTools.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [{ x: at, y }] });
  await touch('touchStart', x + 150);
  for (let moved = 10; moved <= 120; moved += 10) await touch('touchMove', x + 150 - moved);
  await touch('touchEnd');
  await pollUntil(() => page.locator('.timeline').evaluate((area) => area.scrollLeft > 50));
  assert.equal(saves, 0);
  assert.deepEqual(await readDates(owner, id), ['2031-03-03', '2031-03-14']);
  assert.equal(await page.getByText('Drag a bar').isVisible(), false);
  assert.deepEqual(problems, []);
  await close();
});

test('filters and shortcuts open pickers', async () => {
  const owner = await openTimeline();
  const { page, problems, close, url, findBar } = owner;
  const { id } = await createTask(owner, { deadline: '2031-03-12' });
  await page.goto(url);
  const selectPeople = async (from: string, to: string) => {
    await page.locator('.scripted .chip', { hasText: from }).click();
    const picker = page.getByRole('dialog', { name: 'People', exact: true });
    await picker.getByRole('option', { name: to, exact: true }).click();
  };
  await selectPeople('Everyone', 'Only me');
  await page.waitForURL(/who=me/);
  await findBar(id).waitFor({ state: 'detached' });
  await selectPeople('Only me', 'Everyone');
  await page.waitForURL((address) => !address.search.includes('who=me'));
  await findBar(id).focus();
  await page.keyboard.press('d');
  await page.getByRole('dialog', { name: 'Deadline', exact: true }).waitFor();
  await page.keyboard.type('2031-03-19');
  await page.keyboard.press('Enter');
  await waitForDeadline(owner, id, '2031-03-19');
  assert.deepEqual(problems, []);
  await close();
});

test('an arrow connects a task with the one it blocks, and follows their bars', async () => {
  const owner = await openTimeline();
  const { page, problems, close, url, findBar } = owner;
  const first = await createTask(owner, { name: 'First', deadline: '2031-03-18' });
  const second = await createTask(owner, { name: 'Second', startDate: '2031-03-20', deadline: '2031-03-25' });
  await owner.ask(`/tasks/${second.id}/relations`, { type: 'blocked_by', taskId: first.id });
  await page.goto(url);
  const measureGaps = () =>
    page.evaluate(
      ([from, to]) => {
        const arrow = document.querySelector('.arrow')?.getBoundingClientRect();
        const [start, end] = [from, to].map((id) =>
          document.getElementById(`bar-${id}`)?.getBoundingClientRect(),
        );
        return [Number(start?.right) - Number(arrow?.left), Number(end?.left) - Number(arrow?.right)];
      },
      [first.id, second.id],
    );
  const isConnected = async () => (await measureGaps()).every((gap) => Math.abs(gap) < 1);
  await pollUntil(isConnected);
  assert.match((await findBar(second.id).getAttribute('aria-label')) ?? '', /blocked by First$/);
  const { width } = await measure(findBar(second.id));
  await findBar(second.id).click();
  await page.locator('#task-panel').waitFor();
  await pollUntil(async () => (await measure(findBar(second.id))).width < width);
  await pollUntil(isConnected);
  await startDrag(page, findBar(first.id), -2);
  assert.ok(await isConnected());
  await page.keyboard.press('Escape');
  await page.mouse.up();
  assert.deepEqual(await findAxeProblems(page), []);
  assert.deepEqual(problems, []);
  await close();
});

test('tasks are shown and can be opened on phones, with and without JavaScript', async () => {
  const owner = await openTimeline();
  const { id } = await createTask(owner, { startDate: '2031-03-04', deadline: '2031-03-06' });
  const { url } = owner;
  await owner.close();
  const storageState = await signIn(browser, server.origin);
  for (const javaScriptEnabled of [true, false]) {
    const { page, problems, close } = await visit(browser, { storageState, javaScriptEnabled, ...phone });
    await page.goto(url);
    if (javaScriptEnabled) assert.equal(await measureOverflow(page), 0);
    assert.equal(await page.getByText('Drag a bar').isVisible(), javaScriptEnabled);
    await page.locator(`#bar-${id}`).click();
    await page.getByRole('heading', { name: 'Planned' }).waitFor();
    assert.deepEqual(problems, []);
    await close();
  }
});
