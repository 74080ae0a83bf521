import { beforeAll, describe, expect, it } from 'vitest';
import { applyChangeSet, getChangeSet } from '../../../src/change-sets/review/review.ts';
import { undoTaskChanges } from '../../../src/tasks/bulk/undo.ts';
import { unfollowTask } from '../../../src/tasks/operations/following.ts';
import { removePerson } from '../../../src/workspaces/people/remove-person.ts';
import { callTool, createOAuthToken, getResultText, getToolResult } from '../../mcp/client.ts';
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

const getUserIds = (...people: Person[]) => people.map(({ userId }) => userId);
const createAssignedTask = async (...people: Person[]) =>
  (await createTask(world.people.lead, project, { assigneeIds: getUserIds(...people) })).id;
async function readAssignees(id: number): Promise<string[]> {
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
      const createOwnTask = async (fields: Record<string, unknown>) =>
        (await createTask(owner, own.projects.joined.id, fields)).id;
      const [first, second, alone, done] = [
        await createOwnTask({ assigneeIds: getUserIds(member, client, admin) }),
        await createOwnTask({ assigneeIds: getUserIds(client, member) }),
        await createOwnTask({ assigneeId: member.userId }),
        await createOwnTask({ assigneeIds: getUserIds(client, member), status: 'completed' }),
      ];
      const listAssignees = async (id: number) =>
        (await me.get(`/tasks/${id}?expand=assignees`)).body.assignees.map((each: { id: string }) => each.id);
      const heirId = to === 'an admin' ? admin.userId : undefined;
      const removed = await runForm(owner.token, removePerson, { userId: member.userId, heirId });
      expect(removed.status).toBe(200);
      const heir = to === 'an admin' ? [admin] : [];
      expect(await listAssignees(first)).toEqual(
        to === 'an admin' ? getUserIds(admin, client) : getUserIds(client, admin),
      );
      expect(await listAssignees(second)).toEqual(getUserIds(client, ...heir));
      expect(await listAssignees(alone)).toEqual(getUserIds(...heir));
      expect(await listAssignees(done)).toEqual(getUserIds(client, member));
      const kept = await me.patch(`/tasks/${done}`, { assigneeIds: getUserIds(admin, member) });
      expect(kept.status).toBe(200);
      expect((await me.patch(`/tasks/${first}`, { assigneeIds: getUserIds(member) })).status).toBe(400);
      await expectConsistency(own);
    },
  );
});

describe('an assignee', () => {
  it("follows the task, and can't unfollow it until they are no longer assigned", async () => {
    const { member, client } = world.people;
    const id = await createAssignedTask(client, member);
    for (const { token } of [client, member])
      expect((await runForm(token, unfollowTask, { id })).status).toBe(400);
    await lead.patch(`/tasks/${id}`, { assigneeIds: getUserIds(client) });
    expect((await runForm(member.token, unfollowTask, { id })).status).toBe(200);
    await expectConsistency(world);
  });
});

describe('undoing an assignee change', () => {
  it('restores all assignees, unless someone else has since changed them', async () => {
    const { member, client, admin, owner } = world.people;
    const id = await createAssignedTask(member, client);
    const since = Date.now() - 1;
    const undoTaskChange = () => runForm(world.people.lead.token, undoTaskChanges, { ids: [id], since });
    await lead.patch(`/tasks/${id}`, { assigneeIds: getUserIds(admin, owner, client) });
    expect((await undoTaskChange()).status).toBe(200);
    expect(await readAssignees(id)).toEqual(getUserIds(member, client));
    const other = await createAssignedTask(member, client);
    const later = Date.now();
    await lead.patch(`/tasks/${other}`, { assigneeId: admin.userId });
    await api(owner.token).patch(`/tasks/${other}`, { assigneeIds: getUserIds(owner) });
    const rejected = await runForm(world.people.lead.token, undoTaskChanges, {
      ids: [other],
      since: later,
    });
    expect(rejected.status).toBe(400);
    expect(await readAssignees(other)).toEqual(getUserIds(owner));
  });
});

describe('concurrent assignee changes', () => {
  it('all succeed, and leave consistent data', async () => {
    const { member, client, admin, owner } = world.people;
    for (let round = 0; round < 5; round += 1) {
      const id = await createAssignedTask(member, client);
      const answers = await Promise.all([
        lead.patch(`/tasks/${id}`, { assigneeIds: getUserIds(admin, member) }),
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
    const token = await createOAuthToken(world, world.people.owner);
    const { lead: first, member, client } = world.people;
    const made = await callTool(token, 'create_task', {
      tasks: [{ project: 'Joined', name: 'Shared', assignee: [first.name, member.name] }],
    });
    const { id } = made.results[0].task;
    const found = await callTool(token, 'find_tasks', { assignee: member.name, search: 'Shared' });
    expect(found.data).toMatchObject([{ id, assignee: [first.name, member.name] }]);
    expect(getResultText(await getToolResult(token, 'get_task', { id }))).toContain(
      `${first.name}, ${member.name}`,
    );
    await callTool(token, 'update_task', { updates: [{ id, assignee: [client.email, 'me'] }] });
    expect(await readAssignees(id)).toEqual(getUserIds(client, world.people.owner));
    await callTool(token, 'update_task', { ids: [id], set: { assignee: member.name } });
    expect(await readAssignees(id)).toEqual(getUserIds(member, world.people.owner));
    await callTool(token, 'update_task', { updates: [{ id, assignee: null }] });
    expect(await readAssignees(id)).toEqual(getUserIds(world.people.owner));
    const rejected = await getToolResult(token, 'update_task', { updates: [{ id, assignee: ['me', 'me'] }] });
    expect(getResultText(rejected)).toContain('assignee must not contain the same person twice');
    const unknown = await getToolResult(token, 'update_task', {
      updates: [{ id, assignee: ['me', 'nobody'] }],
    });
    expect([unknown.isError, getResultText(unknown)]).toEqual([true, expect.stringContaining('nobody')]);
  });
});

describe('a change set', () => {
  it('can set several assignees per task, which the reviewer sees before they are applied', async () => {
    const { lead: person, member, client, admin } = world.people;
    const id = await createAssignedTask(member, client);
    const token = await createOAuthToken(world, person);
    const { changeSet } = await callTool(token, 'begin_changes', { title: 'Share it' });
    await callTool(token, 'update_task', {
      updates: [{ id, assignee: [admin.name, client.name, member.name] }],
    });
    await callTool(token, 'update_task', { updates: [{ id, assignee: null }] });
    expect(getResultText(await getToolResult(token, 'get_task', { id }))).toContain(
      `${client.name}, ${member.name}`,
    );
    const found = await callTool(token, 'find_tasks', { assignee: member.name, project: 'Joined' });
    expect(found.data.map((task: { id: number }) => task.id)).toContain(id);
    await callTool(token, 'create_task', {
      tasks: [{ project: 'Joined', name: 'Staged', assignee: [client.name, admin.name] }],
    });
    await callTool(token, 'propose_changes', { reason: 'Please' });
    const shown = await runForm(person.token, getChangeSet, { id: changeSet });
    expect(JSON.stringify(shown.body)).toContain(`${client.name}, ${member.name}`);
    expect(await readAssignees(id)).toEqual(getUserIds(member, client));
    const applied = await runForm(person.token, applyChangeSet, { id: changeSet });
    expect([applied.status, applied.body]).toEqual([200, expect.anything()]);
    expect(await readAssignees(id)).toEqual(getUserIds(client, member));
    await expectConsistency(world);
  });
});
