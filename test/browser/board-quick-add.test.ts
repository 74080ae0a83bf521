import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Page, Route } from 'playwright-core';
import { findCardInColumn } from './boards.ts';
import { endInterceptions, interceptRequests } from './intercept.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { findAxeProblems, getWorkspaceUrl, signIn, visit } from './visit.ts';

const { server, browser } = await openServerAndBrowser();
const mark = Date.now().toString(36);
const makeUnique = (name: string) => `${name} ${mark}`;

/** Delays the requests that add cards. The returned function takes a card's name, and releases its request. */
async function holdCards(page: Page) {
  const held = new Map<string, Route>();
  await interceptRequests(page, '**/tasks', (route) => {
    const name = new URLSearchParams(route.request().postData() ?? '').get('name');
    if (name === null) return route.continue();
    held.set(name, route);
  });
  return async (name: string) => {
    while (!held.has(name)) await setTimeout(20);
    await held.get(name)?.continue();
  };
}

for (const order of ['before', 'after'])
  test(`a card is queued while another is being saved, even if a card in another column is saved ${order} it`, async () => {
    const [one, two, beside] = ['One', 'Two', 'Beside'].map((name) => makeUnique(`${name} ${order}`)) as [
      string,
      string,
      string,
    ];
    const storageState = await signIn(browser, server.origin);
    const { page, problems, close } = await visit(browser, { storageState });
    await page.goto(`${await getWorkspaceUrl(page, server.origin)}/projects/1`);
    const releaseCard = await holdCards(page);
    const toDo = page.locator('#add-todo');
    const inProgress = page.locator('#add-in_progress');
    const isOnItsWay = page.locator('form[aria-busy]').filter({ has: toDo });
    const waitForOtherCard = async () => {
      await releaseCard(beside);
      await findCardInColumn(page, 'in_progress', beside).waitFor();
      await page.waitForFunction(() => !document.querySelector('form[aria-busy] #add-in_progress'));
      assert.equal(await inProgress.inputValue(), '');
    };
    await toDo.fill(one);
    await toDo.press('Enter');
    await page.keyboard.type(two);
    await page.keyboard.press('Enter');
    await inProgress.fill(beside);
    await inProgress.press('Enter');
    await toDo.focus();
    await page.keyboard.press('End');
    await page.keyboard.type(', and more');
    await releaseCard(one);
    await findCardInColumn(page, 'todo', one).waitFor();
    if (order === 'before') {
      await waitForOtherCard();
      assert.equal(await toDo.inputValue(), `${two}, and more`);
      assert.equal(await isOnItsWay.count(), 1, 'the second card is no longer being saved');
    }
    await releaseCard(two);
    await findCardInColumn(page, 'todo', two).waitFor();
    await isOnItsWay.waitFor({ state: 'detached' });
    if (order === 'after') await waitForOtherCard();
    assert.equal(await toDo.inputValue(), `${two}, and more`);
    assert.deepEqual(problems, []);
    await close();
  });

test("the name of a card that couldn't be saved returns to the field, ahead of names typed later", async () => {
  const storageState = await signIn(browser, server.origin);
  const { page, close } = await visit(browser, { storageState });
  await page.goto(`${await getWorkspaceUrl(page, server.origin)}/projects/1`);
  const sent = Promise.withResolvers<Route>();
  await interceptRequests(page, '**/tasks', sent.resolve);
  const field = page.locator('#add-todo');
  await field.fill(makeUnique('Lost'));
  await field.press('Enter');
  await page.keyboard.type(makeUnique('Later'));
  await (await sent.promise).abort();
  await page.getByText('reach the server').waitFor();
  assert.equal(await field.inputValue(), makeUnique('Lost'));
  await endInterceptions(page);
  await field.press('Enter');
  await findCardInColumn(page, 'todo', makeUnique('Lost')).waitFor();
  assert.equal(await field.inputValue(), makeUnique('Later'));
  await close();
});

test('details of a card are previewed while they are typed, and listed after the card is added', async () => {
  const storageState = await signIn(browser, server.origin);
  const { page, problems, close } = await visit(browser, { storageState });
  await page.goto(`${await getWorkspaceUrl(page, server.origin)}/projects/1`);
  const field = page.locator('#add-in_progress');
  const preview = page.locator('form:has(#add-in_progress) .understood');
  await field.click();
  await page.keyboard.type(`${makeUnique('Detailed')}, @jonas, tomorrow, high`);
  await preview.getByText(/Jonas Weber · .* · High priority/).waitFor();
  assert.deepEqual(await findAxeProblems(page), []);
  await page.keyboard.press('Enter');
  await page.getByText(`Added: ${makeUnique('Detailed')} · Jonas Weber`).waitFor();
  await findCardInColumn(page, 'in_progress', makeUnique('Detailed')).waitFor();
  await preview.locator('p').first().waitFor({ state: 'detached' });
  assert.equal(await field.inputValue(), '');
  assert.deepEqual(problems, []);
  await page.keyboard.type(`${makeUnique('Wrong')}, @nobody`);
  await preview.getByText(/nobody/).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('#add-in_progress-problem').waitFor();
  await preview.getByText(/No one matches/).waitFor({ state: 'hidden' });
  assert.equal(await field.inputValue(), `${makeUnique('Wrong')}, @nobody`);
  await close();
});
