import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { inputMethods } from './input-methods.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { getWorkspaceUrl, type StorageState, signIn, visit } from './visit.ts';

const { server, browser } = await openServerAndBrowser();
let storageState: StorageState;
const mark = Date.now().toString(36);
const DATE = '2031-03-05';
const LATER_DATE = '2031-03-06';

before(async () => {
  storageState = await signIn(browser, server.origin);
});

for (const inputMethod of inputMethods.filter(({ name }) => name !== 'keyboard')) {
  test(`the new meeting form saves the date and time that it displays (${inputMethod.name})`, async () => {
    const { page, problems, close } = await visit(browser, { storageState, ...inputMethod.options });
    const base = await getWorkspaceUrl(page, server.origin);
    const hasScript = inputMethod.options.javaScriptEnabled !== false;
    await page.goto(`${base}/meetings/new?projectId=1&date=${DATE}&time=09:00&minutes=30`);
    const form = page.getByRole('form', { name: 'New meeting' });
    const name = `Fitting ${inputMethod.name} ${mark}`;
    await form.getByLabel('Name').fill(name);
    await form.getByLabel('Location').fill('Loft');
    await form.getByRole('checkbox').last().check();
    const ticked = await form.locator('[name="participantIds"]:checked').count();
    await form.getByLabel('Repeat').selectOption({ label: 'every Wednesday' });
    await form.getByLabel('Date').fill(LATER_DATE);
    await form.getByLabel('Time', { exact: true }).fill('16:30');
    assert.equal(await form.getByRole('button', { name: 'Check availability' }).count(), hasScript ? 0 : 1);
    if (hasScript) await form.getByLabel('Duration').selectOption('90');
    else await form.getByRole('button', { name: 'Check availability' }).click();
    await page
      .locator('[name="recurrence"] option:checked', { hasText: 'every Thursday' })
      .waitFor({ state: 'attached' });
    assert.equal(await form.getByLabel('Name').inputValue(), name);
    assert.equal(await form.getByLabel('Time', { exact: true }).inputValue(), '16:30');
    assert.equal(await form.locator('[name="participantIds"]:checked').count(), ticked);
    // Changes the time again without checking availability.
    await form.getByLabel('Time', { exact: true }).fill('17:15');
    await form.getByLabel('Repeat').selectOption('');
    await form.getByRole('button', { name: 'Create meeting' }).click();
    await page.waitForURL(/\/meetings\/\d+$/);
    const [day, time] = [page.getByLabel('Date'), page.getByLabel('Time', { exact: true })];
    assert.deepEqual([await day.inputValue(), await time.inputValue()], [LATER_DATE, '17:15']);
    assert.match(await page.locator('main').innerText(), /Loft/);
    assert.equal(await page.locator('.rows li').count(), ticked);
    assert.deepEqual(problems, []);
    await close();
  });
}

test('the new meeting form lists the members of the selected project and keeps typed text', async () => {
  const { page, problems, close } = await visit(browser, { storageState });
  const base = await getWorkspaceUrl(page, server.origin);
  await page.goto(`${base}/meetings/new`);
  const form = page.getByRole('form', { name: 'New meeting' });
  assert.equal(await form.getByRole('checkbox').count(), 1);
  await form.getByLabel('Name').fill('Half a name');
  await form.getByLabel('Project').selectOption('1');
  await form.getByRole('checkbox').nth(1).waitFor();
  await form.getByLabel('Name').press('End');
  await form.getByLabel('Name').pressSequentially(' and the rest');
  assert.equal(await form.getByLabel('Name').inputValue(), 'Half a name and the rest');
  await page.reload();
  assert.ok((await form.getByRole('checkbox').count()) > 1);
  assert.deepEqual(problems, []);
  await close();
});
