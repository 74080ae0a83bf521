import { beforeAll, describe, expect, it } from 'vitest';
import { applyChangeSet, getChangeSet } from '../../../src/change-sets/review/review.ts';
import { undoTaskChanges } from '../../../src/tasks/bulk/undo.ts';
import { unfollowTask } from '../../../src/tasks/operations/following.ts';
import { removePerson } from '../../../src/workspaces/people/remove-person.ts';
import { call, textOf, tokenOf, use } from '../../mcp/client.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { runForm } from '../../support/forms.ts';
import { createTask, createWorld, type Person, type World } from '../../support/world.ts';

let world: World;
let project: number;
let lead: ReturnType<typeof api>;

beforeAll(async () => {
  world = await createWorld();
  project = world.projects.joined.id;
  lead = api(world.people.lead.token);
});

const ids = (...people: Person[]) => people.map(({ userId }) => userId);
const create = async (...people: Person[]) =>
  (await createTask(world.people.lead, project, { assigneeIds: ids(...people) })).id;
async function read(id: number): Promise<string[]> {
  const { body } = await lead.get(`/tasks/${id}?expand=assignees`);
  return body.assignees.map((person: { id: string }) => person.id);
}
const expectConsistency = async (of: World) =>
  expect([await findCounterDrift(of), await findInconsistencies([0])]).toEqual([[], []]);

describe('an assignee who leaves the workspace', () => {
  it.each(['none', 'an admin'] as const)(
    'stays assigned only to completed tasks (successor: %s)',
    async (to) => {
      const own = await createWorld();
      const { owner, member, client, admin } = own.people;
      const me = api(owner.token);
      const make = async (fields: Record<string, unknown>) =>
        (await createTask(owner, own.projects.joined.id, fields)).id;
      const [first, second, alone, done] = [
        await make({ assigneeIds: ids(member, client, admin) }),
        await make({ assigneeIds: ids(client, member) }),
        await make({ assigneeId: member.userId }),
        await make({ assigneeIds: ids(client, member), status: 'completed' }),
      ];
      const list = async (id: number) =>
        (await me.get(`/tasks/${id}?expand=assignees`)).body.assignees.map((each: { id: string }) => each.id);
      const heirId = to === 'an admin' ? admin.userId : undefined;
      const removed = await runForm(owner.token, removePerson, { userId: member.userId, heirId });
      expect(removed.status).toBe(200);
      const heir = to === 'an admin' ? [admin] : [];
      expect(await list(first)).toEqual(to === 'an admin' ? ids(admin, client) : ids(client, admin));
      expect(await list(second)).toEqual(ids(client, ...heir));
      expect(await list(alone)).toEqual(ids(...heir));
      expect(await list(done)).toEqual(ids(client, member));
      const kept = await me.patch(`/tasks/${done}`, { assigneeIds: ids(admin, member) });
      expect(kept.status).toBe(200);
      expect((await me.patch(`/tasks/${first}`, { assigneeIds: ids(member) })).status).toBe(400);
      await expectConsistency(own);
    },
  );
});

describe('an assignee', () => {
  it("follows the task, and can't unfollow it until they are no longer assigned", async () => {
    const { member, client } = world.people;
    const id = await create(client, member);
    for (const { token } of [client, member])
      expect((await runForm(token, unfollowTask, { id })).status).toBe(400);
    await lead.patch(`/tasks/${id}`, { assigneeIds: ids(client) });
    expect((await runForm(member.token, unfollowTask, { id })).status).toBe(200);
    await expectConsistency(world);
  });
});

describe('undoing a change of assignees', () => {
  it('restores everyone, unless someone else has changed the assignees since', async () => {
    const { member, client, admin, owner } = world.people;
    const id = await create(member, client);
    const since = Date.now() - 1;
    const undo = () => runForm(world.people.lead.token, undoTaskChanges, { ids: [id], since });
    await lead.patch(`/tasks/${id}`, { assigneeIds: ids(admin, owner, client) });
    expect((await undo()).status).toBe(200);
    expect(await read(id)).toEqual(ids(member, client));
    const other = await create(member, client);
    const later = Date.now();
    await lead.patch(`/tasks/${other}`, { assigneeId: admin.userId });
    await api(owner.token).patch(`/tasks/${other}`, { assigneeIds: ids(owner) });
    const rejected = await runForm(world.people.lead.token, undoTaskChanges, {
      ids: [other],
      since: later,
    });
    expect(rejected.status).toBe(400);
    expect(await read(other)).toEqual(ids(owner));
  });
});

describe('concurrent changes of assignees', () => {
  it('leave one consistent list, whichever is applied first', async () => {
    const { member, client, admin, owner } = world.people;
    for (let round = 0; round < 5; round += 1) {
      const id = await create(member, client);
      const answers = await Promise.all([
        lead.patch(`/tasks/${id}`, { assigneeIds: ids(admin, member) }),
        api(owner.token).patch(`/tasks/${id}`, { assigneeId: client.userId }),
        api(client.token).patch(`/tasks/${id}`, { assigneeId: null }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    }
    await expectConsistency(world);
  });
});

describe('MCP tools', () => {
  it('accept several assignees by name, find tasks by any of them, and show all of them', async () => {
    const token = await tokenOf(world, world.people.owner);
    const { lead: first, member, client } = world.people;
    const made = await use(token, 'create_task', {
      tasks: [{ project: 'Joined', name: 'Shared', assignee: [first.name, member.name] }],
    });
    const { id } = made.results[0].task;
    const found = await use(token, 'find_tasks', { assignee: member.name, search: 'Shared' });
    expect(found.data).toMatchObject([{ id, assignee: [first.name, member.name] }]);
    expect(textOf(await call(token, 'get_task', { id }))).toContain(`${first.name}, ${member.name}`);
    await use(token, 'update_task', { updates: [{ id, assignee: [client.email, 'me'] }] });
    expect(await read(id)).toEqual(ids(client, world.people.owner));
    await use(token, 'update_task', { ids: [id], set: { assignee: member.name } });
    expect(await read(id)).toEqual(ids(member, world.people.owner));
    await use(token, 'update_task', { updates: [{ id, assignee: null }] });
    expect(await read(id)).toEqual(ids(world.people.owner));
    const rejected = await call(token, 'update_task', { updates: [{ id, assignee: ['me', 'me'] }] });
    expect(textOf(rejected)).toContain('assignee must contain each person once');
    const unknown = await call(token, 'update_task', { updates: [{ id, assignee: ['me', 'nobody'] }] });
    expect([unknown.isError, textOf(unknown)]).toEqual([true, expect.stringContaining('nobody')]);
  });
});

describe('a change set with several assignees', () => {
  it('stages and applies them, and shows them to the reviewer', async () => {
    const { lead: person, member, client, admin } = world.people;
    const id = await create(member, client);
    const token = await tokenOf(world, person);
    const { changeSet } = await use(token, 'begin_changes', { title: 'Share it' });
    await use(token, 'update_task', { updates: [{ id, assignee: [admin.name, client.name, member.name] }] });
    await use(token, 'update_task', { updates: [{ id, assignee: null }] });
    expect(textOf(await call(token, 'get_task', { id }))).toContain(`${client.name}, ${member.name}`);
    const found = await use(token, 'find_tasks', { assignee: member.name, project: 'Joined' });
    expect(found.data.map((task: { id: number }) => task.id)).toContain(id);
    await use(token, 'create_task', {
      tasks: [{ project: 'Joined', name: 'Staged', assignee: [client.name, admin.name] }],
    });
    await use(token, 'propose_changes', { reason: 'Please' });
    const shown = await runForm(person.token, getChangeSet, { id: changeSet });
    expect(JSON.stringify(shown.body)).toContain(`${client.name}, ${member.name}`);
    expect(await read(id)).toEqual(ids(member, client));
    const applied = await runForm(person.token, applyChangeSet, { id: changeSet });
    expect([applied.status, applied.body]).toEqual([200, expect.anything()]);
    expect(await read(id)).toEqual(ids(client, member));
    await expectConsistency(world);
  });
});
