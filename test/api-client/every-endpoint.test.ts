import { expect, it } from 'vitest';
import { EdgeworkError } from '../../.wrangler/assets/client.js';
import { listPathParameters, pickQueryInput, type Route } from '../../src/kernel/http/route.ts';
import { routes } from '../../src/registry.ts';
import { buildRequestBody, fillPath, getRouteName } from '../contract/requests.ts';
import { createTask, createWorld } from '../support/world.ts';
import { connectClient } from './connect.ts';

const UNUSED_ID = 999_999_999;
type ClientMethod = (input?: Record<string, unknown>) => Promise<unknown>;

/** Replaces unused ids in a body with ids of an existing task, subtask or project, so that most requests succeed. */
function fillBody(value: unknown, ids: Readonly<Record<string, number>>, key = ''): unknown {
  if (value === UNUSED_ID) return ids[key] ?? UNUSED_ID;
  if (Array.isArray(value)) return value.map((each) => fillBody(each, ids, key));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fillBody(each, ids, name)]));
}

const inputsWithoutAccess: Readonly<Record<string, Record<string, unknown>>> = {
  login: { email: 'nobody@example.com', password: 'not-the-password' },
  register: { email: 'client.test@example.com', password: 'a-long-password-1', name: 'Client Test' },
};

/** Creates the input for an operation, and the body and path parameters that the client should send. */
function planCall(route: Route, ids: Record<'id' | 'taskId' | 'projectId' | 'ids', number>) {
  const names = listPathParameters(route.path);
  const isTask = route.path.startsWith('/tasks/:id');
  const isProject = route.path.startsWith('/projects/:id');
  const values: Record<string, number | string> = {
    ...(isTask ? { id: ids.id } : isProject ? { id: ids.projectId } : {}),
    partNumber: 1,
    reaction: 'heart',
  };
  const inPath = Object.fromEntries(names.map((name) => [name, values[name] ?? UNUSED_ID]));
  if (route.body === 'bytes')
    return { input: { ...inPath, body: new Uint8Array([1]).buffer }, body: '', inPath };
  const body = inputsWithoutAccess[route.operation.name] ?? fillBody(buildRequestBody(route) ?? {}, ids);
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE';
  return { input: { ...inPath, ...(body as object) }, body: hasBody ? JSON.stringify(body) : '', inPath };
}

it('the client has a method for every operation, and the method sends the request that the registry describes', async () => {
  const world = await createWorld();
  const { owner } = world.people;
  const { client, sent } = connectClient(owner.token);
  const results = new Map<string, number>();
  for (const route of routes) {
    const projectId = world.projects.joined.id;
    const { id } = await createTask(owner, projectId);
    const subtask = await createTask(owner, projectId, { parentId: id });
    const { input, body, inPath } = planCall(route, { id, taskId: subtask.id, ids: subtask.id, projectId });
    const method = client[route.operation.name as keyof typeof client] as unknown as ClientMethod;
    const failure = await method(input).then(
      () => null,
      (error: unknown) => error,
    );
    const request = sent.at(-1);
    expect(failure === null || failure instanceof EdgeworkError, `${getRouteName(route)}: ${failure}`).toBe(
      true,
    );
    expect(request?.method, getRouteName(route)).toBe(route.method);
    expect(request?.url.pathname, getRouteName(route)).toBe(`/v1${fillPath(route, inPath)}`);
    expect(request?.text, getRouteName(route)).toBe(body);
    const status = failure instanceof EdgeworkError ? failure.status : 200;
    expect([200, 400, 401, 403, 404], `${getRouteName(route)}: ${failure}`).toContain(status);
    results.set(getRouteName(route), status);
  }
  expect(sent.length).toBe(routes.length);
  const failed = [...results].filter(([, status]) => status !== 200);
  expect(failed.filter(([, status]) => status === 400)).toEqual([]);
  expect(failed.length).toBeLessThan(routes.length / 2);
});

it('the client sends exactly the query parameters that the registry describes', async () => {
  const { client, sent } = connectClient(undefined, {
    interrupt: async () => Response.json({ data: [], meta: {} }),
  });
  for (const route of routes) {
    const { input } = planCall(route, { id: 1, taskId: 1, ids: 1, projectId: 1 });
    const inQuery = Object.keys(pickQueryInput(route).shape);
    const query = Object.fromEntries(
      inQuery.map((name) => [name, name === 'customFields' ? { cf_1: 'a' } : 'a,b']),
    );
    await (client[route.operation.name as keyof typeof client] as unknown as ClientMethod)({
      ...input,
      ...query,
    });
    const expected = inQuery.map((name) => (name === 'customFields' ? ['cf_1', 'a'] : [name, 'a,b']));
    expect([...(sent.at(-1)?.url.searchParams ?? [])], getRouteName(route)).toEqual(expected);
  }
});
