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

async function readField(method: string, path: string, body?: Record<string, unknown>) {
  const { status, headers } = await me.call(method, path, body);
  return [status, headers.get('Error-Field')];
}

describe('the Error-Field header', () => {
  it('contains the path of the invalid body field', async () => {
    const projectId = world.projects.joined.id;
    const create = (fields: Record<string, unknown>) =>
      readField('POST', '/tasks', { projectId, name: 'x', ...fields });
    expect(await create({ deadline: 'soon' })).toEqual([400, 'deadline']);
    expect(await create({ name: 'NUL \0' })).toEqual([400, 'name']);
    expect(await create({ assigneeId: 'usr_nobody' })).toEqual([400, 'assigneeId']);
    expect(await create({ categoryId: 999_999 })).toEqual([400, 'categoryId']);
    expect(await create({ projectId: 999_999 })).toEqual([404, 'projectId']);
    expect(await create({ titel: 'x' })).toEqual([400, 'titel']);
    expect(await create({ priority: 'urgent', status: 'later' })).toEqual([400, 'status']);
    expect(await readField('POST', '/tasks', {})).toEqual([400, 'projectId']);
    expect(await readField('POST', '/timer/start', { taskId: 999_999 })).toEqual([404, 'taskId']);
  });

  it('contains the position of the invalid item in a list', async () => {
    const projectId = world.projects.joined.id;
    const drafts = (fields: Record<string, unknown>) =>
      readField('POST', '/tasks/bulk', {
        tasks: [
          { projectId, name: 'x' },
          { projectId, name: 'x', ...fields },
        ],
      });
    expect(await drafts({ deadline: '2026-02-30' })).toEqual([400, 'tasks[1].deadline']);
    expect(await drafts({ assigneeId: 'usr_nobody' })).toEqual([400, 'tasks[1].assigneeId']);
    expect(await drafts({ projectId: 999_999 })).toEqual([404, 'tasks[1].projectId']);
    expect(await drafts({ titel: 'x' })).toEqual([400, 'tasks[1].titel']);
    const edit = (body: Record<string, unknown>) => readField('PATCH', '/tasks/bulk', body);
    expect(await edit({ updates: [{ id: task, ifVersion: '999' }] })).toEqual([412, 'updates[0].ifVersion']);
    expect(await edit({ updates: [{ id: 999_999, name: 'x' }] })).toEqual([404, 'updates[0]']);
    expect(await edit({ updates: ['x'] })).toEqual([400, 'updates[0]']);
    expect(await edit({ ids: [task, 999_999], set: { name: 'x' } })).toEqual([404, 'ids[1]']);
    expect(await edit({ ids: [task], set: { assigneeId: 'usr_nobody' } })).toEqual([400, 'set.assigneeId']);
    expect(await edit({ ids: [task] })).toEqual([400, 'set']);
  });

  it('contains the name of the invalid query parameter', async () => {
    expect(await readField('GET', '/tasks?limit=101')).toEqual([400, 'limit']);
    expect(await readField('GET', '/tasks?limit=1&limit=2')).toEqual([400, 'limit']);
    expect(await readField('GET', '/tasks?status=later')).toEqual([400, 'status']);
    expect(await readField('GET', '/tasks?titel=x')).toEqual([400, 'titel']);
    expect(await readField('GET', '/tasks?fields=titel')).toEqual([400, 'fields']);
    expect(await readField('GET', '/tasks?expand=titel')).toEqual([400, 'expand']);
    expect(await readField('GET', '/tasks?expand=detail&limit=51')).toEqual([400, 'limit']);
    expect(await readField('GET', '/tasks?cursor=x')).toEqual([400, 'cursor']);
    expect(await readField('GET', '/tasks?dueFrom=2026-02-02&dueTo=2026-01-01')).toEqual([400, 'dueFrom']);
    expect(await readField('GET', '/tasks?assigneeId=usr_nobody')).toEqual([400, 'assigneeId']);
  });

  it('is absent if no parameter or field is at fault', async () => {
    expect(await readField('GET', '/tasks?limit=1')).toEqual([200, null]);
    expect(await readField('GET', '/tasks/999999')).toEqual([404, null]);
    expect(await readField('GET', '/nothing')).toEqual([404, null]);
    expect(await readField('PATCH', `/tasks/${archived}`, { name: 'x' })).toEqual([400, null]);
    const { status, headers } = await api().get('/tasks');
    expect([status, headers.get('Error-Field')]).toEqual([401, null]);
  });

  it('escapes special characters in an unknown name, and shortens long names', async () => {
    expect(await readField('POST', '/tasks', { 'näme\n': 1 })).toEqual([400, 'n%C3%A4me%0A']);
    const [, field] = await readField('POST', '/tasks', { ['x'.repeat(5_000)]: 1 });
    expect(field).toBe('x'.repeat(200));
    expect(await readField('POST', '/tasks', { '\ud83d': 1 })).toEqual([400, '%EF%BF%BD']);
  });

  it('can be read by pages from other origins', async () => {
    const response = await send(
      new Request(`${ORIGIN}/v1/tasks?limit=0`, {
        headers: { Authorization: `Bearer ${world.people.owner.token}`, Origin: 'https://elsewhere.test' },
      }),
    );
    expect(response.headers.get('Access-Control-Expose-Headers')?.split(',')).toContain('Error-Field');
    expect(response.headers.get('Error-Field')).toBe('limit');
  });
});
