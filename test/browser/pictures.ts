// Takes the screenshots for README.md and the landing page in both color schemes.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/databases.ts';
import { launchChromium } from './chromium.ts';
import { openServer } from './server.ts';
import { getWorkspaceUrl, signIn, visit } from './visit.ts';

const BOARD = '/projects/1';
const DISCUSSED_CARD = '.column[data-status="client_review"] .cards > li:has(.card-count) > a';
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
    // WebP files are a third of the size of Playwright's screenshots.
    const takeScreenshot = async (name: string) => {
      const { data } = await devTools.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
      writeFileSync(join(folder, `${name}-${colorScheme}.webp`), Buffer.from(data, 'base64'));
    };
    const base = await getWorkspaceUrl(page, server.origin);
    await page.goto(base + BOARD, { waitUntil: 'networkidle' });
    await takeScreenshot('board');
    const task = await page.locator(DISCUSSED_CARD).first().getAttribute('href');
    await page.goto(server.origin + task, { waitUntil: 'networkidle' });
    await takeScreenshot('task');
    await close();
  }
} finally {
  await browser.close();
  await server.stop();
}
