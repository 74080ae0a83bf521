import { beforeEach, describe, expect, it } from 'vitest';
import { unescapeHtml } from '../../oauth/flow.ts';
import { api } from '../../support/api.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;
let owner: WorkspaceBrowser;
let project: number;

beforeEach(async () => {
  world = await createWorld();
  owner = await WorkspaceBrowser.signIn(world, world.people.owner);
  project = world.projects.joined.id;
});

const addToBoard = (name: string, fields: Record<string, string> = {}, page = `/projects/${project}`) =>
  owner.send(page, '/tasks', { name, status: 'in_progress', ...fields });

async function readNewestTask() {
  const { body } = await api(world.people.owner.token).get('/tasks?scope=all&limit=1');
  return (await api(world.people.owner.token).get(`/tasks/${body.data[0].id}?expand=detail,structure`)).body;
}

describe('a task added in a column of a board', () => {
  it('gets the details after its name, and the status of the column', async () => {
    const { member } = world.people;
    const { status, location } = await addToBoard(`Report, @${member.name}, 2031-05-06 17:30, high, +Web`);
    expect(status).toBe(303);
    expect(await readNewestTask()).toMatchObject({
      name: 'Report',
      status: 'in_progress',
      project: { id: project },
      assignee: { id: member.userId },
      deadline: '2031-05-06',
      dueTime: '17:30',
      priority: 'high',
      tags: ['Web'],
    });
    const { html } = await owner.open((location ?? '').slice(owner.base.length));
    expect(unescapeHtml(html.replace(/<[^>]+>/g, ''))).toContain(`Added: Report · ${member.name} · `);
  });

  it('keeps commas that are followed by no detail, and shows no message', async () => {
    const { location } = await addToBoard('Order letters, 14 of them');
    expect((await readNewestTask()).name).toBe('Order letters, 14 of them');
    expect((await owner.open((location ?? '').slice(owner.base.length))).html).not.toContain('Added:');
  });

  it('is rejected with the text still in the field if a detail is unknown', async () => {
    const { status, html } = await addToBoard('Report, @nobody');
    expect(status).toBe(400);
    expect(html).toContain('value="Report, @nobody"');
    expect(html).toContain('id="add-in_progress-problem"');
  });

  it('is assigned to the person in its text instead of the person in the filter', async () => {
    const { member, admin } = world.people;
    const page = `/board?project=${project}&assignee=${admin.userId}`;
    await addToBoard('Plain', {}, page);
    expect((await readNewestTask()).assignee.id).toBe(admin.userId);
    await addToBoard(`Other, @${member.name}`, {}, page);
    expect((await readNewestTask()).assignee.id).toBe(member.userId);
  });
});

it('a subtask gets the details after its name, and stays below its parent task', async () => {
  const parent = await createTask(world.people.owner, project, { name: 'Launch' });
  await owner.send(`/tasks/${parent.id}`, '/tasks', { name: 'Draft, high, +Web' });
  expect(await readNewestTask()).toMatchObject({
    name: 'Draft',
    priority: 'high',
    tags: ['Web'],
    parent: { id: parent.id },
  });
});
