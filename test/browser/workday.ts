import type { Locator, Page, Route } from 'playwright-core';
import { endInterceptions, interceptRequests } from './intercept.ts';

/** No one in the demo works during this many minutes after midnight. */
const NIGHT_MINUTES = 5 * 60;

export async function writeDescription(page: Page, text: string): Promise<{ save(): Promise<void> }> {
  await page.getByText(/^(Edit|Add a) description$/).click();
  await page.locator('.editor').getByRole('textbox', { name: 'Description' }).fill(text);
  return { save: () => page.locator('details.edit[open]').getByRole('button', { name: 'Save' }).click() };
}

/** Starts and pauses an upload to the open task, and reloads the page. `resume` continues the upload. */
export async function uploadWithPause(
  page: Page,
  path: string,
  meanwhile = async () => {},
): Promise<{ resume(): Promise<void> }> {
  const second = Promise.withResolvers<Route>();
  // Blocks the second chunk, so that there is time to pause.
  await interceptRequests(page, '**/parts/2', second.resolve);
  const input = page.locator('input[type="file"]');
  await input.setInputFiles(path);
  const blocked = await second.promise;
  await meanwhile();
  const row = page.locator('#uploads li');
  await row.getByRole('button', { name: /^Pause/ }).click();
  await row.getByText('paused').waitFor();
  // The page has already canceled this request. Aborting it keeps the server from receiving it later.
  await blocked.abort().catch(() => undefined);
  await endInterceptions(page);
  await page.reload();
  await row.getByText('8.0 MB of').waitFor();
  return { resume: () => input.setInputFiles(path) };
}

/** Drags local files over an element, as if from a file manager. Returns a function that drops them. */
export async function dropFiles(place: Locator, paths: readonly string[]): Promise<() => Promise<void>> {
  const page = place.page();
  const box = await place.boundingBox();
  if (!box) throw new Error(`${place} is not shown`);
  const session = await page.context().newCDPSession(page);
  const send = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', {
      type,
      x: box.x + box.width / 2,
      y: box.y + box.height / 2,
      data: { items: [], files: [...paths], dragOperationsMask: 1 },
    });
  await send('dragEnter');
  await send('dragOver');
  return async () => {
    await send('drop');
    await session.detach();
  };
}

export async function trackTime(page: Page, base: string): Promise<void> {
  const address = page.url();
  await page.getByRole('button', { name: 'Start timer' }).click();
  const running = page.getByRole('form', { name: 'Running timer' });
  await running.waitFor();
  await page.goto(base);
  await running.getByRole('button', { name: 'Stop timer' }).click();
  await running.waitFor({ state: 'detached' });
  await page.goto(address);
}

export async function logTimeYesterday(page: Page, task: string): Promise<void> {
  await page.goto(task);
  const form = page.getByRole('form', { name: 'Log time' });
  await page.locator('summary', { hasText: 'Log time' }).click();
  const now = (await form.getByLabel('From').getAttribute('max')) ?? '';
  const yesterday = addDays(now.slice(0, 10), -1);
  // A random start, because a person's entries can't overlap and the test may run twice on the same server.
  const start = Math.floor(Math.random() * NIGHT_MINUTES);
  const [from, to] = [formatClock(start), formatClock(start + 20)];
  await form.getByLabel('From').fill(`${yesterday}T${from}`);
  await form.getByLabel('To').fill(`${yesterday}T${to}`);
  await form.getByRole('button', { name: 'Log' }).click();
  await page.getByText(`${from}–${to}`).waitFor();
}

/** Creates a meeting with everyone in the project on a future Wednesday. `next` is the Thursday after it. */
export async function planMeeting(page: Page, base: string, name: string) {
  const today = new Date().toISOString().slice(0, 10);
  const date = addDays(today, 7 + ((3 - new Date(today).getUTCDay() + 7) % 7));
  await page.goto(`${base}/meetings/new?projectId=1&date=${date}&time=11:00&minutes=45`);
  const form = page.getByRole('form', { name: 'New meeting' });
  await form.getByLabel('Name').fill(name);
  for (const box of await form.getByRole('checkbox').all()) await box.check();
  await form.getByRole('button', { name: 'Create meeting' }).click();
  await page.waitForURL(/\/meetings\/\d+$/);
  return { id: Number(page.url().split('/').at(-1)), name, date, next: addDays(date, 1) };
}

function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}

function formatClock(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
