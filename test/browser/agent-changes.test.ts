import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { connect } from '../../bench/agents/connect.ts';
import { grantToken } from '../clients/consent.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { measureOverflow, signIn } from './visit.ts';

const { server, browser } = await openServerAndBrowser();
const storageState = await signIn(browser, server.origin);
const token = await grantToken(server.origin);
const agent = await connect(`${server.origin}/mcp`, token);
after(() => agent.close());

const run = Date.now().toString(36);
const viewport = { width: 360, height: 740 };

async function callTool(name: string, args: Record<string, unknown>) {
  const result = await agent.server.call(name, args);
  assert.ok(!result.isError, JSON.stringify(result));
  // biome-ignore lint/suspicious/noExplicitAny: the schema of the tool defines its shape.
  return result.structuredContent as any;
}

async function sendRequest(method: string, path: string, body?: object) {
  const response = await fetch(`${server.origin}/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return response.json();
}

async function createTasks(name: string, count: number): Promise<number[]> {
  const { data } = await sendRequest('GET', '/projects?limit=1');
  const tasks = Array.from({ length: count }, (_, at) => ({
    projectId: data[0].id,
    name: `${name} ${at} ${run}`,
  }));
  const made = await sendRequest('POST', '/tasks/bulk', { tasks });
  return made.data.map(({ task }: { task: { id: number } }) => task.id);
}

async function proposeHighPriority(ids: readonly number[], title: string) {
  await callTool('begin_changes', { title });
  for (const id of ids) await callTool('update_task', { updates: [{ id, priority: 'high' }] });
  const { url } = await callTool('propose_changes', { reason: 'They block the release' });
  return url as string;
}

async function openPage(javaScriptEnabled: boolean, url: string) {
  const context = await browser.newContext({ storageState, javaScriptEnabled, viewport });
  const page = await context.newPage();
  await page.goto(url);
  return { page, close: () => context.close() };
}

const readPriorities = (ids: readonly number[]) =>
  Promise.all(ids.map(async (id) => (await sendRequest('GET', `/tasks/${id}`)).priority as string));
const waitForText = (page: Page, text: string) => page.getByText(text).first().waitFor();

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with JavaScript' : 'without JavaScript';

  test(`a person applies all proposed changes at once (${how})`, async () => {
    const ids = await createTasks(`All ${how}`, 2);
    const { page, close } = await openPage(javaScriptEnabled, await proposeHighPriority(ids, `All ${how}`));
    await page.getByRole('heading', { name: `All ${how}`, level: 1 }).waitFor();
    await waitForText(page, 'They block the release');
    assert.equal(await page.locator('input[name="items"]:checked').count(), 2);
    assert.equal(await measureOverflow(page), 0, 'fits into 360 px');
    await page.getByRole('button', { name: 'Apply selected changes' }).click();
    await waitForText(page, 'Change task · Applied');
    assert.deepEqual(await readPriorities(ids), ['high', 'high']);
    await close();
  });

  test(`a person applies some of the proposed changes, and sees which one conflicts with a later edit (${how})`, async () => {
    const ids = await createTasks(`Some ${how}`, 3);
    const url = await proposeHighPriority(ids, `Some ${how}`);
    await sendRequest('PATCH', `/tasks/${ids[1]}`, { priority: 'low' });
    const { page, close } = await openPage(javaScriptEnabled, url);
    await waitForText(page, 'Someone has edited the priority since the app proposed this change.');
    await waitForText(page, '3 changes, 1 with conflicts');
    const boxes = page.locator('input[name="items"]');
    assert.deepEqual(
      await boxes.evaluateAll((all) => all.map((box) => (box as unknown as { checked: boolean }).checked)),
      [true, false, true],
    );
    await boxes.nth(2).uncheck();
    await page.getByRole('button', { name: 'Apply selected changes' }).click();
    await waitForText(page, 'Change task · Applied');
    assert.deepEqual(await readPriorities(ids), ['high', 'low', 'medium']);
    await close();
  });

  test(`a person reads and applies proposed comments, subtasks and recurrences (${how})`, async () => {
    const [id] = await createTasks(`Kinds ${how}`, 1);
    const { data: people } = await sendRequest('GET', '/users?limit=1');
    const { data: projects } = await sendRequest('GET', '/projects?limit=1');
    await callTool('begin_changes', { title: `Kinds ${how}` });
    const made = await callTool('create_task', {
      tasks: [{ project: projects[0].id, name: `Epic ${how} ${run}` }],
    });
    const epic = made.results[0].task.id;
    await callTool('update_task', { updates: [{ id, parent: epic, repeat: 'FREQ=WEEKLY;BYDAY=MO' }] });
    const content = `First line for @[${people[0].id}]\n**Second line** ${'with a long text '.repeat(20)}`;
    await callTool('add_comment', { taskIds: [id, epic], content });
    const { url } = await callTool('propose_changes', {});
    const { page, close } = await openPage(javaScriptEnabled, url);
    await waitForText(page, `Epic ${how} ${run}`);
    await waitForText(page, 'Every Monday');
    await page.locator('.mention', { hasText: people[0].name }).first().waitFor();
    assert.equal(await page.locator('strong', { hasText: 'Second line' }).count(), 2);
    assert.equal(await measureOverflow(page), 0, 'fits into 360 px');
    await page.getByRole('checkbox', { name: 'Add comment' }).last().uncheck();
    await page.getByRole('button', { name: 'Apply selected changes' }).click();
    await waitForText(page, 'Add comment · Applied');
    await waitForText(page, 'Add comment · Rejected');
    const task = await sendRequest('GET', `/tasks/${id}?expand=structure,recurrence`);
    assert.equal(task.parent.name, `Epic ${how} ${run}`);
    assert.equal(task.recurrence.rule, 'FREQ=WEEKLY;BYDAY=MO');
    const counts = await Promise.all(
      [id, task.parent.id].map(async (each) => (await sendRequest('GET', `/tasks/${each}`)).comments.length),
    );
    assert.equal(counts[0] + counts[1], 1);
    await close();
  });

  test(`a person undoes an agent's changes, and sees which changes remain (${how})`, async () => {
    const ids = await createTasks(`Undo ${how}`, 2);
    const app = await connect(`${server.origin}/mcp`, await grantToken(server.origin));
    for (const id of ids) {
      await app.server.call('update_task', {
        updates: [{ id, priority: 'high', description: 'By the agent' }],
      });
    }
    await app.close();
    await sendRequest('PATCH', `/tasks/${ids[1]}`, { priority: 'low' });
    const { page, close } = await openPage(javaScriptEnabled, `${server.origin}/connected-apps`);
    await page.getByRole('link', { name: 'Changes', exact: true }).first().click();
    await page.locator('ul.rows a').first().click();
    await waitForText(page, 'changed it later.');
    assert.equal(await measureOverflow(page), 0, 'fits into 360 px');
    await page.getByText('Undo 3 changes…').click();
    await page.getByRole('button', { name: 'Undo changes' }).click();
    await page.getByText('Already undone').first().waitFor();
    assert.deepEqual(await readPriorities(ids), ['medium', 'low']);
    await close();
  });
}
