import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { findForm, inputMethods, submitForm } from './input-methods.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import {
  findAxeProblems,
  getWorkspaceUrl,
  measureOverflow,
  type StorageState,
  signIn,
  visit,
  waitForFocus,
} from './visit.ts';

const { server, browser } = await openServerAndBrowser();
let storageState: StorageState;
const mark = Date.now().toString(36);

before(async () => {
  storageState = await signIn(browser, server.origin);
});

/** The test below covers the keyboard, including the editor. */
for (const inputMethod of inputMethods.filter(({ name }) => name !== 'keyboard')) {
  test(`the new task form creates a task with the selected type and estimate (${inputMethod.name})`, async () => {
    const { page, problems, close } = await visit(browser, { storageState, ...inputMethod.options });
    const base = await getWorkspaceUrl(page, server.origin);
    await page.goto(`${base}/tasks?project=1&status=in_progress`);
    await inputMethod.press(page.getByRole('link', { name: 'New task' }));
    await page.getByRole('heading', { name: 'New task' }).waitFor();
    const form = findForm(page, '/tasks/new');
    assert.equal(await form.getByLabel('Status').inputValue(), 'in_progress');
    const kind = form.getByLabel('Category and type');
    const type = await kind.locator('optgroup').first().locator('option').nth(1).innerText();
    await inputMethod.enterText(kind, type.trim());
    const name = `Whole ${inputMethod.name} ${mark}`;
    await inputMethod.enterText(form.getByLabel('Project', { exact: true }), 'Studio operations');
    await submitForm(inputMethod, form, {
      fields: { name, customEstimatedHours: '2.5', deadline: '2030-01-05' },
      button: 'Create task',
    });
    await page.getByRole('heading', { name }).waitFor();
    const facts = await page.locator('.property-list').innerText();
    assert.match(facts, new RegExp(type.trim().replace(/[^\w ]/g, '.')));
    assert.equal(await page.getByRole('textbox', { name: 'Estimate (h)' }).inputValue(), '2.5');
    assert.deepEqual(problems, []);
    await close();
  });
}

test('the new task form can be filled in using only the keyboard', async () => {
  const { page, problems, close } = await visit(browser, { storageState });
  const base = await getWorkspaceUrl(page, server.origin);
  await page.goto(`${base}/tasks/new?assignee=me`);
  const { keyboard } = page;
  const tabTo = async (selector: string) => {
    for (let presses = 0; presses < 12; presses += 1) {
      if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
      await keyboard.press('Tab');
    }
    assert.fail(`${selector} is not reached`);
  };
  const name = `By keys ${mark}`;
  await waitForFocus(page.getByLabel('Task name'));
  await keyboard.type(name);
  await tabTo('#projectId');
  await keyboard.type('Studio');
  await tabTo('#priority');
  await keyboard.type('High');
  await page.locator('[data-pick="priority"]', { hasText: 'High' }).waitFor();
  await tabTo('#deadline');
  await keyboard.press('Space');
  await waitForFocus(page.locator('.picker').getByRole('combobox', { name: 'Deadline' }));
  await keyboard.type('24 dec 2031');
  await keyboard.press('Enter');
  await page.locator('[data-pick="deadline"]', { hasText: '24 Dec 2031' }).waitFor();
  await tabTo('#tags');
  await keyboard.press('Space');
  await waitForFocus(page.locator('.picker').getByRole('combobox', { name: 'Tags' }));
  await keyboard.type('by key');
  await keyboard.press('Enter');
  await keyboard.press('Escape');
  await page.locator('[data-pick="tags"]', { hasText: 'by key' }).waitFor();
  await tabTo('textarea, [contenteditable="true"]');
  await page.locator('.editor [contenteditable]').waitFor();
  await keyboard.type('Because');
  await tabTo('#customEstimatedHours');
  await keyboard.type('3');
  await keyboard.press('Enter');
  await page.getByRole('heading', { name }).waitFor();
  await page.locator('.rich', { hasText: 'Because' }).waitFor();
  assert.equal(await page.getByRole('combobox', { name: 'Priority' }).inputValue(), 'high');
  assert.equal(await page.locator('input[name="deadline"]').inputValue(), '2031-12-24');
  assert.equal(await page.locator('input[name="tags"]').inputValue(), 'by key');
  assert.deepEqual(problems, []);
  await close();
});

for (const javaScriptEnabled of [true, false]) {
  test(`the new task form keeps entered values and focuses the invalid field after an error (${javaScriptEnabled ? 'with' : 'without'} JavaScript)`, async () => {
    const { page, close } = await visit(browser, {
      storageState,
      javaScriptEnabled,
      viewport: { width: 320, height: 800 },
    });
    const base = await getWorkspaceUrl(page, server.origin);
    await page.goto(`${base}/tasks/new`);
    await page.getByLabel('Task name').fill('No project yet');
    await page.getByLabel('Priority').selectOption('high');
    await page.getByLabel('Category and type').selectOption({ index: 2 });
    const kind = await page.getByLabel('Category and type').inputValue();
    await page.getByRole('button', { name: 'Create task' }).click();
    await page.getByText('This field is required.').waitFor();
    const project = page.getByLabel('Project', { exact: true });
    assert.equal(await project.getAttribute('aria-invalid'), 'true');
    await waitForFocus(project);
    assert.equal(await page.getByLabel('Task name').inputValue(), 'No project yet');
    assert.equal(await page.getByLabel('Priority').inputValue(), 'high');
    assert.equal(await page.getByLabel('Category and type').inputValue(), kind);
    // These checks need JavaScript.
    if (javaScriptEnabled) assert.deepEqual(await findAxeProblems(page), []);
    if (javaScriptEnabled) assert.equal(await measureOverflow(page), 0);
    await project.selectOption({ index: 1 });
    await page.getByLabel('Task name').fill('   ');
    await page.getByRole('button', { name: 'Create task' }).click();
    await page.getByText('Must not be blank.').waitFor();
    const name = page.getByLabel('Task name');
    assert.equal(await name.getAttribute('aria-invalid'), 'true');
    await waitForFocus(name);
    const why = page.locator(`#${await name.getAttribute('aria-describedby')}`);
    assert.equal(await why.textContent(), 'Must not be blank.');
    await close();
  });
}
