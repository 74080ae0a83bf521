import { beforeAll, describe, expect, it } from 'vitest';
import { addCsvFile, prepareImport } from '../../imports/prepare-import.ts';
import { buildBoard, buildCard, buildComment } from '../../imports/trello-board.ts';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { addPerson, createProject, createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;
let owner: WorkspaceBrowser;

beforeAll(async () => {
  world = await createWorld();
  owner = await WorkspaceBrowser.signIn(world, world.people.owner);
});

describe('importing a file without JavaScript', () => {
  it("turns one of the project's files into tasks", async () => {
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
    expect((await owner.open(page)).html).toContain('1 not imported');
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

  it('keeps the choices for values that the page no longer shows', async () => {
    const { id: project } = await createProject(world, { owner: world.people.owner });
    const rows = Array.from({ length: 130 }, (_, index) => `Task ${index},Value ${index}`);
    const text = ['Task,Status', ...rows].join('\n');
    const id = await prepareImport(world, world.people.owner, project, text);
    const page = `/imports/${id}`;
    const shown = Array.from({ length: 100 }, (_, index) => [`choice-${index}`, 'in_progress']);
    for (let time = 0; time < 2; time += 1) {
      await owner.open(page);
      await owner.send(page, page, {
        'column-0': 'name',
        'column-1': 'status',
        ...Object.fromEntries(shown),
      });
    }
    await owner.send(page, `${page}/start`);
    const { body } = await api(world.people.owner.token).get(
      `/tasks?projectId=${project}&status=in_progress`,
    );
    expect(body.meta.total).toBe(130);
  });

  it('can keep a recognized status as text, and can assign people beyond the first 100', async () => {
    const { id: project } = await createProject(world, { owner: world.people.owner });
    const { member } = world.people;
    const text = `Task,Status,Assignee\nA,Done,${member.email}`;
    const id = await prepareImport(world, world.people.owner, project, text);
    await getCell(world.cell)
      .prepare("UPDATE members SET name = 'zzz Last', version = version + 1 WHERE no = ?")
      .bind(member.member)
      .run();
    await Promise.all(Array.from({ length: 100 }, () => addPerson(world, 'colleague', 'member')));
    const page = `/imports/${id}`;
    expect((await owner.open(page)).html).toContain(`<option value="${member.userId}" selected`);
    await owner.send(page, page, {
      'column-0': 'name',
      'column-1': 'status',
      'column-2': 'assignee',
      'choice-0': 'text',
      'choice-1': member.userId,
    });
    await owner.send(page, `${page}/start`);
    const { body } = await api(world.people.owner.token).get(`/tasks?projectId=${project}&expand=detail`);
    expect(body.data).toMatchObject([{ status: 'todo', assignee: { id: member.userId } }]);
    expect(body.data[0].description).toContain('Done');
  });

  it('turns the JSON export of a Trello board into tasks', async () => {
    const { id: project } = await createProject(world, { owner: world.people.owner });
    const cards = [
      buildCard(1, { name: '<i>Launch</i>', idList: 'list-qa' }),
      buildCard(2, { closed: true }),
    ];
    const board = buildBoard({ cards, actions: [buildComment(1, 'Ship it')] });
    const text = JSON.stringify(board);
    const attachmentId = await addCsvFile(world, world.people.owner, project, text, 'board.json');
    const files = `/projects/${project}/files`;
    expect((await owner.open(files)).html).toContain('Import tasks');
    const prepared = await owner.send(files, `/projects/${project}/imports`, {
      attachmentId: String(attachmentId),
    });
    const page = String(prepared.location?.slice(owner.base.length));
    const preview = (await owner.open(page)).html;
    expect(preview).toContain('List: Gate');
    expect(preview).toContain('&lt;i&gt;Launch&lt;/i&gt;');
    expect(preview).toContain('value="trello:5f0000000000000000000001"');
    const { report } = (await api(world.people.owner.token).get(page)).body;
    const columns = report.columns.map(({ use }: { use: string }, index: number) => [`column-${index}`, use]);
    await owner.send(page, page, { ...Object.fromEntries(columns), 'choice-0': 'client_review' });
    await owner.send(page, `${page}/start`);
    const done = (await owner.open(page)).html;
    expect(done).toContain('2 tasks imported');
    expect(done).not.toContain('boards.trello.com');
    const { data } = (await api(world.people.owner.token).get(`/tasks?projectId=${project}`)).body;
    expect(data).toMatchObject([{ name: '<i>Launch</i>', status: 'client_review' }]);
  });

  it('is offered only to owners and admins', async () => {
    const { id } = world.projects.joined;
    await addCsvFile(world, world.people.owner, id);
    const member = await WorkspaceBrowser.signIn(world, world.people.member);
    expect((await member.open(`/projects/${id}/files`)).html).not.toContain('Import tasks');
    expect((await member.open('/imports')).status).toBe(403);
  });
});
