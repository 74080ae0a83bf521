import { appendFileSync } from 'node:fs';
import { after, before } from 'node:test';
import type { Browser } from 'playwright-core';
import {
  type PreparedServer,
  prepareServer,
  type RunningServer,
  startServer,
} from '../../scripts/own-server.ts';
import { launchChromium } from './chromium.ts';

interface OwnServerAndBrowser {
  prepared: PreparedServer;
  /** A test can stop the server and assign a new one. */
  server: RunningServer;
  browser: Browser;
}

/** Starts a separate server and a browser for one test file. `name` is the prefix of the server's folder. */
export function createOwnServerAndBrowser(
  name: string,
  variables: Readonly<Record<string, string>> = {},
): OwnServerAndBrowser {
  const stage: Partial<OwnServerAndBrowser> = {};
  before(async () => {
    stage.prepared = await prepareServer(name);
    for (const [variable, value] of Object.entries(variables))
      appendFileSync(stage.prepared.variables, `${variable}="${value}"\n`);
    stage.server = await startServer(stage.prepared);
    stage.browser = await launchChromium();
  });
  after(async () => {
    await stage.browser?.close();
    await stage.server?.stop();
    stage.prepared?.remove();
  });
  return stage as OwnServerAndBrowser;
}
