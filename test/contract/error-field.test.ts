import { beforeAll, describe, expect, it } from 'vitest';
import { api, ORIGIN, send } from '../support/api.ts';
import { createTask, createWorld, type World } from '../support/world.ts';

let world: World;
let me: ReturnType<typeof api>;
let task: number;
let archived: number;

beforeAll(async () => {
  world = await createWorld();
  me = api(world.people.owner.token);
  const { owner } = world.people;
  task = (await createTask(owner, world.projects.joined.id)).id;
  archived = (await createTask(owner, world.projects.joined.id)).id;
  await me.post(`/tasks/${archived}/archive`);
});

async function readErrorField(method: string, path: string, body?: Record<string, unknown>) {
  const { status, headers } = await me.call(method, path, body);
  return [status, headers.get('Error-Field')];
}

describe('the Error-Field header', () => {
  it('contains the path of the invalid body field', async () => {
    const projectId = world.projects.joined.id;
    const readTaskErrorField = (fields: Record<string, unknown>) =>
      readErrorField('POST', '/tasks', { projectId, name: 'x', ...fields });
    expect(await readTaskErrorField({ deadline: 'soon' })).toEqual([400, 'deadline']);
    expect(await readTaskErrorField({ name: 'NUL \0' })).toEqual([400, 'name']);
    expect(await readTaskErrorField({ assigneeId: 'usr_nobody' })).toEqual([400, 'assigneeId']);
    expect(await readTaskErrorField({ categoryId: 999_999 })).toEqual([400, 'categoryId']);
    expect(await readTaskErrorField({ projectId: 999_999 })).toEqual([404, 'projectId']);
    expect(await readTaskErrorField({ titel: 'x' })).toEqual([400, 'titel']);
    expect(await readTaskErrorField({ priority: 'urgent', status: 'later' })).toEqual([400, 'status']);
    expect(await readErrorField('POST', '/tasks', {})).toEqual([400, 'projectId']);
    expect(await readErrorField('POST', '/timer/start', { taskId: 999_999 })).toEqual([404, 'taskId']);
  });

  it('contains the position of the invalid item in a list', async () => {
    const projectId = world.projects.joined.id;
    const readDraftErrorField = (fields: Record<string, unknown>) =>
      readErrorField('POST', '/tasks/bulk', {
        tasks: [
          { projectId, name: 'x' },
          { projectId, name: 'x', ...fields },
        ],
      });
    expect(await readDraftErrorField({ deadline: '2026-02-30' })).toEqual([400, 'tasks[1].deadline']);
    expect(await readDraftErrorField({ assigneeId: 'usr_nobody' })).toEqual([400, 'tasks[1].assigneeId']);
    expect(await readDraftErrorField({ projectId: 999_999 })).toEqual([404, 'tasks[1].projectId']);
    expect(await readDraftErrorField({ titel: 'x' })).toEqual([400, 'tasks[1].titel']);
    const readEditErrorField = (body: Record<string, unknown>) =>
      readErrorField('PATCH', '/tasks/bulk', body);
    expect(await readEditErrorField({ updates: [{ id: task, ifVersion: '999' }] })).toEqual([
      412,
      'updates[0].ifVersion',
    ]);
    expect(await readEditErrorField({ updates: [{ id: 999_999, name: 'x' }] })).toEqual([404, 'updates[0]']);
    expect(await readEditErrorField({ updates: ['x'] })).toEqual([400, 'updates[0]']);
    expect(await readEditErrorField({ ids: [task, 999_999], set: { name: 'x' } })).toEqual([404, 'ids[1]']);
    expect(await readEditErrorField({ ids: [task], set: { assigneeId: 'usr_nobody' } })).toEqual([
      400,
      'set.assigneeId',
    ]);
    expect(await readEditErrorField({ ids: [task] })).toEqual([400, 'set']);
  });

  it('contains the name of the invalid query parameter', async () => {
    expect(await readErrorField('GET', '/tasks?limit=101')).toEqual([400, 'limit']);
    expect(await readErrorField('GET', '/tasks?limit=1&limit=2')).toEqual([400, 'limit']);
    expect(await readErrorField('GET', '/tasks?status=later')).toEqual([400, 'status']);
    expect(await readErrorField('GET', '/tasks?titel=x')).toEqual([400, 'titel']);
    expect(await readErrorField('GET', '/tasks?fields=titel')).toEqual([400, 'fields']);
    expect(await readErrorField('GET', '/tasks?expand=titel')).toEqual([400, 'expand']);
    expect(await readErrorField('GET', '/tasks?expand=detail&limit=51')).toEqual([400, 'limit']);
    expect(await readErrorField('GET', '/tasks?cursor=x')).toEqual([400, 'cursor']);
    expect(await readErrorField('GET', '/tasks?dueFrom=2026-02-02&dueTo=2026-01-01')).toEqual([
      400,
      'dueFrom',
    ]);
    expect(await readErrorField('GET', '/tasks?assigneeId=usr_nobody')).toEqual([400, 'assigneeId']);
  });

  it('is absent if no parameter or field is at fault', async () => {
    expect(await readErrorField('GET', '/tasks?limit=1')).toEqual([200, null]);
    expect(await readErrorField('GET', '/tasks/999999')).toEqual([404, null]);
    expect(await readErrorField('GET', '/nothing')).toEqual([404, null]);
    expect(await readErrorField('PATCH', `/tasks/${archived}`, { name: 'x' })).toEqual([400, null]);
    const { status, headers } = await api().get('/tasks');
    expect([status, headers.get('Error-Field')]).toEqual([401, null]);
  });

  it('escapes special characters in an unknown name, and shortens long names', async () => {
    expect(await readErrorField('POST', '/tasks', { 'näme\n': 1 })).toEqual([400, 'n%C3%A4me%0A']);
    const [, field] = await readErrorField('POST', '/tasks', { ['x'.repeat(5_000)]: 1 });
    expect(field).toBe('x'.repeat(200));
    expect(await readErrorField('POST', '/tasks', { '\ud83d': 1 })).toEqual([400, '%EF%BF%BD']);
  });

  it('can be read by pages from other origins', async () => {
    const response = await send(
      new Request(`${ORIGIN}/v1/tasks?limit=0`, {
        headers: { Authorization: `Bearer ${world.people.owner.token}`, Origin: 'https://elsewhere.test' },
      }),
    );
    expect(response.headers.get('Access-Control-Expose-Headers')?.split(',')).toEqual(
      expect.arrayContaining(['Error-Field', 'WWW-Authenticate']),
    );
    expect(response.headers.get('Error-Field')).toBe('limit');
  });
});
