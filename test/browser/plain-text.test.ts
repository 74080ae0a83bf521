import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { APIRequestContext } from 'playwright-core';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { getAddressHeaders, getWorkspaceUrl, type StorageState, signIn, visit } from './visit.ts';

const { server, browser } = await openServerAndBrowser();
let storageState: StorageState;
const stored = 'First line\nSecond   line\n\n  Fourth: https://example.com/x.';

before(async () => {
  storageState = await signIn(browser, server.origin, demo.member);
});

async function createApiClient(request: APIRequestContext) {
  const answer = await request.post(`${server.origin}/v1/auth/login`, {
    data: { email: demo.member, password: demo.password },
    headers: getAddressHeaders(demo.member),
  });
  const headers = { Authorization: `Bearer ${(await answer.json()).token}` };
  return {
    create: async (description: string): Promise<number> => {
      const data = { projectId: 1, name: 'Plain text', description };
      return (await (await request.post(`${server.origin}/v1/tasks`, { headers, data })).json()).id;
    },
    descriptionOf: async (id: number): Promise<string> =>
      (await (await request.get(`${server.origin}/v1/tasks/${id}`, { headers })).json()).description,
  };
}

test('the editor displays the lines of a plain-text description and saves them as plain text', async () => {
  const { page, problems, close } = await visit(browser, { storageState });
  const api = await createApiClient(page.request);
  const id = await api.create(stored);
  await page.goto(`${await getWorkspaceUrl(page, server.origin)}/tasks/${id}`);
  const shown = page.locator('.section > .rich');
  assert.equal(await shown.innerText(), stored);
  assert.equal(await shown.getByRole('link').getAttribute('href'), 'https://example.com/x');
  await page.getByText('Edit description').click();
  const editor = page.locator('.editor').getByRole('textbox', { name: 'Description' });
  await editor.waitFor();
  assert.deepEqual((await editor.innerText()).split('\n'), stored.split('\n'));
  await editor.press('ControlOrMeta+End');
  await editor.pressSequentially(' Then');
  await editor.press('Enter');
  await editor.pressSequentially('five');
  await editor.press('ControlOrMeta+Enter');
  await shown.getByText('five').waitFor();
  assert.equal(await api.descriptionOf(id), `${stored} Then\nfive`);
  // Formatting needs tags, so the description becomes HTML that keeps the lines.
  await page.getByText('Edit description').click();
  await editor.press('ControlOrMeta+A');
  await editor.press('ControlOrMeta+b');
  await editor.press('ControlOrMeta+Enter');
  await shown.locator('strong').first().waitFor();
  assert.equal((await shown.innerText()).split('\n').length, 5);
  assert.deepEqual(problems, []);
  await close();
});

test('without JavaScript, the text field displays and saves the lines of a plain-text description', async () => {
  const { page, close } = await visit(browser, { storageState, javaScriptEnabled: false });
  const api = await createApiClient(page.request);
  const text = `\n${stored}`;
  const id = await api.create(text);
  await page.goto(`${await getWorkspaceUrl(page, server.origin)}/tasks/${id}`);
  await page.getByText('Edit description').click();
  const field = page.getByRole('textbox', { name: 'Description' });
  assert.equal(await field.inputValue(), text);
  await field.fill(`${text}\nfive`);
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.locator('.section > .rich', { hasText: 'five' }).waitFor();
  assert.equal(await api.descriptionOf(id), `${text}\nfive`);
  await close();
});
