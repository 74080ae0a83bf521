import { beforeAll, describe, expect, it } from 'vitest';
import { findNames, listProjectOverviews } from '../../../src/projects/operations/overview.ts';
import { api } from '../../support/api.ts';
import { runForm } from '../../support/forms.ts';
import {
  addPerson,
  createProject,
  createTask,
  createWorkspace,
  createWorld,
  type World,
} from '../../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld();
  const other = await createWorkspace();
  await createProject(other, { owner: other.people.owner, name: 'Öffnung elsewhere' });
});

const getOverview = async (token: string, input: Record<string, unknown> = {}) =>
  (await runForm(token, listProjectOverviews, input)).body;

describe('the project overview', () => {
  it('returns the owner, the members and the number of tasks per status', async () => {
    const { owner, lead, member } = world.people;
    const project = await createProject(world, { owner: lead, name: 'Bridge', members: [member] });
    const ids = [];
    for (const status of ['todo', 'in_progress', 'in_progress', 'completed', 'completed', 'completed'])
      ids.push((await createTask(owner, project.id, { status })).id);
    await api(owner.token).post(`/tasks/${ids[5]}/archive`);
    const [found] = (await getOverview(member.token, { search: 'bridge' })).data;
    expect(found).toMatchObject({ id: project.id, taskCount: 5, progress: [1, 2, 0, 0, 2] });
    expect(found.people.map(({ id }: { id: string }) => id)).toEqual([lead.userId, member.userId]);
    expect(found.lead).toBe(found.people[0].name);
  });

  it('finds visible projects by part of their name, ignoring case, even among more than a hundred', async () => {
    const { owner, client } = world.people;
    for (const name of ['ÖFFNUNG im Mai', 'Eröffnung', '100 % done_', "it's; DROP"])
      await createProject(world, { owner, name });
    const listNames = async (token: string, search: string) =>
      (await getOverview(token, { search })).data.map(({ name }: { name: string }) => name);
    expect(await listNames(owner.token, 'öffnung')).toEqual(['Eröffnung', 'ÖFFNUNG im Mai']);
    expect(await listNames(owner.token, '%')).toEqual(['100 % done_']);
    expect(await listNames(owner.token, "'S; drop")).toEqual(["it's; DROP"]);
    expect(await listNames(client.token, 'öffnung')).toEqual([]);
    for (let index = 0; index < 101; index += 1)
      await createProject(world, { owner, name: `Newer ${index}` });
    expect(await listNames(owner.token, 'Eröff')).toEqual(['Eröffnung']);
    expect((await runForm(owner.token, findNames, { search: 'Eröff' })).body.projects).toMatchObject([
      { name: 'Eröffnung' },
    ]);
    expect((await runForm(client.token, findNames, { search: 'Eröff' })).body.projects).toEqual([]);
  });

  it('includes completed and canceled projects only on request', async () => {
    const { owner } = world.people;
    await createProject(world, { owner, name: 'Ended one', status: 'cancelled' });
    expect(await getOverview(owner.token, { search: 'Ended one' })).toMatchObject({
      data: [],
      meta: { total: 0 },
    });
    const all = await getOverview(owner.token, { search: 'Ended one', ended: true });
    expect(all.meta.total).toBe(1);
  });

  it('finds people in the workspace by part of their name', async () => {
    const { owner } = world.people;
    const found = await addPerson(world, 'zdenka', 'member');
    const findPeople = async (search: string) =>
      (await runForm(owner.token, findNames, { search })).body.people.map(({ id }: { id: string }) => id);
    const { name } = (await api(owner.token).get(`/users/${found.userId}`)).body;
    expect(await findPeople(name.slice(1).toUpperCase())).toEqual([found.userId]);
    expect(await findPeople('no such name')).toEqual([]);
  });
});
