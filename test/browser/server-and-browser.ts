import { after } from 'node:test';
import { launchChromium } from './chromium.ts';
import { openServer } from './server.ts';

/** Opens a server and a browser for one test file. After the file's tests, `leave` runs, and both are closed. */
export async function openServerAndBrowser(leave: () => Promise<void> = async () => undefined) {
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
