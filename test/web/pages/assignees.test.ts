import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createTask, createWorld, type Person, type World } from '../../support/world.ts';
import { readHiddenFields, WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;
let owner: WorkspaceBrowser;
let project: number;

beforeAll(async () => {
  world = await createWorld();
  owner = await WorkspaceBrowser.signIn(world, world.people.owner);
  project = world.projects.joined.id;
});

const getUserIds = (...people: Person[]) => people.map(({ userId }) => userId);
async function readAssignees(id: number): Promise<string[]> {
  const { body } = await api(world.people.owner.token).get(`/tasks/${id}?expand=assignees`);
  return body.assignees.map((person: { id: string }) => person.id);
}

describe('the new task form', () => {
  it('assigns several people without JavaScript, starting with the person in the Assignee field', async () => {
    const { lead, member, admin } = world.people;
    const submitNewTask = async (assigneeId: string, others: Person[]) => {
      const fields = readHiddenFields((await owner.open('/tasks/new')).html, `${owner.base}/tasks/new`);
      const form = new URLSearchParams({ ...fields, name: 'Launch', projectId: String(project), assigneeId });
      for (const { userId } of others) form.append('others', userId);
      const { status, location } = await owner.post('/tasks/new', form);
      expect(status).toBe(303);
      return readAssignees(Number(location?.split('/').at(-1)));
    };
    expect(await submitNewTask(lead.userId, [member, lead])).toEqual(getUserIds(lead, member));
    expect(await submitNewTask('', [admin, member])).toEqual(getUserIds(admin, member));
    expect(await submitNewTask(member.userId, [])).toEqual(getUserIds(member));
    expect(await submitNewTask('', [])).toEqual([]);
  });
});

describe('assignees on a task page', () => {
  it('can be added, removed and restored without JavaScript', async () => {
    const { lead, member, client, admin } = world.people;
    const { id } = await createTask(lead, project, { assigneeId: lead.userId });
    const [page, action] = [`/tasks/${id}`, `/tasks/${id}/assignees`];
    for (const { userId } of [member, client])
      expect((await owner.send(page, action, { add: userId })).status).toBe(303);
    expect(await readAssignees(id)).toEqual(getUserIds(lead, member, client));
    const { html } = await owner.open(page);
    expect(html).toContain(`aria-label="Remove ${member.name}"`);
    expect((await owner.send(page, action, { remove: member.userId })).status).toBe(303);
    expect(await readAssignees(id)).toEqual(getUserIds(lead, client));
    const { html: after } = await owner.open(page);
    expect(after).toContain('Assignee removed');
    const undo = readHiddenFields(after, owner.base + action, {
      assigneeIds: getUserIds(lead, member, client).join(),
    });
    expect((await owner.post(action, undo)).status).toBe(303);
    expect(await readAssignees(id)).toEqual(getUserIds(lead, member, client));
    await api(lead.token).patch(`/tasks/${id}`, { assigneeIds: getUserIds(admin) });
    const stale = readHiddenFields(after, owner.base + action, { add: '' });
    expect((await owner.post(action, { ...stale, add: member.userId })).status).toBe(412);
    expect(await readAssignees(id)).toEqual(getUserIds(admin));
  });

  it('are kept when the first assignee is replaced, and are shown on archived tasks', async () => {
    const { lead, member, client } = world.people;
    const { id } = await createTask(lead, project, { assigneeIds: getUserIds(lead, member) });
    await owner.send(`/tasks/${id}`, `/tasks/${id}`, { assigneeId: client.userId });
    expect(await readAssignees(id)).toEqual(getUserIds(client, member));
    await api(lead.token).post(`/tasks/${id}/archive`);
    const { html } = await owner.open(`/tasks/${id}`);
    expect(html).toContain('Other assignees');
    expect(html).not.toContain('aria-label="Remove ');
  });

  it('are recorded in the history by name, and their names are escaped', async () => {
    const { lead, member, client } = world.people;
    await getCell(world.cell)
      .prepare('UPDATE members SET name = ?, version = version + 1 WHERE no = ?')
      .bind('<b>Eve</b> "x"', client.member)
      .run();
    const { id } = await createTask(lead, project, { assigneeId: lead.userId });
    await api(lead.token).patch(`/tasks/${id}`, { assigneeIds: getUserIds(lead, client) });
    const { html } = await owner.open(`/tasks/${id}`);
    expect(html).toContain('set the assignees to ');
    expect(html).toContain('&lt;b&gt;Eve&lt;/b&gt;');
    expect(html).not.toContain('<b>Eve');
    expect(member.userId).not.toBe('');
  });
});

describe('every assignee of a task', () => {
  it('is shown on cards and rows, and in a column of the CSV file', async () => {
    const own = await createWorld();
    const screens = await WorkspaceBrowser.signIn(own, own.people.owner);
    const { lead, member } = own.people;
    await createTask(lead, own.projects.joined.id, { name: 'Shared', assigneeIds: getUserIds(lead, member) });
    for (const path of ['/tasks', '/board', `/projects/${own.projects.joined.id}`]) {
      const { html } = await screens.open(path);
      expect(html, path).toMatch(new RegExp(`class="avatar [^"]*" role="img" title="${member.name}"`));
    }
    const { html } = await screens.open('/tasks?cols=assignee,assignees');
    expect(html).toContain('All assignees');
    const csv = (await screens.open('/tasks.csv?cols=assignee,assignees')).html;
    expect(csv).toContain('"Assignee","All assignees"');
    expect(csv).toContain(`"${lead.name}","${lead.name}, ${member.name}"`);
  });

  it('can be set through quick add', async () => {
    const { member, client } = world.people;
    const hidden = readHiddenFields((await owner.open('')).html, `${owner.base}/tasks/add`);
    const name = `Call them, @${member.email}, @${client.email}, @me`;
    const sent = await owner.post('/tasks/add', { ...hidden, name, projectId: String(project) });
    expect(sent.status).toBe(303);
    const { body } = await api(world.people.owner.token).get('/tasks?scope=all&limit=1');
    expect(body.data[0].name).toBe('Call them');
    expect(await readAssignees(body.data[0].id)).toEqual(getUserIds(member, client, world.people.owner));
  });

  it("gets an equal share of an open task's hours in the app's workload, but not in the API's", async () => {
    const own = await createWorld();
    const { owner: person, lead, member, client } = own.people;
    const today = new Date().toISOString().slice(0, 10);
    await createTask(person, own.projects.joined.id, {
      assigneeIds: getUserIds(lead, member, client),
      deadline: today,
      customEstimatedHours: '7',
    });
    const { body } = await api(person.token).get('/dashboard/workload');
    expect(
      body.workloads.map(({ plannedHours, user }: { plannedHours: number; user: { id: string } }) => [
        user.id,
        plannedHours,
      ]),
    ).toEqual([[lead.userId, 7]]);
    const { html } = await (await WorkspaceBrowser.signIn(own, person)).open('/dashboard');
    const hours = [...html.matchAll(/>([\d.]+) \/ [\d.]+ h</g)].map(([, planned]) => Number(planned));
    expect(hours.toSorted()).toEqual([2.33, 2.33, 2.34]);
  });
});

describe('a filter by several assignees', () => {
  it('is rejected if those people share more than 20,000 tasks with other assignees', async () => {
    const own = await createWorld();
    const { owner: person, lead, member } = own.people;
    await getCell(0)
      .prepare(
        'INSERT INTO other_assignee_counts (ws, member, project, is_subtask, bucket1) VALUES (?, ?, ?, 0, 20001)',
      )
      .bind(own.no, member.member, own.projects.joined.id)
      .run();
    const listByAssignees = (people: Person[]) =>
      api(person.token).get(`/tasks?assigneeId=${getUserIds(...people)}`);
    const rejected = await listByAssignees([lead, member]);
    expect([rejected.status, rejected.body.error.message]).toEqual([
      400,
      expect.stringContaining('Filter by one person at a time'),
    ]);
    expect((await listByAssignees([member])).status).toBe(200);
    expect((await api(person.token).get(`/tasks?assigneeId=${member.userId},none`)).status).toBe(200);
  });
});
