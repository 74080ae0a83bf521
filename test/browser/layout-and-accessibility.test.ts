// This file is long because it lists every screen. `npm test` checks a quarter of the screens in each color scheme, `npm
// run test:long` checks all screens in both color schemes, and SCREEN_WIDTHS=all checks them at all three widths.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { getPort } from '../../scripts/local.ts';
import { appendSeal } from '../../src/kernel/secrets/seal.ts';
import { findForm, inputMethods, submitForm } from './input-methods.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { takeEveryNth } from './tier.ts';
import {
  findAxeProblems,
  getWorkspaceUrl,
  measureOverflow,
  type StorageState,
  signIn,
  visit,
} from './visit.ts';

const { server, browser } = await openServerAndBrowser(removeWebhook);
let storageState: StorageState;
/** Path of the webhook's page, relative to the workspace. */
let webhook: string;
/** Path of a template's page, relative to the workspace. */
let template: string;
/** Responds with an error and a long word that can't wrap. */
const receiver = createServer((_request, response) => {
  response.statusCode = 500;
  response.end('x'.repeat(500));
});

before(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  storageState = await signIn(browser, server.origin);
  webhook = await createWebhook();
  await saveFilters();
  template = await saveTemplate();
});

async function saveFilters(): Promise<void> {
  const { page, close } = await visit(browser, { storageState });
  const base = await getWorkspaceUrl(page, server.origin);
  const [mouse] = inputMethods;
  assert.ok(mouse);
  for (const name of ['Kept', 'Shared']) {
    await page.goto(`${base}/tasks?priority=high`);
    const form = findForm(page, '/filters');
    if (name === 'Shared')
      await form.locator('[name="isShared"]').evaluate((box: HTMLInputElement) => box.click());
    await submitForm(mouse, form, { fields: { name }, button: 'Save' });
  }
  await close();
}

async function saveTemplate(): Promise<string> {
  const { page, close } = await visit(browser, { storageState });
  const base = await getWorkspaceUrl(page, server.origin);
  await page.goto(`${base}/projects/2/settings`);
  await page.getByRole('button', { name: 'Save as template' }).click();
  await page.getByRole('heading', { name: 'New project from this template' }).waitFor();
  const address = page.url();
  await close();
  return address.slice(base.length);
}

async function createWebhook(): Promise<string> {
  const url = `http://127.0.0.1:${getPort(receiver)}/looks`;
  const { page, close } = await visit(browser, { storageState });
  const base = await getWorkspaceUrl(page, server.origin);
  await page.goto(`${base}/webhooks`);
  const [mouse] = inputMethods;
  assert.ok(mouse);
  await submitForm(mouse, findForm(page, '/webhooks'), {
    fields: { url },
    button: /^Create/,
  });
  await page.locator('.secret').waitFor();
  const made = page.locator('.rows a', { hasText: url });
  const address = new URL((await made.first().getAttribute('href')) ?? '', server.origin).href;
  // Sends one test delivery, and then pauses the webhook to prevent others.
  await page.goto(address);
  await page.getByRole('button', { name: 'Send test' }).click();
  await page.locator('.delivery-response').waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  await close();
  return address.slice(base.length);
}

async function removeWebhook(): Promise<void> {
  receiver.close();
  const { page, close } = await visit(browser, { storageState });
  await page.goto((await getWorkspaceUrl(page, server.origin)) + webhook);
  await page.getByText('Delete webhook…').click();
  await page.getByRole('button', { name: 'Delete webhook' }).click();
  await page.waitForURL(/\/webhooks$/);
  await close();
}

const screens = [
  '',
  '/inbox',
  '/inbox/mail',
  '/search',
  '/search?q=log',
  '/projects',
  '/projects/1',
  '/projects/1?move=3',
  '/tasks?status=todo&cols=status,assignee,tags',
  '/tasks?edit=38&field=deadline',
  '/tasks?priority=high&q=a&filter=1',
  '/board?priority=high',
  '/filters',
  '/tasks/add?name=Write,+@jonas,+friday,+high',
  '/tasks/add?name=Write,+@nobody+known',
  '/tasks/new?project=1',
  '/tasks/38',
  '/tasks/38/category',
  '/tasks/38/tags',
  '/tasks/3',
  '/dashboard?mode=monthly',
  '/calendar?who=all',
  '/calendar?view=week',
  '/timeline',
  '/meetings/new',
  '/meetings/1',
  '/time',
  '/time-report',
  '/people/find?q=a',
  '/projects/new',
  '/projects/1/files',
  '/projects/1/settings',
  '/projects/1/sharing',
  '/people',
  '/teams',
  '/categories',
  '/labels',
  '/templates',
  ...['/imports', '/exports'],
  '/settings',
  '/webhooks',
  '/audit',
  '/shortcuts',
  '/tasks/38/mentionable?q=a',
  '/nowhere',
  '/tasks?blocked=true',
  '/fields?project=1',
  '/trash',
];

const unsubscribePath = `/unsubscribe?token=${encodeURIComponent(appendSeal(server.sessionSecret, 'unsubscribe', 'usr_nobody'))}`;

/** Pages outside workspaces. */
const pages = [
  '/',
  '/docs',
  '/docs/api/tasks',
  '/docs?q=deadline',
  '/account',
  '/account/apps',
  '/connected-apps',
  '/unsubscribe?token=x',
  unsubscribePath,
  '/app/workspaces',
  '/dev/outbox',
  '/forgot-password',
  '/reset-password?token=old',
];

const checksEveryWidth = process.env.SCREEN_WIDTHS === 'all';
for (const colorScheme of ['light', 'dark'] as const) {
  const usual = colorScheme === 'light' ? [1280] : [320];
  for (const width of checksEveryWidth ? [1280, 390, 320] : usual) {
    test(`every screen is accessible and fits the window in ${colorScheme} mode at ${width} px`, async () => {
      const { page, problems, close } = await visit(browser, {
        storageState,
        colorScheme,
        viewport: { width, height: 800 },
      });
      const base = await getWorkspaceUrl(page, server.origin);
      const all = [
        ...[...screens, template, webhook].map((path) => base + path),
        ...pages.map((path) => server.origin + path),
      ];
      const addresses = checksEveryWidth ? all : takeEveryNth(4, all, colorScheme === 'light' ? 0 : 2);
      for (const path of addresses) {
        await page.goto(path);
        await expectReadable(page, `${path} in ${colorScheme} at ${width} px`);
      }
      await page.goto(`${server.origin}/operator`);
      await expectReadable(page, `the form for the operator key in ${colorScheme} at ${width} px`);
      await page.getByLabel('Operator key').fill(server.operatorKey);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Databases' }).waitFor();
      await expectReadable(page, `the operator page in ${colorScheme} at ${width} px`);
      await page.goto(`${base}/people`);
      await page
        .getByRole('link', { name: /^Actions for/ })
        .first()
        .click();
      await page.getByText('Remove from workspace…').first().waitFor();
      await expectReadable(page, `the menu of a person in ${colorScheme} at ${width} px`);
      await page.goto(server.origin + unsubscribePath);
      await page.getByRole('button', { name: 'Unsubscribe' }).click();
      await page.getByRole('heading', { name: "You're unsubscribed" }).waitFor();
      await expectReadable(page, `the page after unsubscribing in ${colorScheme} at ${width} px`);
      // A missing page and links with invalid tokens return 404 or 400.
      assert.deepEqual(
        problems.filter((each) => !/status of 40[04]/.test(each)),
        [],
      );
      await close();
    });
  }
}

async function expectReadable(page: Page, about: string): Promise<void> {
  await page.evaluate(expandAll);
  assert.deepEqual(await findAxeProblems(page), [], about);
  assert.equal(await measureOverflow(page), 0, about);
  await setTextSize(page, 200);
  assert.equal(await measureOverflow(page), 0, `${about} with text of 200%`);
  await setTextSize(page, 100);
  if (await page.evaluate(openDialog))
    assert.deepEqual(await findAxeProblems(page), [], `the dialog of ${about}`);
}

/**
 * Runs in the page. Expands all sections, so that their content is checked. Menus that exclude each other can't all
 * stay open.
 */
function expandAll(): void {
  for (const details of document.querySelectorAll('main details'))
    (details as HTMLDetailsElement).open = true;
}

/** Runs in the page. Returns false if the page has no closed dialog. */
function openDialog(): boolean {
  const dialog = document.querySelector<HTMLDialogElement>('dialog:not([open])');
  dialog?.showModal();
  return dialog !== null;
}

async function setTextSize(page: Page, percent: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard: (16 * percent) / 100 } });
  await session.detach();
}
