import { describe, expect, it } from 'vitest';
import { api, ORIGIN, send } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createMeeting, createTask, createWorld } from '../../support/world.ts';

async function readWithTag(token: string, path: string, headers: Record<string, string> = {}) {
  const response = await send(
    new Request(`${ORIGIN}/v1${path}`, { headers: { Authorization: `Bearer ${token}`, ...headers } }),
  );
  return { status: response.status, text: await response.text(), tag: response.headers.get('ETag') ?? '' };
}

describe('If-None-Match', () => {
  it('returns 304 without a body for unchanged resources and lists', async () => {
    const world = await createWorld();
    const { owner } = world.people;
    const { id } = await createTask(owner, world.projects.joined.id);
    for (const path of [
      `/tasks/${id}`,
      '/tasks?scope=all',
      '/me',
      '/dashboard/stats',
      `/tasks/${id}?fields=name,comments`,
    ]) {
      const first = await readWithTag(owner.token, path);
      expect([first.status, first.tag.length > 10]).toEqual([200, true]);
      const second = await readWithTag(owner.token, path, { 'If-None-Match': `"other", W/${first.tag}` });
      expect([second.status, second.text, second.tag], path).toEqual([304, '', first.tag]);
      expect((await readWithTag(owner.token, path, { 'If-None-Match': '"other"' })).status).toBe(200);
    }
    const before = await readWithTag(owner.token, `/tasks/${id}`);
    await api(owner.token).post(`/tasks/${id}/comments`, { content: 'c' });
    const after = await readWithTag(owner.token, `/tasks/${id}`, { 'If-None-Match': before.tag });
    expect([after.status, after.tag === before.tag]).toEqual([200, false]);
  });

  it('never matches the ETag of another person or role', async () => {
    const world = await createWorld();
    const { owner, member } = world.people;
    const { id } = await createTask(owner, world.projects.joined.id);
    const [mine, theirs] = [
      await readWithTag(owner.token, `/tasks/${id}`),
      await readWithTag(member.token, `/tasks/${id}`),
    ];
    expect(mine.text).toBe(theirs.text);
    expect(mine.tag).not.toBe(theirs.tag);
    await getCell(0).prepare("UPDATE members SET role = 'lead' WHERE no = ?").bind(member.member).run();
    expect((await readWithTag(member.token, `/tasks/${id}`)).tag).not.toBe(theirs.tag);
  });
});

describe('If-Match', () => {
  it('allows changes to the current version, and returns 412 for an older version', async () => {
    const world = await createWorld();
    const { owner, lead } = world.people;
    const me = api(owner.token);
    const { id } = await createTask(owner, world.projects.joined.id);
    const stale = (await readWithTag(owner.token, `/tasks/${id}`)).tag;
    await api(lead.token).patch(`/tasks/${id}`, { priority: 'high' });
    const task = await me.get(`/tasks/${id}`);
    for (const rejected of [
      await me.patch(`/tasks/${id}`, { name: 'x' }, { 'If-Match': stale }),
      await me.post(`/tasks/${id}/archive`, undefined, { 'If-Match': stale }),
      await me.patch(`/tasks/${id}`, { name: 'x' }, { 'If-Match': '"nonsense"' }),
    ]) {
      expect([rejected.status, rejected.body.error.code, rejected.cost.rowsWritten]).toEqual([
        412,
        'invalid_request',
        0,
      ]);
    }
    expect((await me.get(`/tasks/${id}`)).body).toEqual(task.body);
    const readTag = () => readWithTag(owner.token, `/tasks/${id}`).then(({ tag }) => ({ 'If-Match': tag }));
    expect((await me.patch(`/tasks/${id}`, { name: 'x' }, await readTag())).status).toBe(200);
    expect((await me.post(`/tasks/${id}/archive`, undefined, await readTag())).status).toBe(200);
    expect((await me.post(`/tasks/${id}/unarchive`, undefined, await readTag())).status).toBe(200);
    expect((await me.patch(`/tasks/${id}`, { name: 'y' }, { 'If-Match': '*' })).status).toBe(200);
  });

  it('lets only one of several parallel changes to the same version succeed', async () => {
    const world = await createWorld();
    const { owner } = world.people;
    const { id } = await createTask(owner, world.projects.joined.id);
    const { tag } = await readWithTag(owner.token, `/tasks/${id}`);
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name, index) =>
        api(owner.token).patch(`/tasks/${id}`, index % 2 ? { name } : { priority: 'high', name }, {
          'If-Match': tag,
        }),
      ),
    );
    expect(answers.map((each) => each.status).sort()).toEqual([200, 412, 412, 412]);
  });

  it('is supported for meetings, and returns 412 for resources without a version', async () => {
    const world = await createWorld();
    const { owner, admin } = world.people;
    const me = api(owner.token);
    const { id } = await createMeeting(owner, world.projects.other.id);
    const { tag } = await readWithTag(owner.token, `/meetings/${id}`);
    // Changing a participant's task doesn't change the meeting's version, which If-Match is compared with.
    const { participants } = (await me.get(`/meetings/${id}`)).body;
    await me.patch(`/tasks/${participants[0].taskId}`, { status: 'completed' });
    expect((await readWithTag(owner.token, `/meetings/${id}?fields=name`)).tag).not.toBe(tag);
    const changed = await me.patch(`/meetings/${id}`, { time: '12:00' }, { 'If-Match': tag });
    expect([changed.status, changed.headers.get('ETag')]).toEqual([
      200,
      (await readWithTag(owner.token, `/meetings/${id}?fields=name`)).tag,
    ]);
    expect((await me.delete(`/meetings/${id}`, { 'If-Match': tag })).status).toBe(412);
    expect((await me.get(`/meetings/${id}`)).status).toBe(200);
    await createTask(owner, world.projects.joined.id, { assigneeId: admin.userId });
    const { body } = await api(admin.token).get('/notifications');
    const rejected = await api(admin.token).delete(`/notifications/${body.data[0].id}`, {
      'If-Match': '"x"',
    });
    expect(rejected.status).toBe(412);
    expect((await api(admin.token).get('/notifications')).body.meta.total).toBe(1);
  });
});
