import { after, before } from 'node:test';
import type { Browser } from 'playwright-core';
import {
  type PreparedServer,
  prepareServer,
  type RunningServer,
  startServer,
} from '../../scripts/own-server.ts';
import { launchChromium } from './chromium.ts';

interface OwnStage {
  prepared: PreparedServer;
  /** The file may end it, and put the next one here. */
  server: RunningServer;
  browser: Browser;
}

/** A server of one file of tests, and a browser. They are there once the tests run. @param name tells servers apart. */
export function ownStage(name: string): OwnStage {
  const stage: Partial<OwnStage> = {};
  before(async () => {
    stage.prepared = await prepareServer(name);
    stage.server = await startServer(stage.prepared);
    stage.browser = await launchChromium();
  });
  after(async () => {
    await stage.browser?.close();
    await stage.server?.stop();
    stage.prepared?.remove();
  });
  return stage as OwnStage;
}
