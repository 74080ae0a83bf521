import type { Locator, Page } from 'playwright-core';

export const findColumn = (page: Page, status: string) => page.locator(`.column[data-status="${status}"]`);
export const findCard = (page: Page, name: string) => page.locator('.cards > li', { hasText: name });
/** Excludes the copy of a card that follows the pointer during a drag. */
export const buildCardsSelector = (status: string) =>
  `.column[data-status="${status}"] .cards > li:not(.sortable-fallback)`;
export const findCardInColumn = (page: Page, status: string, name: string) =>
  page.locator(buildCardsSelector(status), { hasText: name });

export async function addCard(page: Page, name: string, status = 'todo') {
  await findColumn(page, status).getByPlaceholder('Add a task…').fill(name);
  await page.keyboard.press('Enter');
  await findColumn(page, status).locator('.cards > li', { hasText: name }).waitFor();
}

interface Point {
  readonly x: number;
  readonly y: number;
}

async function getDragPoints(item: Locator, list: Locator): Promise<readonly [from: Point, to: Point]> {
  await item.scrollIntoViewIfNeeded();
  const [from, to] = [await item.boundingBox(), await list.boundingBox()];
  if (!from || !to) throw new Error(`${item} cannot be dragged to ${list}: one of them is not shown`);
  return [
    { x: from.x + Math.min(60, from.width / 2), y: from.y + 12 },
    { x: to.x + to.width / 2, y: to.y + Math.min(20, to.height / 2) },
  ];
}

/** Moves the mouse to a point in a list, and waits until SortableJS has loaded and set up a list. */
export async function movePointerTo(page: Page, { x, y }: Point) {
  await page.mouse.move(x, y);
  // Moves twice, because the page ignores mouse events without movement, which browsers also send when a page loads
  // under the mouse.
  await page.mouse.move(x + 1, y);
  await page.waitForFunction(() =>
    [...document.querySelectorAll('ul, ol')].some((list) =>
      Object.keys(list).some((name) => name.startsWith('Sortable')),
    ),
  );
}

/** Drags an item over another list. `drop` releases it. */
export async function dragByMouse(item: Locator, list: Locator): Promise<{ drop(): Promise<void> }> {
  const { mouse } = item.page();
  const [from, to] = await getDragPoints(item, list);
  await movePointerTo(item.page(), from);
  await mouse.down();
  await mouse.move(from.x + 30, from.y + 18, { steps: 4 });
  await mouse.move(to.x, to.y, { steps: 12 });
  await list.locator('.sortable-ghost').waitFor();
  return { drop: () => mouse.up() };
}

/** Drags an item by touch. The finger first rests on the item, because moving immediately would scroll. */
export async function dragByTouch(item: Locator, list: Locator): Promise<{ drop(): Promise<void> }> {
  const finger = await item.page().context().newCDPSession(item.page());
  const dispatchTouch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: readonly Point[]) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints: [...points] });
  const [from, to] = await getDragPoints(item, list);
  await dispatchTouch('touchStart', [from]);
  await item.page().locator('.sortable-chosen').waitFor();
  for (let step = 1; step <= 12; step += 1) {
    const at = step / 12;
    await dispatchTouch('touchMove', [
      { x: from.x + (to.x - from.x) * at, y: from.y + (to.y - from.y) * at },
    ]);
  }
  await list.locator('.sortable-ghost').waitFor();
  return {
    async drop() {
      await dispatchTouch('touchEnd', []);
      await finger.detach();
    },
  };
}

export async function selectFilter(page: Page, field: string, value: string) {
  const list = page.getByRole('dialog', { name: field, exact: true });
  // Until the page's script has started, a submit button is also named "Filter".
  await page.locator('.scripted form.filters').getByRole('button', { name: 'Filter', exact: true }).click();
  for (const [label, name] of [
    ['Filter', field],
    [field, value],
  ] as const)
    await page
      .getByRole('dialog', { name: label, exact: true })
      .getByRole('option', { name, exact: true })
      .click();
  // A multi-select picker stays open after a selection.
  if (await list.isVisible()) await page.keyboard.press('Escape');
}
