import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { findUnstorableText } from '../../src/kernel/text/storable-text.ts';
import { textsForPages } from '../support/hostile-texts.ts';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { type Colleague, openColleague } from './team.ts';
import { getWorkspaceUrl } from './visit.ts';

const texts = textsForPages.filter((text) => findUnstorableText(text) === null);
const { server, browser } = await openServerAndBrowser();
let owner: Colleague;

before(async () => {
  owner = await openColleague(browser, server.origin, demo.owner, { viewport: { width: 1280, height: 800 } });
});

test('hostile text runs no scripts and breaks no screen', async () => {
  const { page, problems, ask } = owner;
  const base = await getWorkspaceUrl(page, server.origin);
  const text = texts.join(' ');
  await page.goto(`${base}/projects/new`);
  await page.getByLabel('Name').fill(text.slice(0, 100));
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.waitForURL(/\/projects\/\d+$/);
  const board = page.url();
  const projectId = Number(board.split('/').at(-1));
  const me = await ask<{ id: string }>('/me');
  const tasks = texts.map((payload) => ({
    projectId,
    name: payload,
    description: `x ${payload}`,
    assigneeId: me.id,
    deadline: new Date().toISOString().slice(0, 10),
  }));
  await ask('/tasks/bulk', { tasks });
  const { data } = await ask<{ data: { id: number }[] }>(`/tasks?projectId=${projectId}&limit=1`);
  const id = data[0]?.id ?? 0;
  await ask(`/tasks/${id}/comments`, { content: text });
  await ask(`/tasks/${id}`, { description: text }, 'PATCH');
  const pages = [
    ...[
      '',
      '/inbox',
      '/projects',
      '/tasks',
      '/calendar?who=all',
      '/timeline',
      '/dashboard',
      '/search?q=script',
      '/time-report',
    ],
    ...[
      `/tasks/${id}`,
      `/tasks?project=${projectId}&edit=${id}&field=assignee`,
      `/meetings/new?projectId=${projectId}`,
    ],
    ...[
      board.slice(board.indexOf('/projects')),
      `/projects/${projectId}/settings`,
      `/projects/${projectId}/files`,
    ],
  ];
  for (const path of pages) {
    await page.goto(path.startsWith('/app') ? path : base + path, { waitUntil: 'load' });
    assert.equal(await page.evaluate(() => '__hit' in window), false, path);
    assert.equal(await page.locator('main').count(), 1, path);
    assert.deepEqual(problems, [], path);
  }
});
