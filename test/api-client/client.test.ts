import { describe, expect, it } from 'vitest';
import type { Task } from '../../.wrangler/assets/client.js';
import { api } from '../support/api.ts';
import { createTask } from '../support/world.ts';
import { catchError, connectClient, prepareTasks } from './connect.ts';

describe('client methods', () => {
  it('take path ids, query parameters and the body in one object, and return typed results', async () => {
    const { member, projectId } = await prepareTasks();
    const { client } = connectClient(member.token);
    const created = await client.createTask({
      projectId,
      name: 'Written',
      description: '*a*',
      descriptionFormat: 'markdown',
    });
    const changed = await client.updateTask({
      id: created.id,
      priority: 'high',
      deadline: null,
      status: undefined,
    });
    expect(changed.priority).toBe('high');
    const { data, meta } = await client.listTasks({
      status: ['todo', 'in_progress'],
      projectId: [projectId],
    });
    const [task]: Task[] = data;
    expect([task?.name, meta.total]).toEqual(['Written', 1]);
  });

  it('return only the requested fields', async () => {
    const { member, projectId } = await prepareTasks();
    const { id } = await createTask(member, projectId);
    const { client } = connectClient(member.token);
    const task = await client.getTask({ id, fields: ['id', 'status'] });
    const status: 'todo' | 'in_progress' | 'internal_review' | 'client_review' | 'completed' = task.status;
    expect([task, status]).toEqual([{ id, status: 'todo' }, 'todo']);
    const page = await client.listTasks({ fields: ['name'] });
    expect(page.data).toEqual([{ name: 'A task' }]);
  });

  it('reject a missing id without sending a request', async () => {
    const { client, sent } = connectClient('token');
    // @ts-expect-error: the id is required.
    await expect(client.deleteTask({})).rejects.toThrow('id is required');
    expect(sent).toEqual([]);
  });

  it("fail with 412 instead of overwriting someone else's change, if ifMatch is given", async () => {
    const { member, projectId } = await prepareTasks();
    const { id } = await createTask(member, projectId);
    const { client, sent } = connectClient(member.token);
    const before = await client.getTask({ id });
    const after = await client.updateTask({ id, name: 'Changed once' }, { ifMatch: before });
    for (const ifMatch of [before, 1, '1']) {
      const error = await catchError(client.updateTask({ id, name: 'Overwritten' }, { ifMatch }));
      expect(error.status).toBe(412);
    }
    const { name } = await client.updateTask({ id, name: 'Changed twice' }, { ifMatch: after });
    expect(name).toBe('Changed twice');
    const count = sent.length;
    await expect(client.updateTask({ id, name: 'Overwritten' }, { ifMatch: {} })).rejects.toThrow('no ETag');
    expect(sent.length).toBe(count);
  });

  it('call the token function before each request, if the token is a function', async () => {
    const { member } = await prepareTasks();
    const { client, sent } = connectClient(undefined, { token: async () => member.token });
    expect((await client.getMe()).id).toBe(member.userId);
    expect(sent[0]?.headers.get('Authorization')).toBe(`Bearer ${member.token}`);
  });
});

describe('listTasks.all', () => {
  it('reads every page once, even while tasks are being created', async () => {
    const { member, projectId } = await prepareTasks();
    const ids: number[] = [];
    for (let n = 0; n < 7; n += 1) ids.push((await createTask(member, projectId)).id);
    const { client, sent } = connectClient(member.token);
    const read: number[] = [];
    for await (const task of client.listTasks.all({ limit: 2, fields: ['id'], status: ['open'] })) {
      read.push(task.id);
      if (read.length === 3) await createTask(member, projectId);
    }
    expect(read).toEqual(ids.reverse());
    expect(sent.length).toBe(4);
    expect(sent.at(-1)?.url.searchParams.get('status')).toBe('open');
  });

  it('can start at an offset, and requests no more pages once the caller stops reading', async () => {
    const { member, projectId } = await prepareTasks();
    for (let n = 0; n < 6; n += 1) await createTask(member, projectId, { name: `Task ${n}` });
    const { client, sent } = connectClient(member.token);
    const names: string[] = [];
    for await (const { name } of client.listTasks.all({ limit: 2, offset: 1 })) {
      names.push(name);
      if (names.length === 4) break;
    }
    expect(names).toEqual(['Task 4', 'Task 3', 'Task 2', 'Task 1']);
    expect(sent.length).toBe(2);
  });
});

describe('followEvents', () => {
  it('yields the events after a cursor in order, and then waits for the next one', async () => {
    const { member, projectId } = await prepareTasks();
    const { client, sent } = connectClient(member.token);
    const first = await createTask(member, projectId);
    const seen: [number | undefined, string][] = [];
    for await (const { task, type } of client.followEvents({ after: 0, types: ['task.*'], wait: 1 })) {
      seen.push([task?.id, type]);
      if (seen.length === 1) await api(member.token).post(`/tasks/${first.id}/archive`);
      if (seen.length === 2) break;
    }
    expect(seen).toEqual([
      [first.id, 'task.created'],
      [first.id, 'task.archived'],
    ]);
    expect(sent.length).toBe(2);
  });

  it('starts with the next event if no cursor is given, and throws when it is aborted', async () => {
    const { member, projectId } = await prepareTasks();
    await createTask(member, projectId);
    const stop = new AbortController();
    const { client, sent } = connectClient(member.token, {
      interrupt: async (count, deliver) => {
        if (count === 2) await createTask(member, projectId, { name: 'New' });
        if (count === 3) stop.abort(new Error('stopped'));
        return deliver();
      },
    });
    const seen: unknown[] = [];
    const followChanges = async () => {
      for await (const { changes } of client.followEvents({ wait: 1 }, { signal: stop.signal }))
        seen.push(changes?.name);
    };
    await expect(followChanges()).rejects.toThrow('stopped');
    expect(seen).toEqual([{ from: null, to: 'New' }]);
    expect(sent.length).toBe(3);
  });
});
