import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';

const { server, browser } = await openServerAndBrowser();

test('an app can be registered, edited and deleted by keyboard, without JavaScript', async () => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 900, height: 900 },
  });
  const page = await context.newPage();
  await page.goto(`${server.origin}/account/apps`);
  await page.fill('#email', demo.member);
  await page.fill('#password', demo.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your apps', level: 1 }).waitFor();
  await page.getByText('No apps yet.').waitFor();

  await page.locator('#name').focus();
  await page.keyboard.type('Weekly report');
  await page.keyboard.press('Tab');
  await page.keyboard.type('http://report.example/callback');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const problem = page.locator('#redirectUris-problem');
  assert.match((await problem.textContent()) ?? '', /must use https/);
  assert.equal(await page.locator('#name').inputValue(), 'Weekly report');
  await page.locator('#redirectUris').fill('https://report.example/callback');
  await page.locator('#redirectUris').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('App registered').waitFor();
  const item = page.locator('li.app', { hasText: 'Weekly report' });
  await item.getByText('no one has authorized it yet').waitFor();
  assert.match((await item.locator('code').first().textContent()) ?? '', /^client_/);

  await item.locator('summary', { hasText: 'Edit…' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('End');
  await page.keyboard.type('\ncom.example.report:/callback');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('App saved').waitFor();
  await item.locator('code', { hasText: 'com.example.report:/callback' }).waitFor();

  await item.locator('summary', { hasText: 'Delete app…' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('App deleted.').waitFor();
  assert.equal(await item.count(), 0);
  await context.close();
});
