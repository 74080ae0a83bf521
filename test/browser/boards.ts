// What tests do with a board.
import type { Page } from 'playwright-core';

export const column = (page: Page, status: string) => page.locator(`.column[data-status="${status}"]`);
export const card = (page: Page, name: string) => page.locator('.cards > li', { hasText: name });

export async function add(page: Page, name: string, status = 'todo') {
  await column(page, status).getByPlaceholder('Add a task…').fill(name);
  await page.keyboard.press('Enter');
  await column(page, status).locator('.cards > li', { hasText: name }).waitFor();
}
