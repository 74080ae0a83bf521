import { expect, it } from 'vitest';
import { createTask, createWorld } from '../../support/world.ts';
import { Screens } from './screens.ts';

it('the sidebar marks the section of each page', async () => {
  const world = await createWorld({ cell: 1 });
  const board = `/projects/${world.projects.joined.id}`;
  const task = await createTask(world.people.lead, world.projects.joined.id, { name: 'Anything' });
  const lead = await Screens.of(world, world.people.lead);
  const current = async (path: string) => {
    const { html } = await lead.open(path);
    const menu = html.split('<nav aria-label="Workspace">')[1]?.split('</nav>')[0] ?? '';
    return [...menu.matchAll(/aria-current="(\w+)".*?<\/svg>([\w ]+)/g)].map(
      ([, how, way]) => `${way} ${how}`,
    );
  };
  expect(await current('')).toEqual(['My work page']);
  expect(await current('/projects')).toEqual(['Projects page']);
  expect(await current(board)).toEqual(['Projects true']);
  expect(await current(`${board}/settings`)).toEqual(['Projects true']);
  expect(await current(`/tasks?project=${world.projects.joined.id}&status=open`)).toEqual(['Projects true']);
  expect(await current('/tasks?status=open')).toEqual(['All tasks page']);
  expect(await current('/tasks?project=999999999')).toEqual(['All tasks page']);
  expect(await current(`/tasks/${task.id}`)).toEqual(['All tasks true']);
  expect(await current('/meetings/new')).toEqual(['Calendar true']);
  expect(await current('/inbox/mail')).toEqual(['Inbox true']);
  for (const path of ['/categories', '/webhooks', '/audit'])
    expect(await current(path)).toEqual(['Settings true']);
});
