import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';

let world: World;
let me: ReturnType<typeof api>;
let taskId: number;
let archived: number;

beforeAll(async () => {
  world = await createWorld();
  const { owner } = world.people;
  me = api(owner.token);
  taskId = (await createTask(owner, world.projects.joined.id)).id;
  archived = (await createTask(owner, world.projects.joined.id)).id;
  await me.post(`/tasks/${archived}/archive`);
});

const UNKNOWN_ID = 999_999_999;

/** Invalid values, each with the part of the message that follows the field's name. */
const wrongValues: readonly (readonly [field: string, value: unknown, rest: string])[] = [
  ['name', '', ' must have at least 1 character'],
  ['name', 7, ' must be a string; got 7'],
  ['name', 'a\u0000b', ' contains the character U+0000; send the text without it'],
  ['description', '<p>\u001b</p>', ' contains the character U+001B; send the text without it'],
  ['name', 'a\ud800', ' contains half of a surrogate pair'],
  ['status', 'done', ' must be one of todo, in_progress'],
  ['deadline', '2026-02-31', ' must be a real date'],
  ['assigneeId', 'usr_nobody', " 'usr_nobody' is not a member"],
  ['customEstimatedHours', '1,5', ' must be decimal hours'],
];

async function getMessage(answer: Promise<{ status: number; body: { error: { message: string } } }>) {
  const { status, body } = await answer;
  expect(status).toBeGreaterThanOrEqual(400);
  return body.error.message;
}

describe('an error in a bulk request', () => {
  it.each(wrongValues)('names the item and the field (%s: %j)', async (field, value, rest) => {
    const good = { projectId: world.projects.joined.id, name: 'Good' };
    const item = { ...good, [field]: value };
    expect(await getMessage(me.post('/tasks/bulk', JSON.stringify({ tasks: [good, item] })))).toMatch(
      new RegExp(`^tasks\\[1\\]\\.${field}`),
    );
    const updates = [{ id: taskId }, { id: taskId + 1, [field]: value }];
    const updated = await getMessage(patchTasks({ updates }));
    // `updates[1]` is the archived task, which is rejected before its assignee is checked.
    if (field !== 'assigneeId') expect(updated).toContain(`updates[1].${field}${rest}`);
    const set = await getMessage(patchTasks({ ids: [taskId], set: { [field]: value } }));
    expect(set).toContain(`set.${field}${rest}`);
    expect(set).not.toContain('ids[');
  });

  it('names only the item if no single field is at fault, and names unknown fields', async () => {
    expect(await getMessage(patchTasks({ updates: [{ id: taskId }, { id: UNKNOWN_ID }] }))).toMatch(
      /^updates\[1\]: /,
    );
    expect(await getMessage(patchTasks({ updates: [{ id: taskId }, 'x'] }))).toMatch(
      /^updates\[1\] must be an object/,
    );
    expect(
      await getMessage(patchTasks({ updates: [{ id: taskId }, { id: archived, status: 'todo' }] })),
    ).toMatch(/^updates\[1\]: Task/);
    expect(await getMessage(patchTasks({ ids: [taskId, UNKNOWN_ID], set: {} }))).toMatch(/^ids\[1\]: /);
    expect(await getMessage(patchTasks({ ids: [taskId, 'x'], set: {} }))).toMatch(/^ids\[1\] must be/);
    expect(await getMessage(patchTasks({ ids: [taskId, taskId], set: {} }))).toMatch(/^ids\[1\] /);
    expect(await getMessage(patchTasks({ ids: [taskId], set: { titel: 'x' } }))).toContain("'set.titel'");
    expect(await getMessage(patchTasks({ updates: [{ id: taskId }, { id: taskId, nmae: 'x' }] }))).toContain(
      'updates[1].nmae',
    );
    for (const action of ['archive', 'unarchive']) {
      expect(await getMessage(me.post(`/tasks/bulk/${action}`, { ids: [taskId, UNKNOWN_ID] }))).toMatch(
        /^ids\[1\]: /,
      );
      expect(await getMessage(me.post(`/tasks/bulk/${action}`, { ids: [taskId, taskId] }))).toMatch(
        /^ids\[1\] /,
      );
      expect(await getMessage(me.post(`/tasks/bulk/${action}`, { ids: [taskId, null] }))).toMatch(
        /^ids\[1\] must/,
      );
    }
  });

  it('leaves the task unchanged', async () => {
    const found = await getCell(world.cell)
      .prepare('SELECT name, status FROM tasks WHERE id = ?')
      .bind(taskId)
      .first();
    expect(found).toMatchObject({ status: 0 });
  });
});

it('a bulk request with mode=each rejects only the item with a control character', async () => {
  const projectId = world.projects.joined.id;
  const tasks = [
    { projectId, name: 'One' },
    { projectId, name: 'a\u0000' },
    { projectId, name: 'Three' },
  ];
  const { status, body } = await me.post('/tasks/bulk?mode=each', { tasks });
  expect([status, body.meta]).toEqual([200, { succeeded: 2, failed: 1 }]);
  expect(body.data[1].error).toMatchObject({
    status: 400,
    message: 'name contains the character U+0000; send the text without it',
  });
});

function patchTasks(body: Record<string, unknown>) {
  return me.patch('/tasks/bulk', JSON.parse(JSON.stringify(body)));
}
