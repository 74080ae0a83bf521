import { beforeEach, expect, it } from 'vitest';
import { listSavedFilters, saveFilter } from '../../../src/tasks/saved-filters/saved-filters.ts';
import { runForm } from '../../support/forms.ts';
import { createTask, createWorld, type Person, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../../web/server/workspace-browser.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const saveFilterAs = async (person: Person, input: Record<string, unknown>): Promise<number> =>
  (await runForm(person.token, saveFilter, input)).body.id;
const listFilterNames = async (person: Person): Promise<string[]> =>
  (await runForm(person.token, listSavedFilters, {})).body.data.map(({ name }: { name: string }) => name);

it('a saved filter is shown as a board with its matches from all projects that the person can see', async () => {
  const { people, projects } = world;
  const mine = await createTask(people.owner, projects.joined.id, {
    name: 'Of the member',
    assigneeId: people.member.userId,
    priority: 'high',
  });
  const other = await createTask(people.owner, projects.other.id, {
    name: 'Of the client',
    assigneeId: people.client.userId,
    priority: 'high',
    status: 'completed',
  });
  const id = await saveFilterAs(people.owner, {
    name: 'My urgent',
    assignee: 'me',
    priority: 'high',
    isShared: true,
  });
  for (const [person, sees, not] of [
    [people.member, mine, other],
    [people.client, other, mine],
  ] as const) {
    const browser = await WorkspaceBrowser.signIn(world, person);
    const { status, headers } = await browser.open(`/filters/${id}`);
    expect([status, headers.get('Location')]).toEqual([
      302,
      `${browser.base}/board?priority=high&assignee=me&filter=${id}`,
    ]);
    const { html } = await browser.open(`/board?priority=high&assignee=me&filter=${id}`);
    expect(html).toContain('<bdi>My urgent</bdi>');
    expect(html).toContain(`id="task-${sees.id}"`);
    expect(html).not.toContain(`id="task-${not.id}"`);
  }
});

it('a filter can be saved, replaced, deleted and restored with forms, without JavaScript', async () => {
  const { people } = world;
  const browser = await WorkspaceBrowser.signIn(world, people.member);
  const page = '/tasks?q=launch&priority=high&sort=due';
  const saved = await browser.send(page, '/filters', { name: 'Launch' });
  expect(saved.status).toBe(303);
  const [, id] = /filter=(\d+)/.exec(String(saved.location)) ?? [];
  expect(saved.location).toBe(`${browser.base}${page}&filter=${id}`);
  const { html } = await browser.open(`${page}&filter=${id}`);
  expect(html).toContain('<bdi>Launch</bdi>');
  // Only a changed filter can replace the saved one.
  expect(html).not.toContain(`/filters/${id}/replace`);
  await browser.send(`/tasks?q=other&filter=${id}`, `/filters/${id}/replace`);
  const [{ filter }] = (await runForm(people.member.token, listSavedFilters, {})).body.data;
  expect(filter).toEqual({ q: 'other' });
  const deleted = await browser.send('/filters', `/filters/${id}/delete`);
  expect(deleted.status).toBe(303);
  expect(await listFilterNames(people.member)).toEqual([]);
  const again = await browser.send('/filters', '/filters/again');
  expect(again.status).toBe(303);
  expect(await listFilterNames(people.member)).toEqual(['Launch']);
});

it('a board shows only the columns of the selected statuses, and a saved filter for archived tasks is shown as a list', async () => {
  const browser = await WorkspaceBrowser.signIn(world, world.people.owner);
  const listColumns = async (path: string) =>
    [...(await browser.open(path)).html.matchAll(/id="column-(\w+)"/g)].map(([, status]) => status);
  expect(await listColumns('/board')).toEqual([
    'todo',
    'in_progress',
    'internal_review',
    'client_review',
    'completed',
  ]);
  expect(await listColumns('/board?status=open')).toEqual([
    'todo',
    'in_progress',
    'internal_review',
    'client_review',
  ]);
  expect(await listColumns('/board?status=completed')).toEqual(['completed']);
  const id = await saveFilterAs(world.people.owner, { name: 'Old', archived: 'true', q: 'x' });
  expect((await browser.open(`/filters/${id}`)).headers.get('Location')).toContain(
    '/tasks?q=x&archived=true',
  );
});

it('a column of a filtered board shows its task count, or a minimum such as 20+ if the total is unknown', async () => {
  const { people, projects } = world;
  for (let n = 0; n < 22; n++) {
    await createTask(people.owner, projects.joined.id, { deadline: '2020-01-01' });
  }
  const browser = await WorkspaceBrowser.signIn(world, people.owner);
  const readCount = async (path: string) =>
    /id="column-todo-name">.*?<span class="number">([^<]+)</.exec((await browser.open(path)).html)?.[1];
  expect(await readCount('/board')).toBe('22');
  expect(await readCount('/board?due=overdue')).toBe('20+');
  expect(await readCount('/board?due=overdue&more=todo')).toBe('22');
  expect(await readCount(`/projects/${projects.joined.id}?due=overdue`)).toBe('22');
});
