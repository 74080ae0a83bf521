import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { findForm, inputMethods, send } from './input-methods.ts';
import { getWorkspaceUrl, type StorageState, signIn, visit } from './screens.ts';
import { openStage } from './stage.ts';

const { server, browser } = await openStage();
let storageState: StorageState;
const mark = Date.now().toString(36);

before(async () => {
  storageState = await signIn(browser, server.origin);
});

for (const hand of inputMethods) {
  test(`a project is saved as a template, and another project is created from it (${hand.name})`, async () => {
    const { page, problems, close } = await visit(browser, { storageState, ...hand.options });
    const base = await getWorkspaceUrl(page, server.origin);
    const heading = (name: string) => page.getByRole('heading', { name, exact: true });
    const [first, second] = [`First ${hand.name} ${mark}`, `Second ${hand.name} ${mark}`];
    await page.goto(`${base}/projects/new`);
    await send(hand, findForm(page, '/projects'), { fields: { name: first }, button: 'Create project' });
    await heading(first).waitFor();
    const own = new URL(page.url()).pathname;
    await page.goto(`${base}/tasks/new?project=${own.split('/').at(-1)}`);
    await send(hand, findForm(page, '/tasks/new'), { fields: { name: 'Plan it' }, button: 'Create task' });
    await heading('Plan it').waitFor();

    await page.goto(`${server.origin}${own}/settings`);
    await send(hand, findForm(page, `${own}/template`), { button: 'Save as template' });
    await heading(first).waitFor();
    await page.getByText('Template saved').first().waitFor();
    const addTask = page.getByRole('form', { name: 'Add a task' });
    await hand.say(addTask.getByRole('textbox'), 'Announce it');
    await page.keyboard.press('Enter');
    await page.getByText('Announce it', { exact: true }).first().waitFor();

    const use = page.getByRole('form', { name: 'New project from this template' });
    await send(hand, use, { fields: { name: second }, button: 'Create project' });
    await heading(second).waitFor();
    await page.goto(`${base}/tasks?project=${new URL(page.url()).pathname.split('/').at(-1)}`);
    for (const name of ['Plan it', 'Announce it']) await page.getByRole('link', { name }).first().waitFor();
    assert.deepEqual(problems, []);
    await close();
  });
}
