import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { cellOf } from '../../support/env.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';

let world: World;
let me: ReturnType<typeof api>;
let one: number;
let archived: number;

beforeAll(async () => {
  world = await createWorld();
  const { owner } = world.people;
  me = api(owner.token);
  one = (await createTask(owner, world.projects.joined.id)).id;
  archived = (await createTask(owner, world.projects.joined.id)).id;
  await me.post(`/tasks/${archived}/archive`);
});

const NOWHERE = 999_999_999;

/** Invalid values of fields, each with the part of the message that follows the field's name. */
const wrong: readonly (readonly [field: string, value: unknown, rest: string])[] = [
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

async function messageOf(answer: Promise<{ status: number; body: { error: { message: string } } }>) {
  const { status, body } = await answer;
  expect(status).toBeGreaterThanOrEqual(400);
  return body.error.message;
}

describe('an error in a bulk request', () => {
  it.each(wrong)('contains the item and the field (%s: %j)', async (field, value, rest) => {
    const good = { projectId: world.projects.joined.id, name: 'Good' };
    const item = { ...good, [field]: value };
    expect(await messageOf(me.post('/tasks/bulk', JSON.stringify({ tasks: [good, item] })))).toMatch(
      new RegExp(`^tasks\\[1\\]\\.${field}`),
    );
    const updates = [{ id: one }, { id: one + 1, [field]: value }];
    const updated = await messageOf(patch({ updates }));
    // An unknown task is rejected before its assignee is checked, because that check needs a lookup.
    if (field !== 'assigneeId') expect(updated).toContain(`updates[1].${field}${rest}`);
    const set = await messageOf(patch({ ids: [one], set: { [field]: value } }));
    expect(set).toContain(`set.${field}${rest}`);
    expect(set).not.toContain('ids[');
  });

  it('starts with the item if no single field is at fault', async () => {
    expect(await messageOf(patch({ updates: [{ id: one }, { id: NOWHERE }] }))).toMatch(/^updates\[1\]: /);
    expect(await messageOf(patch({ updates: [{ id: one }, 'x'] }))).toMatch(
      /^updates\[1\] must be an object/,
    );
    expect(await messageOf(patch({ updates: [{ id: one }, { id: archived, status: 'todo' }] }))).toMatch(
      /^updates\[1\]: Task/,
    );
    expect(await messageOf(patch({ ids: [one, NOWHERE], set: {} }))).toMatch(/^ids\[1\]: /);
    expect(await messageOf(patch({ ids: [one, 'x'], set: {} }))).toMatch(/^ids\[1\] must be/);
    expect(await messageOf(patch({ ids: [one, one], set: {} }))).toMatch(/^ids\[1\] /);
    expect(await messageOf(patch({ ids: [one], set: { titel: 'x' } }))).toContain("'set.titel'");
    expect(await messageOf(patch({ updates: [{ id: one }, { id: one, nmae: 'x' }] }))).toContain(
      'updates[1].nmae',
    );
    for (const action of ['archive', 'unarchive']) {
      expect(await messageOf(me.post(`/tasks/bulk/${action}`, { ids: [one, NOWHERE] }))).toMatch(
        /^ids\[1\]: /,
      );
      expect(await messageOf(me.post(`/tasks/bulk/${action}`, { ids: [one, one] }))).toMatch(/^ids\[1\] /);
      expect(await messageOf(me.post(`/tasks/bulk/${action}`, { ids: [one, null] }))).toMatch(
        /^ids\[1\] must/,
      );
    }
  });

  it('leaves every task unchanged', async () => {
    const found = await cellOf(world.cell)
      .prepare('SELECT name, status FROM tasks WHERE id = ?')
      .bind(one)
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

/** An unpaired surrogate can be sent only as a JSON escape. */
function patch(body: Record<string, unknown>) {
  return me.patch('/tasks/bulk', JSON.parse(JSON.stringify(body)));
}
