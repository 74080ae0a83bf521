import type { BrowserContextOptions } from 'playwright-core';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { type Colleague, openColleague } from './team.ts';
import { getWorkspaceUrl, visit } from './visit.ts';

const viewport = { width: 1280, height: 800 };

export async function openBrowserAsOwner() {
  let me: Colleague | undefined;
  const { server, browser } = await openServerAndBrowser(async () => me?.close());
  me = await openColleague(browser, server.origin, demo.owner, { viewport });
  const base = await getWorkspaceUrl(me.page, server.origin);
  const storageState = await me.page.context().storageState();
  const openPage = async (address: string, options: BrowserContextOptions = {}) => {
    const visited = await visit(browser, { storageState, viewport, reducedMotion: 'reduce', ...options });
    await visited.page.goto(address);
    return visited;
  };
  return { server, browser, me, base, board: `${base}/projects/1`, viewport, openPage };
}
