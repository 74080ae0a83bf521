// This file is long because its tests share the functions that paste, drop and find images.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { endInterceptions, interceptRequests } from './intercept.ts';
import { createImage } from './png.ts';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { findAxeProblems, getWorkspaceUrl, type StorageState, signIn, visit } from './visit.ts';

const { server, browser } = await openServerAndBrowser();
let storageState: StorageState;
let base: string;
const viewport = { width: 1280, height: 800 };

before(async () => {
  storageState = await signIn(browser, server.origin, demo.member);
  const { page, close } = await visit(browser, { storageState });
  base = await getWorkspaceUrl(page, server.origin);
  await close();
});

/** Opens the page of a new task. */
async function openNewTask(name: string, options: Parameters<typeof visit>[1] = {}) {
  const visited = await visit(browser, { storageState, viewport, reducedMotion: 'reduce', ...options });
  const { page } = visited;
  await page.goto(`${base}/tasks/new?project=1`);
  await page.getByLabel('Task name').fill(name);
  await page.getByRole('button', { name: 'Create task' }).click();
  await page.locator('article.task').waitFor();
  return visited;
}

interface GivenFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: readonly number[];
}

const toFile = (name: string, [width, height]: [number, number] = [40, 30]): GivenFile => ({
  name,
  type: 'image/png',
  bytes: [...createImage(width, height)],
});

/** Dispatches the event that the browser sends when someone pastes or drops a file. */
async function give(target: Locator, way: 'paste' | 'drop', files: readonly GivenFile[]) {
  await target.evaluate(
    (element, { way, files }) => {
      const data = new DataTransfer();
      for (const { name, type, bytes } of files)
        data.items.add(new File([new Uint8Array(bytes)], name, { type }));
      const { left, top } = element.getBoundingClientRect();
      const options = { bubbles: true, cancelable: true };
      const place = { clientX: left + 14, clientY: top + 12 };
      element.dispatchEvent(
        way === 'paste'
          ? new ClipboardEvent('paste', { ...options, clipboardData: data })
          : new DragEvent('drop', { ...options, ...place, dataTransfer: data }),
      );
    },
    { way, files },
  );
}

const openEditor = async (page: Page) => {
  await page.getByText(/^(Edit|Add a) description$/).click();
  const editor = page.locator('.editor').getByRole('textbox', { name: 'Description', exact: true });
  await editor.waitFor();
  return editor;
};

/** Waits until the browser has loaded and decoded the image. */
async function waitUntilShown(image: Locator, width: number) {
  await image.scrollIntoViewIfNeeded();
  await image.evaluate((each: HTMLImageElement) => each.decode());
  assert.equal(await image.evaluate((each: HTMLImageElement) => each.naturalWidth), width);
}

test('an image that is pasted into a description is uploaded, stays where the cursor was, and is shown after a reload', async () => {
  const { page, problems, close } = await openNewTask('Paste an image');
  const editor = await openEditor(page);
  await editor.focus();
  await page.keyboard.type('before after');
  for (let left = 0; left < ' after'.length; left += 1) await page.keyboard.press('ArrowLeft');
  await give(editor, 'paste', [toFile('image.png')]);
  await waitUntilShown(editor.getByRole('img'), 40);
  await page.keyboard.type('!');
  const field = page.locator('#description');
  assert.match(
    await field.inputValue(),
    /^<p>before!?<img src="attachment:\d+" alt="Pasted [\d -]+">!? after<\/p>$/,
  );
  // The description of the image.
  await editor.getByRole('img').click();
  await page.getByRole('textbox', { name: 'Alt text' }).fill('A red square');
  await page.keyboard.press('Enter');
  assert.match(await field.inputValue(), /alt="A red square"/);
  assert.deepEqual(await findAxeProblems(page), []);
  await page.keyboard.press('ControlOrMeta+Enter');
  const shown = page.locator('.section > .rich').getByRole('img', { name: 'A red square' });
  await waitUntilShown(shown, 40);
  await page.reload();
  await waitUntilShown(shown, 40);
  // The image is also one of the task's files.
  await page.locator('.files li', { hasText: 'Pasted' }).getByRole('link').waitFor();
  assert.deepEqual(await findAxeProblems(page), []);
  assert.deepEqual(problems, []);
  await close();
});

/** Waits until the new comment refers to as many attachments. */
const waitForReference = (page: Page, count = 1) =>
  page.waitForFunction(
    (count) =>
      document.querySelector<HTMLTextAreaElement>('#new-comment')?.value.match(/attachment:/g)?.length ===
      count,
    count,
  );

test('an image that is dropped into a comment is uploaded and shown in the comment', async () => {
  const { page, problems, close } = await openNewTask('Drop an image');
  const field = page.locator('#new-comment');
  await field.focus();
  await page.locator('#new-comment-tools button').first().waitFor();
  await page.keyboard.type('Look: ');
  await give(field, 'drop', [toFile('chart.png', [50, 20])]);
  await page.keyboard.type(' ok');
  await waitForReference(page);
  await page.keyboard.type(' done');
  assert.match(await field.inputValue(), /^Look: !\[chart\]\(attachment:\d+\) ok done$/);
  // The cursor is right after the image when its upload ends.
  await give(field, 'paste', [toFile('next.png')]);
  await waitForReference(page, 2);
  await page.keyboard.type('.');
  assert.match(await field.inputValue(), / ok done!\[next\]\(attachment:\d+\)\.$/);
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  const shown = page.locator('.comment').getByRole('img', { name: 'chart' });
  await waitUntilShown(shown, 50);
  await page.reload();
  await waitUntilShown(shown, 50);
  assert.equal(await page.locator('.files .panel:not(.uploads) li').count(), 2);
  assert.deepEqual(problems, []);
  await close();
});

test('while the server is gone, an image waits, and Retry uploads it; a rejected image can be retried or removed', async () => {
  const { page, close } = await openNewTask('Retry');
  const editor = await openEditor(page);
  await editor.focus();
  await page.keyboard.type('kept ');
  await interceptRequests(page, '**/uploads**', (route) => route.abort());
  await give(editor, 'paste', [toFile('slow.png')]);
  const upload = editor.locator('.image-upload');
  await upload.getByText('waiting for the server').waitFor();
  await page.keyboard.type('and typed');
  // The form waits, because the text would be saved without the image.
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText("An image hasn't been uploaded yet.").waitFor();
  assert.equal(await editor.isVisible(), true);
  // Leaving the page shows the browser's question.
  const question = page.waitForEvent('dialog');
  const leaving = page.close({ runBeforeUnload: true });
  await (await question).dismiss();
  await leaving;
  await endInterceptions(page);
  await upload.getByRole('button', { name: 'Retry' }).click();
  await waitUntilShown(editor.getByRole('img'), 40);
  assert.match(
    await page.locator('#description').inputValue(),
    /^<p>kept .*<img .*and typed|and typed.*<img/,
  );

  await interceptRequests(page, '**/uploads', (route) =>
    route.fulfill({ status: 403, contentType: 'application/json', body: '{"message":"No space left."}' }),
  );
  await give(editor, 'paste', [toFile('other.png', [60, 10])]);
  await upload.getByText('No space left.').waitFor();
  await endInterceptions(page);
  await upload.getByRole('button', { name: 'Retry' }).click();
  await waitUntilShown(editor.getByRole('img', { name: 'other' }), 60);
  await interceptRequests(page, '**/uploads', (route) =>
    route.fulfill({ status: 403, contentType: 'application/json', body: '{"message":"No space left."}' }),
  );
  await give(editor, 'paste', [toFile('third.png')]);
  await upload.getByText('No space left.').waitFor();
  await upload.getByRole('button', { name: 'Remove' }).click();
  await upload.waitFor({ state: 'detached' });
  await page.keyboard.press('ControlOrMeta+Enter');
  await page.locator('.section > .rich img').nth(1).waitFor();
  await close();
});

test('pasted HTML keeps images of the same task, and drops all others without loading them', async () => {
  const { page, problems, close } = await openNewTask('Paste HTML');
  const { name, type, bytes } = toFile('one.png');
  await page
    .locator('input[type=file]')
    .setInputFiles([{ name, mimeType: type, buffer: Buffer.from(bytes) }]);
  const address = await page.getByRole('link', { name }).evaluate((link: HTMLAnchorElement) => link.href);
  const id = address.split('/').at(-1);
  const requests: string[] = [];
  const editor = await openEditor(page);
  await editor.focus();
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await editor.evaluate((element, address) => {
    const data = new DataTransfer();
    const others = ['https://example.com/x.png', '/app/other/tasks/1/files/1', 'data:image/png;base64,AAAA'];
    const html = others
      .map((source) => `<img src="${source}" alt="other" onerror="window.hit = 1">`)
      .join('');
    data.setData('text/html', `<p>a<img src="${address}" alt="own" onerror="window.hit = 1">b${html}c</p>`);
    element.dispatchEvent(
      new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }),
    );
  }, address);
  const field = page.locator('#description');
  const pasted = `<p>a<img src="attachment:${id}" alt="own">bc</p>`;
  assert.equal(await field.inputValue(), pasted);
  await waitUntilShown(editor.getByRole('img'), 40);
  for (const key of ['A', 'X', 'V']) await page.keyboard.press(`ControlOrMeta+${key}`);
  assert.equal(await field.inputValue(), pasted);
  assert.deepEqual(
    requests.filter((path) => !path.startsWith('/downloads/') && path !== new URL(address).pathname),
    [],
  );
  assert.deepEqual(problems, []);
  await close();
});

test('images open in a dialog, with arrow keys between them, and as links without JavaScript', async () => {
  const { page, problems, close } = await openNewTask('View images');
  await page.locator('input[type=file]').setInputFiles(
    [toFile('one.png', [300, 200]), toFile('two.png', [200, 300])].map(({ name, type, bytes }) => ({
      name,
      mimeType: type,
      buffer: Buffer.from(bytes),
    })),
  );
  const files = page.locator('.files .panel:not(.uploads) li');
  await files.nth(1).waitFor();
  const box = await files.first().locator('.thumbnail').boundingBox();
  assert.deepEqual([box?.width, box?.height], [40, 40]);
  await files.filter({ hasText: 'one.png' }).getByRole('link').focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Image' });
  await waitUntilShown(dialog.getByRole('img', { name: 'one.png' }), 300);
  assert.deepEqual(await findAxeProblems(page), []);
  for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
  await waitUntilShown(dialog.getByRole('img', { name: 'two.png' }), 200);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(() => document.activeElement?.textContent?.trim()), 'one.png');
  const address = page.url();
  assert.deepEqual(problems, []);
  await close();

  const plain = await visit(browser, { storageState, javaScriptEnabled: false, viewport });
  await plain.page.goto(address);
  await plain.page.getByRole('link', { name: 'one.png' }).click();
  await plain.page.waitForURL('**/downloads/**');
  await plain.close();
});
