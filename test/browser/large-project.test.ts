import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { getDatabaseFile, readDatabases } from '../../scripts/databases.ts';
import { startServer } from '../../scripts/own-server.ts';
import { pollUntil } from '../support/timeout.ts';
import { findForm, inputMethods, submitForm } from './input-methods.ts';
import { createOwnServerAndBrowser } from './own-server-and-browser.ts';
import { demo } from './server.ts';
import { getWorkspaceUrl, signIn, visit } from './visit.ts';

const TASKS = 10_000;
const TASKS_PER_CALL = 100;
const EVERY_MINUTE = '* * * * *';

const setup = createOwnServerAndBrowser('large-project');

async function createTasks(projectId: number): Promise<void> {
  const postJson = async (path: string, body: object, token?: string) => {
    const answer = await fetch(`${setup.prepared.origin}/v1${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    assert.ok(answer.ok, `${path} returned ${answer.status}`);
    return (await answer.json()) as { token: string };
  };
  const { token } = await postJson('/auth/login', { email: demo.owner, password: demo.password });
  for (let made = 0; made < TASKS; made += TASKS_PER_CALL) {
    const tasks = Array.from({ length: TASKS_PER_CALL }, (_, at) => ({
      projectId,
      name: `Sheet ${made + at}`,
    }));
    await postJson('/tasks/bulk', { tasks }, token);
  }
}

/** Reads the database file, so no server may be running. */
function countRemainingTasks(project: number): number {
  const id = readDatabases().find(({ binding }) => binding === 'CELL_0')?.id ?? '';
  const db = new DatabaseSync(getDatabaseFile(join(setup.prepared.state, 'v3'), id));
  try {
    return Number(db.prepare('SELECT count(*) AS n FROM tasks WHERE abs(project) = ?').get(project)?.n);
  } finally {
    db.close();
  }
}

test('a deleted project of 10,000 tasks disappears immediately, and its tasks are removed even if the server is killed', async () => {
  const keyboard = inputMethods.find(({ name }) => name === 'keyboard');
  assert.ok(keyboard);
  const storageState = await signIn(setup.browser, setup.prepared.origin);
  const { page, close } = await visit(setup.browser, { storageState, ...keyboard.options });
  const base = await getWorkspaceUrl(page, setup.prepared.origin);
  await page.goto(`${base}/projects`);
  const link = page.locator('.rows a.row-name').first();
  const name = await link.innerText();
  const project = Number(/projects\/(\d+)/.exec((await link.getAttribute('href')) ?? '')?.[1]);
  await createTasks(project);

  await page.goto(`${base}/projects/${project}/settings`);
  const form = findForm(page, `/projects/${project}/remove`);
  await submitForm(keyboard, form, { fields: { name }, button: 'Delete project' });
  const deletion = page.locator(`#deletion-${project}`);
  await deletion.waitFor();
  const readProgress = async () => {
    const found = /([\d,]+) of ([\d,]+) tasks left/.exec(await deletion.innerText());
    const [left = Number.NaN, all = Number.NaN] =
      found?.slice(1).map((text) => Number(text.replaceAll(',', ''))) ?? [];
    return { left, all };
  };
  const { left, all } = await readProgress();
  assert.ok(all > TASKS && left <= all, `${left} of ${all}`);
  assert.equal(await page.locator('.rows a.row-name', { hasText: name }).count(), 0);
  assert.equal((await page.goto(`${base}/projects/${project}`))?.status(), 404);

  setup.server.fire(EVERY_MINUTE);
  await pollUntil(async () => {
    await page.goto(`${base}/projects`);
    return (await readProgress()).left !== left;
  });
  await setup.server.kill();
  const remaining = countRemainingTasks(project);
  assert.ok(remaining > 0 && remaining < all, `killed in the middle: ${remaining} tasks were left`);
  setup.server = await startServer(setup.prepared, true);
  await pollUntil(async () => {
    setup.server.fire(EVERY_MINUTE);
    await sleep(500);
    await page.goto(`${base}/projects`);
    return (await deletion.count()) === 0;
  });
  await close();
  await setup.server.stop();
  // One task may remain, because a cell's newest task is kept until a newer one exists (docs/adr/0018).
  assert.ok(countRemainingTasks(project) <= 1);
});
