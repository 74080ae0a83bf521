import { beforeAll, expect, it } from 'vitest';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from './workspace-browser.ts';

let world: World;
let member: WorkspaceBrowser;
let task: { id: number };

beforeAll(async () => {
  world = await createWorld({ cell: 1 });
  const { people, projects } = world;
  member = await WorkspaceBrowser.signIn(world, people.member);
  task = await createTask(people.member, projects.joined.id, { name: 'Paint the fence' });
});

it.each([
  ['unknown parameters', '&a'.repeat(8_000)],
  ['a repeated parameter', '&sort=due'.repeat(1_700)],
])("a page doesn't repeat a URL that is long because of %s", async (_what, query) => {
  for (const path of [`/projects/${world.projects.joined.id}`, '/tasks']) {
    const usual = await member.open(`${path}?sort=due`);
    const long = await member.open(`${path}?sort=due${query}`);
    expect(long.status).toBe(200);
    expect(long.html.length).toBeLessThan(usual.html.length + 1_000);
  }
});

it('forms on a page return to its URL, with only the known parameters', async () => {
  const board = `/projects/${world.projects.joined.id}`;
  const { html } = await member.open(`${board}?q=fence&unknown=1&move=${task.id}`);
  expect(html).toContain(`name="back" value="${member.base}${board}?q=fence&amp;move=${task.id}"`);
});
