import type { Browser } from 'playwright-core';
import type { StorageState } from '../../test/browser/visit.ts';

/** Returns the milliseconds that the command palette takes to open in each run, once its module has loaded. */
export async function measurePalette(
  browser: Browser,
  storageState: StorageState,
  board: string,
  runs: number,
): Promise<readonly number[]> {
  const context = await browser.newContext({ storageState, viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(board);
  const times: number[] = [];
  for (let run = 0; run <= runs; run += 1) {
    const openMs = await page.evaluate(async () => {
      const start = performance.now();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }));
      while (!document.querySelector('.palette[open] [role="option"]'))
        await new Promise((resolve) => requestAnimationFrame(resolve));
      return performance.now() - start;
    });
    if (run > 0) times.push(openMs);
    await page.keyboard.press('Escape');
    await page.locator('.palette').waitFor({ state: 'detached' });
  }
  await context.close();
  return times;
}
