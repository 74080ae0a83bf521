// The lines below the columns of a board: cards are typed one after the other, however long each is on its way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from 'playwright-core';
import { cardIn } from './boards.ts';
import { baseOf, signIn, visit } from './screens.ts';
import { openStage } from './stage.ts';

const { server, browser } = await openStage();
const mark = Date.now().toString(36);
const called = (name: string) => `${name} ${mark}`;

test('cards that are typed while the first is on its way follow it, each in its column', async () => {
  const storageState = await signIn(browser, server.origin);
  const { page, problems, close } = await visit(browser, { storageState });
  await page.goto(`${await baseOf(page, server.origin)}/projects/1`);
  const held: Route[] = [];
  await page.route('**/tasks', (route) =>
    route.request().method() === 'POST' ? void held.push(route) : route.continue(),
  );
  const toDo = page.locator('#add-todo');
  const inProgress = page.locator('#add-in_progress');
  await toDo.fill(called('One'));
  await toDo.press('Enter');
  await page.keyboard.type(called('Two'));
  await page.keyboard.press('Enter');
  await inProgress.fill(called('Beside'));
  await inProgress.press('Enter');
  await toDo.focus();
  await page.keyboard.press('End');
  await page.keyboard.type(', and more');
  await Promise.all(held.splice(0).map((route) => route.continue()));
  await page.unroute('**/tasks');
  for (const name of ['One', 'Two']) await cardIn(page, 'todo', called(name)).waitFor();
  await cardIn(page, 'in_progress', called('Beside')).waitFor();
  assert.equal(await inProgress.inputValue(), '');
  assert.equal(await toDo.inputValue(), `${called('Two')}, and more`);
  assert.deepEqual(problems, []);
  await close();
});

test('a card that does not arrive comes back into its line, and what was typed after it waits', async () => {
  const storageState = await signIn(browser, server.origin);
  const { page, close } = await visit(browser, { storageState });
  await page.goto(`${await baseOf(page, server.origin)}/projects/1`);
  const held: Route[] = [];
  await page.route('**/tasks', (route) => void held.push(route));
  const line = page.locator('#add-todo');
  await line.fill(called('Lost'));
  await line.press('Enter');
  await page.keyboard.type(called('Later'));
  await Promise.all(held.splice(0).map((route) => route.abort()));
  await page.getByText('That did not reach the server').waitFor();
  assert.equal(await line.inputValue(), called('Lost'));
  await page.unroute('**/tasks');
  await line.press('Enter');
  await cardIn(page, 'todo', called('Lost')).waitFor();
  assert.equal(await line.inputValue(), called('Later'));
  await close();
});
