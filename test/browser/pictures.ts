// Takes the screenshots for README.md and the landing page in both color schemes.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/databases.ts';
import { launchChromium } from './chromium.ts';
import { getWorkspaceUrl, signIn, visit } from './screens.ts';
import { openServer } from './server.ts';

const BOARD = '/projects/1';
/** This card has comments. */
const DISCUSSED = '.column[data-status="client_review"] .cards > li:has(.card-count) > a';
const viewport = { width: 1280, height: 800 };
const folder = join(root, 'docs', 'images');

mkdirSync(folder, { recursive: true });
const server = await openServer();
const browser = await launchChromium();
try {
  const storageState = await signIn(browser, server.origin);
  for (const colorScheme of ['light', 'dark'] as const) {
    const options = { storageState, viewport, colorScheme };
    const { page, close } = await visit(browser, options);
    const devTools = await page.context().newCDPSession(page);
    // WebP takes a third of the size of Playwright's screenshots.
    const take = async (name: string) => {
      const { data } = await devTools.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
      writeFileSync(join(folder, `${name}-${colorScheme}.webp`), Buffer.from(data, 'base64'));
    };
    const base = await getWorkspaceUrl(page, server.origin);
    await page.goto(base + BOARD, { waitUntil: 'networkidle' });
    await take('board');
    const task = await page.locator(DISCUSSED).first().getAttribute('href');
    await page.goto(server.origin + task, { waitUntil: 'networkidle' });
    await take('task');
    await close();
  }
} finally {
  await browser.close();
  await server.stop();
}
