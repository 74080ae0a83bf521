import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { findForm, inputMethods, submitForm } from './input-methods.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { getWorkspaceUrl, type StorageState, signIn, visit } from './visit.ts';

const { server, browser } = await openServerAndBrowser();
let storageState: StorageState;
const mark = Date.now().toString(36);

before(async () => {
  storageState = await signIn(browser, server.origin);
});

for (const inputMethod of inputMethods) {
  test(`a project can be saved as a template, and another project can be created from it (${inputMethod.name})`, async () => {
    const { page, problems, close } = await visit(browser, { storageState, ...inputMethod.options });
    const base = await getWorkspaceUrl(page, server.origin);
    const findHeading = (name: string) => page.getByRole('heading', { name, exact: true });
    const [first, second] = [`First ${inputMethod.name} ${mark}`, `Second ${inputMethod.name} ${mark}`];
    await page.goto(`${base}/projects/new`);
    await submitForm(inputMethod, findForm(page, '/projects'), {
      fields: { name: first },
      button: 'Create project',
    });
    await findHeading(first).waitFor();
    const own = new URL(page.url()).pathname;
    await page.goto(`${base}/tasks/new?project=${own.split('/').at(-1)}`);
    await submitForm(inputMethod, findForm(page, '/tasks/new'), {
      fields: { name: 'Plan it' },
      button: 'Create task',
    });
    await findHeading('Plan it').waitFor();

    await page.goto(`${server.origin}${own}/settings`);
    await submitForm(inputMethod, findForm(page, `${own}/template`), { button: 'Save as template' });
    await findHeading(first).waitFor();
    await page.getByText('Template saved').first().waitFor();
    const addTask = page.getByRole('form', { name: 'Add a task' });
    await inputMethod.enterText(addTask.getByRole('textbox'), 'Announce it');
    await page.keyboard.press('Enter');
    await page.getByText('Announce it', { exact: true }).first().waitFor();

    const use = page.getByRole('form', { name: 'New project from this template' });
    await submitForm(inputMethod, use, { fields: { name: second }, button: 'Create project' });
    await findHeading(second).waitFor();
    await page.goto(`${base}/tasks?project=${new URL(page.url()).pathname.split('/').at(-1)}`);
    for (const name of ['Plan it', 'Announce it']) await page.getByRole('link', { name }).first().waitFor();
    assert.deepEqual(problems, []);
    await close();
  });
}
