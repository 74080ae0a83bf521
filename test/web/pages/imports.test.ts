import { beforeAll, describe, expect, it } from 'vitest';
import { addCsvFile } from '../../imports/prepare-import.ts';
import { api } from '../../support/api.ts';
import { createProject, createWorld, type World } from '../../support/world.ts';
import { Screens } from '../server/screens.ts';

let world: World;
let owner: Screens;

beforeAll(async () => {
  world = await createWorld();
  owner = await Screens.of(world, world.people.owner);
});

describe('importing a CSV file without scripts', () => {
  it('goes from a file of the project to its tasks', async () => {
    const { id: project } = await createProject(world, { owner: world.people.owner });
    const attachmentId = await addCsvFile(
      world,
      world.people.owner,
      project,
      'Key,Summary,State,Who\nX-1,<b>Launch</b>,Odd,Somebody\nX-2,Write,Done,',
    );
    const files = `/projects/${project}/files`;
    expect((await owner.open(files)).html).toContain('Import tasks');
    const prepared = await owner.send(files, `/projects/${project}/imports`, {
      attachmentId: String(attachmentId),
    });
    expect(prepared.status).toBe(303);
    const page = String(prepared.location?.slice(owner.base.length));
    const preview = (await owner.open(page)).html;
    expect(preview).toContain('Import 2 tasks');
    expect(preview).toContain('State: Odd');
    expect(preview).toContain('&lt;b&gt;Launch&lt;/b&gt;');
    const columns = { 'column-0': 'id', 'column-1': 'name', 'column-2': 'status', 'column-3': 'skip' };
    await owner.send(page, page, { ...columns, 'choice-0': 'client_review' });
    expect((await owner.open(page)).html).toContain('1 left out');
    await owner.send(page, `${page}/start`);
    const done = (await owner.open(page)).html;
    expect(done).toContain('2 tasks imported');
    const { data } = (await api(world.people.owner.token).get(`/tasks?projectId=${project}`)).body;
    expect(data.map(({ name, status }: Record<string, unknown>) => [name, status])).toEqual([
      ['<b>Launch</b>', 'client_review'],
      ['Write', 'completed'],
    ]);
    expect((await owner.open('/imports')).html).toContain('2 tasks imported');
  });

  it('is offered only to owners and admins', async () => {
    const { id } = world.projects.joined;
    await addCsvFile(world, world.people.owner, id);
    const member = await Screens.of(world, world.people.member);
    expect((await member.open(`/projects/${id}/files`)).html).not.toContain('Import tasks');
    expect((await member.open('/imports')).status).toBe(403);
  });
});
