import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { root } from '../../scripts/databases.ts';
import { demo } from './server.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Sign-ins are rate-limited by IP address, so each person gets their own address. */
export function getAddressHeaders(email: string): { 'CF-Connecting-IP': string } {
  const number = [...email].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  return { 'CF-Connecting-IP': `198.51.100.${number % 250}` };
}

/** Signs in once per server and person, and returns the stored session, which test files share. */
export async function signIn(
  browser: Browser,
  origin: string,
  email: string = demo.owner,
): Promise<StorageState> {
  const kept = join(root, '.wrangler', `signed-in-${new URL(origin).port}-${email}.json`);
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8'));
  const context = await browser.newContext({ extraHTTPHeaders: getAddressHeaders(email) });
  const page = await context.newPage();
  await page.goto(`${origin}/sign-in`);
  await page.fill('#email', email);
  await page.fill('#password', demo.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'My work' }).waitFor();
  const state = await context.storageState();
  writeFileSync(kept, JSON.stringify(state));
  await context.close();
  return state;
}

export interface Visit {
  readonly page: Page;
  /** Errors that the browser reported. */
  readonly problems: string[];
  close(): Promise<void>;
}

/** Blocks the service worker by default, because tests can't intercept its requests. */
export async function visit(browser: Browser, options: BrowserContextOptions): Promise<Visit> {
  const context = await browser.newContext({ serviceWorkers: 'block', ...options });
  await context.addInitScript(throwOnViolations);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => {
    if (!ABORTED_TRANSITION.test(String(error))) problems.push(String(error));
  });
  return { page, problems, close: () => context.close() };
}

/** Chromium reports this when a page is left before its view transition starts. Nothing is lost. */
const ABORTED_TRANSITION = /^InvalidStateError: Transition was aborted because of invalid state/;

/** Turns policy violations into errors, because the console doesn't report all of them. */
function throwOnViolations() {
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber }) => {
    throw new Error(`policy: ${violatedDirective} ${blockedURI} ${sourceFile}:${lineNumber}`);
  });
}

export async function getWorkspaceUrl(page: Page, origin: string): Promise<string> {
  await page.goto(`${origin}/app`);
  return page.url();
}

/** Waits until the element has focus, because `autofocus` applies shortly after the page has loaded. */
export function waitForFocus(locator: Locator): Promise<void> {
  return locator.and(locator.page().locator(':focus')).waitFor();
}

/** Signs in, and returns the URL of the workspace as `base`. */
export async function signInToWorkspace(browser: Browser, origin: string, email: string = demo.owner) {
  const storageState = await signIn(browser, origin, email);
  const { page, close } = await visit(browser, { storageState });
  const base = await getWorkspaceUrl(page, origin);
  await close();
  return { storageState, base };
}

interface AxeResult {
  readonly violations: readonly {
    id: string;
    nodes: readonly { target: unknown; failureSummary: string }[];
  }[];
}

export async function waitForAnimations(page: Page): Promise<void> {
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
}

/** Runs axe in an isolated world, because the page's Content Security Policy would block it. */
export async function findAxeProblems(page: Page): Promise<string[]> {
  // Axe would report elements that are still fading in, because their contrast is too low.
  await waitForAnimations(page);
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  });
  const evaluate = async (expression: string) => {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression,
      contextId: executionContextId,
      awaitPromise: true,
      returnByValue: true,
    });
    assert.equal(exceptionDetails, undefined, JSON.stringify(exceptionDetails));
    return result.value;
  };
  await evaluate(`${axe}; undefined`);
  const { violations } = (await evaluate('axe.run(document, { resultTypes: ["violations"] })')) as AxeResult;
  await session.detach();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${JSON.stringify(target)} ${failureSummary}`),
  );
}

export function measureOverflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}
