import { beforeEach, expect, it } from 'vitest';
import { followTask, unfollowTask } from '../../../src/tasks/operations/following.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { runForm } from '../../support/forms.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { createTask, createWorld, type Person, type World } from '../../support/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const listFollowers = async (id: number): Promise<string[]> =>
  (await api(world.people.owner.token).get(`/tasks/${id}`)).body.followers.map(
    (each: { id: string }) => each.id,
  );
const follow = ({ token }: Person, id: number) => runForm(token, followTask, { id });
const unfollow = ({ token }: Person, id: number) => runForm(token, unfollowTask, { id });
const listNotificationTypes = async ({ token }: Person): Promise<string[]> =>
  (await api(token).get('/notifications')).body.data.map(({ type }: { type: string }) => type);
const countOwnTasks = async ({ token }: Person): Promise<number> =>
  (await api(token).get('/tasks?scope=mine')).body.meta.total;

it('people who follow a task are notified about it and find it with scope=mine until they unfollow it', async () => {
  const { owner, member, lead } = world.people;
  const { id } = await createTask(owner, world.projects.other.id);
  const mine = await countOwnTasks(member);
  expect((await follow(member, id)).status).toBe(200);
  expect(await listFollowers(id)).toContain(member.userId);
  expect(await countOwnTasks(member)).toBe(mine + 1);
  await api(lead.token).post(`/tasks/${id}/comments`, { content: 'First' });
  expect(await listNotificationTypes(member)).toEqual(['comment_added']);
  expect(await findCounterDrift(world)).toEqual([]);
  // Changing the task also changes its followers' counters of followed tasks.
  await api(owner.token).patch(`/tasks/${id}`, { status: 'in_progress', priority: 'high' });
  expect((await unfollow(member, id)).status).toBe(200);
  expect(await listFollowers(id)).not.toContain(member.userId);
  expect(await countOwnTasks(member)).toBe(mine);
  const before = await listNotificationTypes(member);
  await api(lead.token).post(`/tasks/${id}/comments`, { content: 'Second' });
  expect(await listNotificationTypes(member)).toEqual(before);
  expect(await findInconsistencies()).toEqual([]);
});

it('following or unfollowing a task again changes nothing and logs no event', async () => {
  const { owner, member } = world.people;
  const { id } = await createTask(owner, world.projects.other.id);
  const countFollowerEvents = async () =>
    (await api(owner.token).get('/events?after=0&limit=100')).body.data.filter(
      (event: { task?: { id: number }; changes: object }) =>
        event.task?.id === id && 'followers' in event.changes,
    ).length;
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => runForm(member.token, followTask, { id }, {}, 4)),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await countFollowerEvents()).toBe(1);
  const before = await readAllContents();
  await follow(member, id);
  expect(await readAllContents()).toEqual(before);
  await unfollow(member, id);
  await unfollow(member, id);
  expect(await countFollowerEvents()).toBe(2);
  expect(await findCounterDrift(world)).toEqual([]);
});

it("assignees can't unfollow their tasks, and no one can follow an archived task", async () => {
  const { owner, member } = world.people;
  const { id } = await createTask(owner, world.projects.other.id, { assigneeId: member.userId });
  const rejected = await unfollow(member, id);
  expect([rejected.status, rejected.body.error.message]).toEqual([
    400,
    "You can't unfollow a task that is assigned to you. Reassign it first.",
  ]);
  await api(owner.token).patch(`/tasks/${id}`, { assigneeId: null });
  expect((await unfollow(member, id)).status).toBe(200);
  await api(owner.token).post(`/tasks/${id}/archive`);
  expect((await follow(member, id)).status).toBe(400);
  expect(await findCounterDrift(world)).toEqual([]);
});

it('following a hidden task returns 404, and a client who unfollows a task in a hidden project no longer sees it', async () => {
  const { owner, client } = world.people;
  const { id } = await createTask(owner, world.projects.other.id, { assigneeId: client.userId });
  await api(owner.token).patch(`/tasks/${id}`, { assigneeId: null });
  expect((await api(client.token).get(`/tasks/${id}`)).status).toBe(200);
  expect((await unfollow(client, id)).status).toBe(200);
  expect((await api(client.token).get(`/tasks/${id}`)).status).toBe(404);
  expect((await follow(client, id)).status).toBe(404);
  const elsewhere = await createWorld();
  expect((await follow(elsewhere.people.owner, id)).status).toBe(404);
  expect((await unfollow(elsewhere.people.owner, id)).status).toBe(404);
});
