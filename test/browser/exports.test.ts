import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { pollUntil } from '../support/timeout.ts';
import { findForm, inputMethods, submitForm } from './input-methods.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { getWorkspaceUrl, type StorageState, signIn, visit } from './visit.ts';

const { server, browser } = await openServerAndBrowser();
let storageState: StorageState;

before(async () => {
  storageState = await signIn(browser, server.origin);
});

for (const inputMethod of inputMethods) {
  test(`an export can be started, followed, downloaded and deleted (${inputMethod.name})`, async () => {
    const { page, problems, close } = await visit(browser, { storageState, ...inputMethod.options });
    const base = await getWorkspaceUrl(page, server.origin);
    await page.goto(`${base}/exports`);
    const listIds = () => page.locator('[id^="export-"]').evaluateAll((all) => all.map(({ id }) => id));
    // Other tests may have left exports.
    const known = await listIds();
    await submitForm(inputMethod, findForm(page, '/exports'), { button: 'Start export' });
    let id: string | undefined;
    await pollUntil(async () => {
      id = (await listIds()).find((each) => !known.includes(each));
      return id !== undefined;
    });
    const item = page.locator(`#${id}`);
    const link = item.getByRole('link', { name: 'Download' });
    // With JavaScript, the page shows the progress by itself.
    if (inputMethod.options.javaScriptEnabled === false) {
      while ((await link.count()) === 0) await page.reload();
    }
    await link.waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), inputMethod.press(link)]);
    assert.match(download.suggestedFilename(), /^[\w-]+-\d{4}-\d\d-\d\d\.zip$/);
    const bytes = readFileSync(await download.path());
    assert.equal(bytes.subarray(0, 4).toString('latin1'), 'PK\u0003\u0004');
    assert.ok(bytes.includes('manifest.json'));
    await inputMethod.press(item.getByLabel('Delete export'));
    await inputMethod.press(item.getByRole('button', { name: 'Delete export' }));
    await page.getByText('Export deleted').first().waitFor();
    assert.equal(await link.count(), 0);
    assert.deepEqual(problems, []);
    await close();
  });
}
