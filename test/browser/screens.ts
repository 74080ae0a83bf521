// Who is signed in where, and what every test of a screen asks of it.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { root } from '../../scripts/databases.ts';
import { demo } from './server.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Sign-ins are counted by address: each person has one, as on machines of their own. */
export function fromOwnAddress(email: string): { 'CF-Connecting-IP': string } {
  const number = [...email].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  return { 'CF-Connecting-IP': `198.51.100.${number % 250}` };
}

/** Signs in once; contexts that are opened with the state are signed in. Test files share it. */
export async function signIn(
  browser: Browser,
  origin: string,
  email: string = demo.owner,
): Promise<StorageState> {
  const kept = join(root, '.wrangler', `signed-in-${new URL(origin).port}-${email}.json`);
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8'));
  const context = await browser.newContext({ extraHTTPHeaders: fromOwnAddress(email) });
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
  /** What the browser refused or failed at; empty at the end of a good visit. */
  readonly problems: string[];
  close(): Promise<void>;
}

export async function visit(browser: Browser, options: BrowserContextOptions): Promise<Visit> {
  const context = await browser.newContext(options);
  await context.addInitScript(tellViolations);
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

/** Not every policy violation is logged to the console. An error in a page fails its visit. */
function tellViolations() {
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber }) => {
    throw new Error(`policy: ${violatedDirective} ${blockedURI} ${sourceFile}:${lineNumber}`);
  });
}

/** The address of a workspace's own pages. */
export async function baseOf(page: Page, origin: string): Promise<string> {
  await page.goto(`${origin}/app`);
  return page.url();
}

/** Waits until it has the focus: `autofocus` gives it a moment after the page is there. */
export function hasFocus(locator: Locator): Promise<void> {
  return locator.and(locator.page().locator(':focus')).waitFor();
}

/** Signs in, for tests of workspace pages below `base`. */
export async function enter(browser: Browser, origin: string, email: string = demo.owner) {
  const storageState = await signIn(browser, origin, email);
  const { page, close } = await visit(browser, { storageState });
  const base = await baseOf(page, origin);
  await close();
  return { storageState, base };
}

interface AxeResult {
  readonly violations: readonly {
    id: string;
    nodes: readonly { target: unknown; failureSummary: string }[];
  }[];
}

/** What axe-core finds wrong with the page. Runs in a world of its own, which the page's policy does not bind. */
export async function axeProblems(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  });
  const run = async (expression: string) => {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression,
      contextId: executionContextId,
      awaitPromise: true,
      returnByValue: true,
    });
    assert.equal(exceptionDetails, undefined, JSON.stringify(exceptionDetails));
    return result.value;
  };
  await run(`${axe}; undefined`);
  const { violations } = (await run('axe.run(document, { resultTypes: ["violations"] })')) as AxeResult;
  await session.detach();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${JSON.stringify(target)} ${failureSummary}`),
  );
}

export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}
