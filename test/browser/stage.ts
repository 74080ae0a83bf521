import { after } from 'node:test';
import { launchChromium } from './chromium.ts';
import { openServer } from './server.ts';

/** The server and the browser of a file of tests. They end with it, once `leave` has tidied up. */
export async function openStage(leave: () => Promise<void> = async () => undefined) {
  const server = await openServer();
  const browser = await launchChromium();
  after(async () => {
    try {
      await leave();
    } finally {
      await browser.close();
      await server.stop();
    }
  });
  return { server, browser };
}
