// Measures how soon a move is shown in the browser that made it and in a second one.
import type { Browser } from 'playwright-core';
import type { StorageState } from '../../test/browser/visit.ts';

/** The pause between two moves. If it were shorter, pages would show several moves at once. */
const MOVE_PAUSE_MS = 1_000;

export async function measureMoves(
  chromium: Browser,
  storageState: StorageState,
  board: string,
  runs: number,
) {
  const [one, other] = await Promise.all(
    [0, 1].map(async () => {
      const context = await chromium.newContext({ storageState, viewport: { width: 1280, height: 800 } });
      const page = await context.newPage();
      await page.goto(board, { waitUntil: 'networkidle' });
      return page;
    }),
  );
  if (!one || !other) throw new Error('Two pages must be open');
  const [shownMs, elsewhereMs]: [number[], number[]] = [[], []];
  for (let move = 0; move < runs; move += 1) {
    const link = one.locator('.column[data-status="todo"] .cards > li a').first();
    const id = await link.evaluate((each) => each.id);
    await link.focus();
    const waits = [one, other].map((page) =>
      page.evaluate(
        (task) =>
          new Promise<number>((done) => {
            const isThere = () =>
              document.querySelector(`.column[data-status="in_progress"] #${task}`) !== null;
            const timer = setInterval(() => {
              if (!isThere()) return;
              clearInterval(timer);
              done(Date.now());
            }, 4);
          }),
        id,
      ),
    );
    await one.evaluate(() => {
      const note = () => {
        document.documentElement.dataset.pressedAt = String(Date.now());
      };
      document.addEventListener('keydown', note, { once: true, capture: true });
    });
    await one.keyboard.press('2');
    const [shown = 0, elsewhere = 0] = await Promise.all(waits);
    const at = Number(await one.evaluate(() => document.documentElement.dataset.pressedAt));
    shownMs.push(shown - at);
    elsewhereMs.push(elsewhere - at);
    await one.locator('.cards > li.moving').waitFor({ state: 'detached' });
    await one.waitForTimeout(MOVE_PAUSE_MS);
  }
  return { shownMs, elsewhereMs };
}
