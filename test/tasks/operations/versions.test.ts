import { beforeAll, describe, expect, it } from 'vitest';
import { updateProject } from '../../../src/projects/operations/change-projects.ts';
import { confirmUpload, presignAndUpload } from '../../files/attachments/presigning.ts';
import { api } from '../../support/api.ts';
import { runForm } from '../../support/forms.ts';
import { formOperations } from '../../support/operations.ts';
import { createProject, createTask, createWorld, type World } from '../../support/world.ts';

const TAG = /^"(\d+)-[\w-]{22}"$/;
const OLD_TAG = '"kM2pQ7xR4tV9wZ1yB3nC5d"';

let world: World;
let me: ReturnType<typeof api>;
beforeAll(async () => {
  world = await createWorld();
  me = api(world.people.owner.token);
});

const getTag = ({ headers }: { headers: Headers }) => headers.get('ETag') ?? '';
const getVersion = (answer: { headers: Headers }) => Number(TAG.exec(getTag(answer))?.[1]);
const createTaskId = async () => (await createTask(world.people.owner, world.projects.joined.id)).id;
const runTaskForm = (name: string, input: Record<string, unknown>) => {
  const operation = formOperations.find((each) => each.name === name);
  if (!operation) throw new Error(`there is no form ${name}`);
  return runForm(world.people.owner.token, operation, input);
};

describe("a task's version", () => {
  it('increases by one when a field, the tags, the category or the board column changes, or the task is archived or unarchived', async () => {
    const id = await createTaskId();
    const { people, categories } = world;
    const changes = [
      { name: 'Another name' },
      { description: '<p>Text</p>' },
      { status: 'completed' },
      { priority: 'high' },
      { assigneeId: people.member.userId },
      { startDate: '2026-11-02' },
      { deadline: '2026-12-24' },
      { customEstimatedHours: '2.5' },
    ].map((body) => () => me.patch(`/tasks/${id}`, body));
    const others = [
      () => runTaskForm('setTaskTags', { id, tags: ['one'] }),
      () => runTaskForm('setTaskCategory', { id, typeId: categories[0].typeId }),
      () => runTaskForm('moveCard', { id, status: 'todo' }),
      () => me.post(`/tasks/${id}/archive`),
      () => me.post(`/tasks/${id}/unarchive`),
    ];
    const versions = [getVersion(await me.get(`/tasks/${id}`))];
    for (const change of [...changes, ...others]) {
      expect((await change()).status).toBe(200);
      versions.push(getVersion(await me.get(`/tasks/${id}`)));
    }
    expect(versions).toEqual(versions.map((_, index) => (versions[0] ?? 0) + index));
  });

  it("doesn't increase when comments, followers, files, timers or the project's name change, or when an update changes nothing", async () => {
    const { owner, lead } = world.people;
    const { id: projectId } = await createProject(world, { owner, members: [lead] });
    const { id } = await createTask(owner, projectId);
    const first = await me.get(`/tasks/${id}`);
    const { body: comment } = await me.post(`/tasks/${id}/comments`, { content: 'A word' });
    await me.patch(`/tasks/${id}/comments/${comment.id}`, { content: 'Another' });
    await runTaskForm('unfollowTask', { id });
    await me.post('/timer/start', { taskId: id });
    await confirmUpload(owner, id, { s3Key: await presignAndUpload(owner, id) });
    await runForm(owner.token, updateProject, { id: projectId, name: 'Renamed' });
    await me.patch(`/tasks/${id}`, { priority: first.body.priority });
    await me.post(`/tasks/${id}/unarchive`);
    const now = await me.get(`/tasks/${id}`);
    expect(getVersion(now)).toBe(getVersion(first));
    expect(getTag(now)).not.toBe(getTag(first));
  });
});

describe("a task's ETag", () => {
  it('is the same with and without the fields parameter', async () => {
    const id = await createTaskId();
    const whole = await me.get(`/tasks/${id}`);
    expect(getTag(whole)).toMatch(TAG);
    for (const fields of ['name', 'id,comments', 'description']) {
      expect(getTag(await me.get(`/tasks/${id}?fields=${fields}`))).toBe(getTag(whole));
    }
  });

  it('is returned by every write, and matches the next GET', async () => {
    const { body, ...created } = await me.post('/tasks', {
      projectId: world.projects.joined.id,
      name: 'Tagged',
    });
    const path = `/tasks/${body.id}`;
    expect(getTag(created)).toBe(getTag(await me.get(path)));
    for (const write of [
      () => me.patch(path, { name: 'Renamed' }),
      () => me.post(`${path}/archive`),
      () => me.post(`${path}/unarchive`),
      () => me.patch(path, {}),
    ]) {
      const answer = await write();
      expect([answer.status, getTag(answer)]).toEqual([200, expect.stringMatching(TAG)]);
      expect(getTag(answer)).toBe(getTag(await me.get(path)));
    }
    const copy = await me.post(`${path}/duplicate`);
    expect(getTag(copy)).toBe(getTag(await me.get(`/tasks/${copy.body.id}`)));
  });

  it('is the same in a retry as in the first response, even if the task has changed in between', async () => {
    const id = await createTaskId();
    const key = { 'Idempotency-Key': crypto.randomUUID() };
    const first = await me.patch(`/tasks/${id}`, { name: 'Once' }, key);
    await me.patch(`/tasks/${id}`, { name: 'Since' });
    const again = await me.patch(`/tasks/${id}`, { name: 'Once' }, key);
    expect([again.text, getTag(again)]).toEqual([first.text, getTag(first)]);
  });
});

describe('If-Match on a task', () => {
  const renameTask = (id: number, tag: string, extra = {}) =>
    me.patch(`/tasks/${id}`, { name: `Named under ${tag}`.slice(0, 80) }, { 'If-Match': tag, ...extra });

  it('accepts a complete ETag, a bare version or one of several ETags, and rejects every other version', async () => {
    const id = await createTaskId();
    const forms = [
      (tag: string) => tag,
      (_tag: string, version: number) => `"${version}"`,
      (_tag: string, version: number) => `${version}`,
      (tag: string) => `W/${tag}`,
      (tag: string) => `"other", ${tag}`,
    ];
    for (const form of forms) {
      const read = await me.get(`/tasks/${id}?fields=id`);
      const tag = form(getTag(read), getVersion(read));
      const answer = await renameTask(id, tag);
      expect([answer.status, getVersion(answer)], tag).toEqual([200, getVersion(read) + 1]);
      expect((await renameTask(id, tag)).status, `${tag} again`).toBe(412);
    }
    const version = getVersion(await me.get(`/tasks/${id}`));
    for (const tag of [OLD_TAG, `"${version + 1}"`, `"${version}-short"`, '""', `"${version}x"`, '"0"']) {
      const rejected = await renameTask(id, tag);
      expect([rejected.status, rejected.cost.rowsWritten], tag).toEqual([412, 0]);
    }
    expect((await renameTask(999_999_999, '"1"')).status).toBe(404);
  });

  it("still matches after another person's comment", async () => {
    const id = await createTaskId();
    const tag = getTag(await me.get(`/tasks/${id}`));
    await api(world.people.lead.token).post(`/tasks/${id}/comments`, { content: 'In between' });
    expect((await renameTask(id, tag)).status).toBe(200);
  });

  it("doesn't reject a retry with the same Idempotency-Key, even though the version has increased", async () => {
    const id = await createTaskId();
    const tag = getTag(await me.get(`/tasks/${id}`));
    const key = { 'Idempotency-Key': crypto.randomUUID() };
    const first = await renameTask(id, tag, key);
    const again = await renameTask(id, tag, key);
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
  });
});

describe('ifVersion in a bulk request', () => {
  it('accepts the ETags of 100 tasks, even if one of them has comments that are too long for the bulk response', async () => {
    const tasks = Array.from({ length: 100 }, () => ({ projectId: world.projects.joined.id, name: 'Long' }));
    const created = await me.post('/tasks/bulk', { tasks });
    const ids = (created.body.data as { task: { id: number } }[]).map(({ task }) => task.id);
    for (let count = 0; count < 2; count += 1) {
      await me.post(`/tasks/${ids[0]}/comments`, { content: 'x'.repeat(15_000) });
    }
    const updates = [];
    for (const id of ids) {
      updates.push({ id, priority: 'high', ifVersion: getTag(await me.get(`/tasks/${id}?fields=id`)) });
    }
    const answer = await me.patch('/tasks/bulk', { updates });
    expect([answer.status, answer.body.meta]).toEqual([200, { succeeded: 100, failed: 0 }]);
    const stale = await me.patch('/tasks/bulk', { updates });
    expect([stale.status, stale.body.error.message]).toEqual([
      412,
      expect.stringMatching(/^updates\[0\]\.ifVersion must name the current version/),
    ]);
  });
});
