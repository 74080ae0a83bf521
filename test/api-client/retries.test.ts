import { describe, expect, it } from 'vitest';
import { catchError, connectClient, prepareTasks } from './connect.ts';

describe('the client', () => {
  it('repeats a write with the same idempotency key if the response was lost, so that the write takes effect once', async () => {
    const { member, projectId, countTasks } = await prepareTasks();
    const { client, sent } = connectClient(member.token, {
      interrupt: async (attempt, deliver) => {
        const response = await deliver();
        if (attempt === 1) throw new TypeError('The connection was lost');
        if (attempt === 2) return new Response('Bad gateway', { status: 502 });
        return response;
      },
    });
    const { name } = await client.createTask({ projectId, name: 'Once' });
    expect([name, await countTasks()]).toEqual(['Once', 1]);
    const keys = sent.map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys.length).toBe(3);
    expect(new Set(keys).size).toBe(1);
    await client.createTask({ projectId, name: 'Once' });
    expect(sent.at(-1)?.headers.get('Idempotency-Key')).not.toBe(keys[0]);
    expect(await countTasks()).toBe(2);
  });

  it('retries a read if the response body is cut off', async () => {
    const { member } = await prepareTasks();
    const broken = new ReadableStream({
      start: (controller) => controller.error(new Error('The connection was lost')),
    });
    const { client, sent } = connectClient(member.token, {
      interrupt: async (attempt, deliver) => (attempt === 1 ? new Response(broken) : deliver()),
    });
    expect((await client.getMe()).id).toBe(member.userId);
    expect(sent.length).toBe(2);
  });

  it.each([429, 503])(
    'waits as long as Retry-After says before it retries after a %i response',
    async (status) => {
      const { member } = await prepareTasks();
      const { client } = connectClient(member.token, {
        interrupt: async (attempt, deliver) =>
          attempt === 1 ? new Response('', { status, headers: { 'Retry-After': '1' } }) : deliver(),
      });
      const start = Date.now();
      await client.getMe();
      expect(Date.now() - start).toBeGreaterThanOrEqual(950);
    },
  );

  it('stops after the configured number of retries, or if the next pause would be too long', async () => {
    const throwConnectionLost = async () => {
      throw new TypeError('The connection was lost');
    };
    const few = connectClient('token', { interrupt: throwConnectionLost, retries: 1 });
    const error = await catchError(few.client.getMe());
    expect([error.code, error.status, few.sent.length]).toEqual(['network', 0, 2]);
    const createRateLimitResponse = async () =>
      new Response('', { status: 429, headers: { 'Retry-After': '61' } });
    const late = connectClient('token', { interrupt: createRateLimitResponse });
    const { code, retryAfter } = await catchError(late.client.getMe());
    expect([code, retryAfter, late.sent.length]).toEqual(['rate_limited', 61, 1]);
  });

  it('never repeats a write that it sent without a credential, because the write had no idempotency key', async () => {
    const { client, sent } = connectClient(undefined, {
      interrupt: async () => {
        throw new TypeError('The connection was lost');
      },
    });
    await catchError(client.login({ email: 'a@example.com', password: 'not-the-password' }));
    expect(sent.length).toBe(1);
  });

  it('stops retrying as soon as the signal is aborted', async () => {
    const stop = new AbortController();
    const { client, sent } = connectClient('token', {
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

describe('errors from the client', () => {
  it('have the code, status, message, field and request id', async () => {
    const { member, projectId, countTasks } = await prepareTasks();
    const { client } = connectClient(member.token);
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
    expect(await countTasks()).toBe(0);
    expect(await catchError(client.getTask({ id: 1 }))).toMatchObject({ code: 'not_found', status: 404 });
    const anonymous = connectClient(undefined);
    expect(await catchError(anonymous.client.getMe())).toMatchObject({ code: 'unauthorized', field: null });
  });
});
