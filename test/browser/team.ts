import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { APIRequestContext, Browser, BrowserContextOptions, Page } from 'playwright-core';
import { root } from '../../scripts/databases.ts';
import { HANG_MS } from '../support/timeout.ts';
import { demo } from './server.ts';
import { getAddressHeaders, getWorkspaceUrl, signIn, type Visit, visit } from './visit.ts';

const desk: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
};

export interface Colleague extends Visit {
  /** Calls `/v1` as this person. The method defaults to POST if there is a body. */
  ask<T>(path: string, body?: object, method?: string): Promise<T>;
}

export interface Team {
  readonly owner: Colleague;
  readonly lead: Colleague;
  readonly member: Colleague;
  /** The client uses a phone. */
  readonly client: Colleague;
  readonly all: readonly Colleague[];
  readonly base: string;
}

export async function openTeam(browser: Browser, origin: string): Promise<Team> {
  const [owner, lead, member, client] = await Promise.all([
    openColleague(browser, origin, demo.owner, desk),
    openColleague(browser, origin, 'lead@demo.test', desk),
    openColleague(browser, origin, demo.member, desk),
    openColleague(browser, origin, 'client@demo.test', phone),
  ]);
  const all = [owner, lead, member, client];
  return { owner, lead, member, client, all, base: await getWorkspaceUrl(owner.page, origin) };
}

export async function openColleague(
  browser: Browser,
  origin: string,
  email: string,
  options: BrowserContextOptions,
): Promise<Colleague> {
  const visited = await visit(browser, { ...options, storageState: await signIn(browser, origin, email) });
  let token: string | undefined;
  const ask = async <T>(path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<T> => {
    const { request } = visited.page;
    token ??= await logIn(request, origin, email);
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await request.fetch(`${origin}/v1${path}`, {
      method,
      headers,
      ...(body && { data: body }),
    });
    if (!answer.ok()) throw new Error(`${path} returned ${answer.status()}: ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  return { ...visited, ask };
}

/** Signs in once per server and returns the token, which test files share because sign-ins are rate-limited. */
async function logIn(request: APIRequestContext, origin: string, email: string): Promise<string> {
  const kept = join(root, '.wrangler', `signed-in-${new URL(origin).port}-${email}.token`);
  if (existsSync(kept)) return readFileSync(kept, 'utf8');
  const data = { email, password: demo.password };
  const answer = await request.post(`${origin}/v1/auth/login`, { data, headers: getAddressHeaders(email) });
  if (!answer.ok()) throw new Error(`The sign-in returned ${answer.status()}: ${await answer.text()}`);
  const { token } = await answer.json();
  writeFileSync(kept, token);
  return token;
}

export interface ExpectedText {
  readonly selector: string;
  readonly text: string;
}

/** Runs `act`, and returns the milliseconds until its result is visible on all other screens. */
export async function measureDelay(
  act: () => Promise<unknown>,
  others: readonly { readonly page: Page }[],
  sight: ExpectedText,
): Promise<number> {
  const waits = others.map(({ page }) => page.evaluate(waitForText, { ...sight, msMax: HANG_MS }));
  const startedAt = Date.now();
  const [, ...seenAt] = await Promise.all([act(), ...waits]);
  return Math.max(...seenAt) - startedAt;
}

/** Runs in the page, because Playwright polls too rarely to measure the delay. */
function waitForText({ selector, text, msMax }: ExpectedText & { msMax: number }): Promise<number> {
  const deadline = Date.now() + msMax;
  return new Promise((resolve, reject) => {
    const lookForText = () => {
      const isSeen = [...document.querySelectorAll(selector)].some(
        (element) => element.checkVisibility() && element.textContent?.includes(text),
      );
      if (isSeen) resolve(Date.now());
      else if (Date.now() > deadline)
        reject(new Error(`${location.pathname} never showed ${text} in ${selector}`));
      else setTimeout(lookForText, 8);
    };
    lookForText();
  });
}
