import { describe, expect, it } from 'vitest';
import { EdgeworkError, type Task } from '../../.wrangler/assets/client.js';
import { api } from '../support/api.ts';
import { createTask, createWorld } from '../support/world.ts';
import { connect } from './connect.ts';

async function catchError(work: Promise<unknown>): Promise<EdgeworkError> {
  const failure = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (failure instanceof EdgeworkError) return failure;
  throw new Error(`Expected an EdgeworkError; got ${failure}`);
}

async function prepare() {
  const world = await createWorld();
  const { member } = world.people;
  const projectId = world.projects.joined.id;
  const count = async () => (await api(member.token).get('/tasks')).body.meta.total as number;
  return { world, member, projectId, count };
}

describe('methods', () => {
  it('take path ids, query parameters and the body in one object, and return typed results', async () => {
    const { member, projectId } = await prepare();
    const { client } = connect(member.token);
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
    const { member, projectId } = await prepare();
    const { id } = await createTask(member, projectId);
    const { client } = connect(member.token);
    const task = await client.getTask({ id, fields: ['id', 'status'] });
    const status: 'todo' | 'in_progress' | 'internal_review' | 'client_review' | 'completed' = task.status;
    expect([task, status]).toEqual([{ id, status: 'todo' }, 'todo']);
    const page = await client.listTasks({ fields: ['name'] });
    expect(page.data).toEqual([{ name: 'A task' }]);
  });

  it('reject a missing id before they send anything', async () => {
    const { client, sent } = connect('token');
    // @ts-expect-error: the id is required.
    await expect(client.deleteTask({})).rejects.toThrow('id is required');
    expect(sent).toEqual([]);
  });

  it('send If-Match, so that a change by someone else is not overwritten', async () => {
    const { member, projectId } = await prepare();
    const { id } = await createTask(member, projectId);
    const { client } = connect(member.token);
    const change = () => client.updateTask({ id, name: `Changed ${Math.random()}` }, { ifMatch: 1 });
    await change();
    expect((await catchError(change())).status).toBe(412);
  });

  it('ask for the token before each request, if it is a function', async () => {
    const { member } = await prepare();
    const { client, sent } = connect(undefined, { token: async () => member.token });
    expect((await client.getMe()).id).toBe(member.userId);
    expect(sent[0]?.headers.get('Authorization')).toBe(`Bearer ${member.token}`);
  });
});

describe('all', () => {
  it('reads every page once, even while tasks are created', async () => {
    const { member, projectId } = await prepare();
    const ids: number[] = [];
    for (let n = 0; n < 7; n += 1) ids.push((await createTask(member, projectId)).id);
    const { client, sent } = connect(member.token);
    const read: number[] = [];
    for await (const task of client.listTasks.all({ limit: 2, fields: ['id'], status: ['open'] })) {
      read.push(task.id);
      if (read.length === 3) await createTask(member, projectId);
    }
    expect(read).toEqual(ids.reverse());
    expect(sent.length).toBe(4);
    expect(sent.at(-1)?.url.searchParams.get('status')).toBe('open');
  });

  it('continues from an offset, and stops requesting pages when the reader stops', async () => {
    const { member, projectId } = await prepare();
    for (let n = 0; n < 6; n += 1) await createTask(member, projectId, { name: `Task ${n}` });
    const { client, sent } = connect(member.token);
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
    const { member, projectId } = await prepare();
    const { client, sent } = connect(member.token);
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

  it('starts with the next event without a cursor, and ends when it is aborted', async () => {
    const { member, projectId } = await prepare();
    await createTask(member, projectId);
    const stop = new AbortController();
    const { client, sent } = connect(member.token, {
      interrupt: async (count, deliver) => {
        if (count === 2) await createTask(member, projectId, { name: 'New' });
        if (count === 3) stop.abort(new Error('stopped'));
        return deliver();
      },
    });
    const seen: unknown[] = [];
    const follow = async () => {
      for await (const { changes } of client.followEvents({ wait: 1 }, { signal: stop.signal }))
        seen.push(changes?.name);
    };
    await expect(follow()).rejects.toThrow('stopped');
    expect(seen).toEqual([{ from: null, to: 'New' }]);
    expect(sent.length).toBe(3);
  });
});

describe('retries', () => {
  it('repeat a write with the same key after its response was lost, so that it takes effect once', async () => {
    const { member, projectId, count } = await prepare();
    const { client, sent } = connect(member.token, {
      interrupt: async (attempt, deliver) => {
        const response = await deliver();
        if (attempt === 1) throw new TypeError('The connection was lost');
        if (attempt === 2) return new Response('Bad gateway', { status: 502 });
        return response;
      },
    });
    const { name } = await client.createTask({ projectId, name: 'Once' });
    expect([name, await count()]).toEqual(['Once', 1]);
    const keys = sent.map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys.length).toBe(3);
    expect(new Set(keys).size).toBe(1);
    await client.createTask({ projectId, name: 'Once' });
    expect(sent.at(-1)?.headers.get('Idempotency-Key')).not.toBe(keys[0]);
    expect(await count()).toBe(2);
  });

  it('repeat a read whose body broke off', async () => {
    const { member } = await prepare();
    const broken = new ReadableStream({
      start: (controller) => controller.error(new Error('The connection was lost')),
    });
    const { client, sent } = connect(member.token, {
      interrupt: async (attempt, deliver) => (attempt === 1 ? new Response(broken) : deliver()),
    });
    expect((await client.getMe()).id).toBe(member.userId);
    expect(sent.length).toBe(2);
  });

  it.each([429, 503])('wait for Retry-After after a %i', async (status) => {
    const { member } = await prepare();
    const { client } = connect(member.token, {
      interrupt: async (attempt, deliver) =>
        attempt === 1 ? new Response('', { status, headers: { 'Retry-After': '1' } }) : deliver(),
    });
    const start = Date.now();
    await client.getMe();
    expect(Date.now() - start).toBeGreaterThanOrEqual(950);
  });

  it('end after the configured number, and before a pause that is too long', async () => {
    const lost = async () => {
      throw new TypeError('The connection was lost');
    };
    const few = connect('token', { interrupt: lost, retries: 1 });
    const error = await catchError(few.client.getMe());
    expect([error.code, error.status, few.sent.length]).toEqual(['network', 0, 2]);
    const limited = async () => new Response('', { status: 429, headers: { 'Retry-After': '61' } });
    const late = connect('token', { interrupt: limited });
    const { code, retryAfter } = await catchError(late.client.getMe());
    expect([code, retryAfter, late.sent.length]).toEqual(['rate_limited', 61, 1]);
  });

  it('never repeat a public write that may have taken effect, because it accepts no key', async () => {
    const { client, sent } = connect(undefined, {
      interrupt: async () => {
        throw new TypeError('The connection was lost');
      },
    });
    await catchError(client.login({ email: 'a@example.com', password: 'not-the-password' }));
    expect(sent.length).toBe(1);
  });

  it('end as soon as the signal aborts', async () => {
    const stop = new AbortController();
    const { client, sent } = connect('token', {
      interrupt: async () => {
        setTimeout(() => stop.abort(new Error('stopped')), 10);
        return new Response('', { status: 503, headers: { 'Retry-After': '60' } });
      },
    });
    await expect(client.getMe({}, { signal: stop.signal })).rejects.toThrow('stopped');
    expect(sent.length).toBe(1);
    await expect(client.getMe({}, { signal: stop.signal })).rejects.toThrow('stopped');
  });
});

describe('errors', () => {
  it('have the code, status, message, field and request id', async () => {
    const { member, projectId, count } = await prepare();
    const { client } = connect(member.token);
    const error = await catchError(
      // @ts-expect-error: there is no such priority.
      client.createTask({ projectId, name: 'A task', priority: 'urgent' }),
    );
    expect(error).toMatchObject({
      name: 'EdgeworkError',
      code: 'invalid_request',
      status: 400,
      field: 'priority',
    });
    expect(error.message).toBe("priority must be one of low, medium, high; got 'urgent'");
    expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(await count()).toBe(0);
    expect(await catchError(client.getTask({ id: 1 }))).toMatchObject({ code: 'not_found', status: 404 });
    const anonymous = connect(undefined);
    expect(await catchError(anonymous.client.getMe())).toMatchObject({ code: 'unauthorized', field: null });
  });
});
