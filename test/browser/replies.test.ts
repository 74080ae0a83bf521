import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { endInterceptions, interceptRequests } from './intercept.ts';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { type Colleague, openColleague } from './team.ts';
import { findAxeProblems, getWorkspaceUrl, visit, waitForFocus } from './visit.ts';

const { server, browser } = await openServerAndBrowser();
const viewport = { width: 1280, height: 800 };
let me: Colleague;
let base: string;

before(async () => {
  me = await openColleague(browser, server.origin, demo.member, { viewport });
  base = await getWorkspaceUrl(me.page, server.origin);
});

async function openCommentedTask(name: string) {
  const { page, ask } = me;
  const { id } = await ask<{ id: number }>('/tasks', { projectId: 1, name });
  const comment = await ask<{ id: number }>(`/tasks/${id}/comments`, { content: 'Which paper?' });
  const address = `${base}/tasks/${id}`;
  await page.goto(address);
  const listReplies = async () => {
    const { data } = await ask<{ data: { content: string; parentId: number | null }[] }>(
      `/tasks/${id}/comments?expand=thread`,
    );
    return data.filter(({ parentId }) => parentId === comment.id).map(({ content }) => content);
  };
  return { page, id, comment, address, ask, listReplies };
}

const findReplyButton = (page: Page) => page.locator('summary', { hasText: 'Reply' });
const findReplyField = (page: Page) => page.getByLabel('Your reply');
const findReplies = (page: Page) => page.locator('.replies .comment');

test('replies can be written, sent and canceled with the keyboard alone', async () => {
  const { page, listReplies } = await openCommentedTask('Answered by key');
  const { keyboard } = page;
  await findReplyButton(page).focus();
  for (const text of ['Uncoated.', 'At least 300 g.']) {
    await keyboard.press('Enter');
    await keyboard.type(text);
    await keyboard.press('ControlOrMeta+Enter');
    await findReplies(page).filter({ hasText: text }).waitFor();
    await waitForFocus(findReplyButton(page));
  }
  assert.deepEqual(await listReplies(), ['Uncoated.', 'At least 300 g.']);
  await keyboard.press('Enter');
  await waitForFocus(findReplyField(page));
  await keyboard.press('Escape');
  await waitForFocus(findReplyButton(page));
  assert.equal(await findReplyField(page).isVisible(), false);
  await keyboard.press('Enter');
  await keyboard.type('Half a reply');
  await keyboard.press('Escape');
  await waitForFocus(findReplyButton(page));
  assert.equal(await findReplyField(page).inputValue(), 'Half a reply');
  assert.equal(await findReplyField(page).isVisible(), true);
  assert.deepEqual(await findAxeProblems(page), []);
  await findReplyField(page).fill('');
});

test('a half-typed reply stays when another reply arrives, and when its comment is deleted', async () => {
  const { page, id, comment, ask } = await openCommentedTask('Answered by two');
  await findReplyButton(page).click();
  await page.keyboard.type('Mine, half');
  await ask(`/tasks/${id}/comments`, { content: 'Theirs', parentId: comment.id });
  await findReplies(page).filter({ hasText: 'Theirs' }).waitFor();
  await waitForFocus(findReplyField(page));
  await page.keyboard.type(' typed');
  assert.equal(await findReplyField(page).inputValue(), 'Mine, half typed');
  await ask(`/tasks/${id}/comments/${comment.id}`, undefined, 'DELETE');
  await page.getByText('In reply to a deleted comment').waitFor();
  assert.equal(await findReplyField(page).inputValue(), 'Mine, half typed');
  await findReplyField(page).fill('');
});

test('a reply whose response is lost keeps its text, and is stored once after a retry', async () => {
  const { page, listReplies } = await openCommentedTask('Answered twice');
  await findReplyButton(page).click();
  await page.keyboard.type('Only once');
  await interceptRequests(page, '**/replies', async (route) => {
    await route.fetch({ maxRedirects: 0 });
    await route.abort('connectionfailed');
  });
  await page.keyboard.press('ControlOrMeta+Enter');
  await page.getByText("Couldn't reach the server").waitFor();
  assert.equal(await findReplyField(page).inputValue(), 'Only once');
  await endInterceptions(page);
  await findReplyField(page).focus();
  await page.keyboard.press('ControlOrMeta+Enter');
  await findReplies(page).filter({ hasText: 'Only once' }).waitFor();
  await page.waitForFunction(() => !document.querySelector('form[aria-busy]'));
  assert.deepEqual(await listReplies(), ['Only once']);
});

test('replies can be written without JavaScript, and a rejected reply keeps its form open', async () => {
  const { address, listReplies, page: signedIn } = await openCommentedTask('Answered plainly');
  const { page, close } = await visit(browser, {
    storageState: await signedIn.context().storageState(),
    javaScriptEnabled: false,
    viewport: { width: 390, height: 800 },
  });
  await page.goto(address);
  await findReplyButton(page).click();
  await findReplyField(page).fill('Matte, please.');
  await page.getByRole('button', { name: 'Reply', exact: true }).click();
  await findReplies(page).filter({ hasText: 'Matte, please.' }).waitFor();
  assert.deepEqual(await listReplies(), ['Matte, please.']);
  await findReplyButton(page).click();
  await findReplyField(page).fill('   ');
  await page.getByRole('button', { name: 'Reply', exact: true }).click();
  await page.locator('[aria-invalid="true"]').waitFor();
  assert.equal(await findReplyField(page).isVisible(), true);
  await close();
});
