import { beforeAll, describe, expect, it } from 'vitest';
import { addDays } from '../../../src/kernel/dates/civil-date.ts';
import { api } from '../../support/api.ts';
import { createTask, createTeam, createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;
const today = new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  world = await createWorld({ cell: 1 });
});

const readTaskCount = (html: string) => /aria-label="View all ([\d+]+) as a list"/.exec(html)?.[1];

describe('upcoming deadlines on the dashboard', () => {
  it('are counted exactly up to 50, and shown as "50+" beyond that', async () => {
    const { owner } = world.people;
    const screens = await WorkspaceBrowser.signIn(world, owner);
    for (const day of [-1, 0, 13, 14])
      await createTask(owner, world.projects.joined.id, {
        name: `Due ${day}`,
        deadline: addDays(today, day),
      });
    const { html } = await screens.open('/dashboard');
    expect(readTaskCount(html)).toBe('2');
    expect(html.includes('Due 0')).toBe(true);
    expect(html.includes('Due 13')).toBe(true);
    expect(html.includes('Due -1')).toBe(false);
    expect(html.includes('Due 14')).toBe(false);
    const items = Array.from({ length: 48 }, (_, index) => ({
      projectId: world.projects.joined.id,
      name: `Many ${index}`,
      deadline: addDays(today, 1),
    }));
    const session = api(owner.token);
    expect((await session.post('/tasks/bulk', { tasks: items })).status).toBe(201);
    expect(readTaskCount((await screens.open('/dashboard')).html)).toBe('50');
    await createTask(owner, world.projects.joined.id, { name: 'One more', deadline: today });
    expect(readTaskCount((await screens.open('/dashboard')).html)).toBe('50+');
  });

  it("include only tasks visible to the person's role", async () => {
    const { client } = world.people;
    const hidden = await createTask(world.people.owner, world.projects.other.id, {
      name: 'Unseen',
      deadline: today,
    });
    const { html } = await (await WorkspaceBrowser.signIn(world, client)).open('/dashboard');
    expect(html.includes(hidden.name)).toBe(false);
    const all = await (await WorkspaceBrowser.signIn(world, world.people.owner)).open('/dashboard');
    expect(all.html.includes(hidden.name)).toBe(true);
  });
});

describe('filter options on the calendar and the dashboard', () => {
  it('include only visible projects, and only teams in the workspace', async () => {
    const other = await createWorld({ cell: 1 });
    await createTeam(other, { name: 'Of others' });
    for (let made = 0; made < 30; made += 1) await createTeam(world, { name: `Team ${made}` });
    const listOptions = async (screens: WorkspaceBrowser, path: string) =>
      [...(await screens.open(path)).html.matchAll(/<option value="\d+"[^>]*>([^<]*)</g)].map(
        ([, name]) => name,
      );
    const owner = await WorkspaceBrowser.signIn(world, world.people.owner);
    const client = await WorkspaceBrowser.signIn(world, world.people.client);
    const { joined, other: hidden } = world.projects;
    expect(await listOptions(owner, '/calendar')).toEqual(expect.arrayContaining([joined.name, hidden.name]));
    const seen = await listOptions(client, '/calendar');
    expect(seen).toContain(joined.name);
    expect(seen).not.toContain(hidden.name);
    const onDashboard = await listOptions(owner, '/dashboard');
    expect(onDashboard.filter((name) => name?.startsWith('Team '))).toHaveLength(30);
    expect(onDashboard).not.toContain('Of others');
  });
});
