import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';

const { server, browser } = await openServerAndBrowser();

const requestMe = (key: string) =>
  fetch(`${server.origin}/v1/me`, { headers: { Authorization: `Bearer ${key}` } });

for (const javaScriptEnabled of [true, false]) {
  test(`a new API key works until it is revoked (${javaScriptEnabled ? 'with' : 'without'} JavaScript)`, async () => {
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 360, height: 740 } });
    const page = await context.newPage();
    const name = `Key ${javaScriptEnabled}`;
    await page.goto(`${server.origin}/connected-apps`);
    await page.fill('#email', demo.member);
    await page.fill('#password', demo.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    assert.equal(await page.getByLabel('See your notifications').isVisible(), false);
    await page.getByLabel('Selected scopes').check();
    await page.getByLabel('See your name').check();
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = await page.locator('#key').inputValue();
    assert.match(key, /^ew_live_/);
    assert.equal((await requestMe(key)).status, 200);

    const copy = page.locator('button[data-copy]');
    if (javaScriptEnabled) {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await copy.click();
      await page.getByText('Copied', { exact: true }).waitFor();
      assert.equal(await page.locator('#toast').textContent(), 'Copied to clipboard');
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), key);
    } else {
      assert.equal(await copy.isVisible(), false);
    }

    const item = page.locator('li.app', { hasText: name });
    await item.getByText('Revoke…', { exact: true }).click();
    await item.getByRole('button', { name: `Revoke ${name}` }).click();
    await item.getByText('Revoked or expired').waitFor();
    assert.equal((await requestMe(key)).status, 401);
    assert.equal(await page.locator('#key').count(), 0);
    await context.close();
  });
}

test("public, account and consent pages have AA contrast in both color schemes, and don't overflow at 360 px", async () => {
  const storageState = await getSignedInState();
  const own = ['/connected-apps', '/account', '/account/apps', await buildConsentPath()];
  const views = [
    ...['/', '/sign-in', '/sign-up', '/verify-email?token=x', '/confirm-email?token=x'].map((path) => ({
      path,
    })),
    ...own.map((path) => ({ path, storageState })),
  ];
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const { path, ...state } of views) {
      const context = await browser.newContext({
        colorScheme,
        viewport: { width: 360, height: 740 },
        ...state,
      });
      const page = await context.newPage();
      await page.goto(server.origin + path);
      assert.equal(new URL(page.url()).pathname, path.split('?')[0]);
      assert.deepEqual(await page.evaluate(findLowContrast), [], `${path} in ${colorScheme}`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.equal(overflow, 0, `${path} at 360 px`);
      await context.close();
    }
  }
});

async function getSignedInState() {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${server.origin}/connected-apps`);
  await page.fill('#email', demo.member);
  await page.fill('#password', demo.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Connected apps' }).waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
}

async function buildConsentPath() {
  const redirectUri = 'https://a-rather-long-host-name-of-some-app.example.com/oauth/callback';
  const answer = await fetch(`${server.origin}/api/oauth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_name: 'W'.repeat(100), redirect_uris: [redirectUri] }),
  });
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: (await answer.json()).client_id,
    redirect_uri: redirectUri,
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
    scope: 'tasks:read tasks:write notifications:write',
  });
  return `/api/oauth/authorize?${query}`;
}

/** Runs in the page. Returns text with a contrast below 4.5 to 1 (WCAG 2.2, 1.4.3). */
function findLowContrast() {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!canvas) return ['this browser draws nothing'];
  const parseColor = (color: string) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  const computeLuminance = (color: string) => {
    const [r = 0, g = 0, b = 0] = [...parseColor(color)].slice(0, 3).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const findBackground = (element: Element) => {
    for (let each: Element | null = element; each; each = each.parentElement) {
      const color = getComputedStyle(each).backgroundColor;
      if (parseColor(color)[3] === 255) return color;
    }
    return 'white';
  };
  return [...document.querySelectorAll('body *')]
    .filter((element) => [...element.childNodes].some((node) => node instanceof Text && node.data.trim()))
    .filter((element) => {
      const [light = 0, dark = 0] = [
        computeLuminance(getComputedStyle(element).color),
        computeLuminance(findBackground(element)),
      ].sort((a, b) => b - a);
      return (light + 0.05) / (dark + 0.05) < 4.5;
    })
    .map((element) => `${element.tagName} ${element.textContent?.trim().slice(0, 40)}`);
}
