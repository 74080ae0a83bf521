import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { getAddressHeaders, getWorkspaceUrl, signIn, visit } from './visit.ts';

const { server, browser } = await openServerAndBrowser();
const mark = Date.now().toString(36);

async function createCallerAs(email: string) {
  const callApi = async (method: string, path: string, body: unknown, token = '') => {
    const answer = await fetch(`${server.origin}/v1${path}`, {
      method,
      headers: {
        'Content-Type': 'application/json',
        ...getAddressHeaders(email),
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    assert.ok(answer.ok, `${path} returned ${answer.status}`);
    return answer.json();
  };
  const { token, user } = await callApi('POST', '/auth/login', { email, password: demo.password });
  return {
    userId: user.id as string,
    post: (path: string, body: unknown) => callApi('POST', path, body, token),
  };
}

test('the question mark key opens the shortcut list, where single-key shortcuts can be turned off', async () => {
  const storageState = await signIn(browser, server.origin);
  const { page, problems, close } = await visit(browser, { storageState });
  const base = await getWorkspaceUrl(page, server.origin);
  await page.keyboard.press('?');
  await page.waitForURL(`${base}/shortcuts`);
  for (const key of ['/', '?', 'c', 'z'])
    assert.equal(await page.locator('dt kbd', { hasText: new RegExp(`^[${key}]$`) }).count(), 1, key);
  const box = page.getByRole('checkbox', { name: /single-key shortcuts/ });
  assert.equal(await box.isChecked(), true);
  await box.uncheck();
  await page.goto(base);
  await page.keyboard.press('?');
  await page.keyboard.press('/');
  await page.keyboard.press('c');
  assert.equal(page.url(), base);
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'BODY');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
  await page.goto(`${base}/shortcuts`);
  assert.equal(await box.isChecked(), false);
  await box.check();
  await page.goto(base);
  await page.keyboard.press('c');
  await page.getByRole('dialog', { name: 'New task' }).waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('the inbox can be used with only the keyboard', async () => {
  const [owner, member] = [await createCallerAs(demo.owner), await createCallerAs(demo.member)];
  const names = ['First', 'Second', 'Third'].map((name) => `${name} ${mark}`);
  for (const name of names) await owner.post('/tasks', { projectId: 1, name, assigneeId: member.userId });
  const storageState = await signIn(browser, server.origin, demo.member);
  const { page, problems, close } = await visit(browser, { storageState });
  const base = await getWorkspaceUrl(page, server.origin);
  await page.goto(`${base}/inbox`);
  const findItem = (name: string) => page.locator('.inbox > li', { hasText: name });
  const waitForFocus = (name: string) =>
    page.waitForFunction((text) => document.activeElement?.textContent?.includes(text), name);
  await page.keyboard.press('j');
  await waitForFocus(`Third ${mark}`);
  await page.keyboard.press('ArrowDown');
  await waitForFocus(`Second ${mark}`);
  await page.keyboard.press('r');
  await findItem(`Second ${mark}`).and(page.locator('.read')).waitFor();
  await waitForFocus(`Second ${mark}`);
  await page.keyboard.press('x');
  await findItem(`Second ${mark}`).waitFor({ state: 'detached' });
  await waitForFocus(`First ${mark}`);
  await page.keyboard.press('k');
  await waitForFocus(`Third ${mark}`);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: `Third ${mark}` }).waitFor();
  await page.goto(`${base}/inbox?show=unread`);
  await findItem(`First ${mark}`).waitFor();
  assert.equal(await findItem(`Third ${mark}`).count(), 0);
  assert.deepEqual(problems, []);
  await close();
});
