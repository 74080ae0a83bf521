import { beforeEach, describe, expect, it } from 'vitest';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';

let world: World;
let task: number;

beforeEach(async () => {
  world = await createWorld();
  task = (await createTask(world.people.member, world.projects.joined.id)).id;
});

const createClient = () => api(world.people.member.token);
const getPath = () => `/tasks/${task}/checklist`;
const readTexts = async () =>
  (await createClient().get(getPath())).body.items.map(
    ({ text, isDone }: { text: string; isDone: boolean }) => `${isDone ? 'x' : '-'} ${text}`,
  );
const addItem = async (text: string, fields: object = {}) =>
  (await createClient().post(`${getPath()}/items`, { text, ...fields })).body;
const readHistory = async () => (await createClient().get(`/tasks/${task}/activities?limit=100`)).body;

describe('a checklist', () => {
  it('is empty at first', async () => {
    const answer = await createClient().get(getPath());
    expect([answer.status, answer.body]).toEqual([200, { items: [] }]);
  });

  it('accepts new items at the end or at a given position, each with its own id', async () => {
    expect(await addItem('Book the venue')).toEqual({ id: 1, text: 'Book the venue', isDone: false });
    expect(await addItem('Invite speakers', { isDone: true })).toEqual({
      id: 2,
      text: 'Invite speakers',
      isDone: true,
    });
    await addItem('Agree on a date', { position: 0 });
    expect(await readTexts()).toEqual(['- Agree on a date', '- Book the venue', 'x Invite speakers']);
  });

  it('can have its items edited, checked and moved', async () => {
    for (const text of ['One', 'Two', 'Three']) await addItem(text);
    const answer = await createClient().patch(`${getPath()}/items/3`, {
      text: 'Third',
      isDone: true,
      position: 0,
    });
    expect([answer.status, answer.body]).toEqual([200, { id: 3, text: 'Third', isDone: true }]);
    expect(await readTexts()).toEqual(['x Third', '- One', '- Two']);
    await createClient().patch(`${getPath()}/items/3`, { position: 99 });
    expect(await readTexts()).toEqual(['- One', '- Two', 'x Third']);
  });

  it('never reuses the id of a deleted item', async () => {
    await addItem('One');
    await addItem('Two');
    expect((await createClient().delete(`${getPath()}/items/2`)).body).toEqual({ success: true });
    expect((await addItem('Three')).id).toBe(3);
    expect(await readTexts()).toEqual(['- One', '- Three']);
    expect((await createClient().delete(`${getPath()}/items/2`)).status).toBe(404);
  });

  it('can be replaced, and items that are sent with their ids keep those ids', async () => {
    await addItem('One');
    await addItem('Two');
    const items = [{ text: 'New' }, { id: 2, text: 'Second', isDone: true }];
    const answer = await createClient().put(getPath(), { items });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        items: [
          { id: 3, text: 'New', isDone: false },
          { id: 2, text: 'Second', isDone: true },
        ],
      },
    ]);
    expect((await createClient().put(getPath(), { items: [] })).body).toEqual({ items: [] });
    expect(await findInconsistencies([0])).toEqual([]);
  });

  it('rejects a replacement based on an outdated version', async () => {
    const tag = (await createClient().get(getPath())).headers.get('ETag') ?? '';
    await addItem('One');
    const items = [{ text: 'Mine' }];
    const stale = await createClient().put(getPath(), { items }, { 'If-Match': tag });
    expect([stale.status, await readTexts()]).toEqual([412, ['- One']]);
    const current = (await createClient().get(getPath())).headers.get('ETag') ?? '';
    const answer = await createClient().put(getPath(), { items }, { 'If-Match': current });
    expect([answer.status, await readTexts()]).toEqual([200, ['- Mine']]);
    expect(answer.headers.get('ETag')).toBe((await createClient().get(getPath())).headers.get('ETag'));
  });

  it("has each change recorded once in the task's history, and doesn't change the task's version", async () => {
    const readVersion = async () =>
      (await createClient().get(`/tasks/${task}`)).headers.get('ETag')?.split('-')[0];
    const version = await readVersion();
    await addItem('Book the venue');
    await createClient().patch(`${getPath()}/items/1`, { isDone: true });
    await createClient().patch(`${getPath()}/items/1`, { isDone: true });
    await createClient().put(getPath(), { items: [{ text: 'A' }, { text: 'B' }] });
    const { data, meta } = await readHistory();
    expect(data.map(({ type, field, from, to }: Record<string, unknown>) => [type, field, from, to])).toEqual(
      [
        ['checklist_changed', 'checklist', null, null],
        ['checklist_changed', 'checklist', '[ ] Book the venue', '[x] Book the venue'],
        ['checklist_changed', 'checklist', null, '[ ] Book the venue'],
        ['created', null, null, null],
      ],
    );
    expect(meta.total).toBe(4);
    expect(await readVersion()).toBe(version);
    const events = (await createClient().get('/events?after=0&types=task.updated')).body.data;
    expect(events.map(({ changes }: { changes: unknown }) => changes)).toEqual([
      { checklist: { from: null, to: '[ ] Book the venue' } },
      { checklist: { from: '[ ] Book the venue', to: '[x] Book the venue' } },
      { checklist: null },
    ]);
  });

  it('contains a new item only once if the request is repeated with the same Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'line-1' };
    const first = await createClient().post(`${getPath()}/items`, { text: 'Once' }, headers);
    const again = await createClient().post(`${getPath()}/items`, { text: 'Once' }, headers);
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(await readTexts()).toEqual(['- Once']);
  });

  it('returns the same item to a retry, even if the stored response was lost and another item has the same text', async () => {
    const headers = { 'Idempotency-Key': 'line-2' };
    const first = await createClient().post(`${getPath()}/items`, { text: 'Twice' }, headers);
    await addItem('Twice');
    await getCell(0).prepare('UPDATE idempotency_keys SET status = NULL, answer = NULL').run();
    const again = await createClient().post(`${getPath()}/items`, { text: 'Twice' }, headers);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(await readTexts()).toEqual(['- Twice', '- Twice']);
  });
});

describe('a checklist rejects', () => {
  const getError = async (answer: Promise<{ status: number; body: { error: { message: string } } }>) => {
    const { status, body } = await answer;
    return [status, body.error.message];
  };

  it('more than a hundred items', async () => {
    const items = Array.from({ length: 100 }, (_, index) => ({ text: `Line ${index}` }));
    expect((await createClient().put(getPath(), { items })).status).toBe(200);
    expect(await getError(createClient().post(`${getPath()}/items`, { text: 'One more' }))).toEqual([
      400,
      'A checklist can have up to 100 items. Delete some, or continue in another task.',
    ]);
    expect((await createClient().put(getPath(), { items: [...items, { text: 'One more' }] })).status).toBe(
      400,
    );
    expect(await readTexts()).toHaveLength(100);
  });

  it("ids of items that aren't in the checklist, and repeated ids", async () => {
    await addItem('One');
    expect(await getError(createClient().put(getPath(), { items: [{ id: 7, text: 'Seven' }] }))).toEqual([
      400,
      'items[0].id must be an item of this checklist; got 7. Leave out the id of a new item.',
    ]);
    const twice = [
      { id: 1, text: 'One' },
      { id: 1, text: 'Again' },
    ];
    expect(await getError(createClient().put(getPath(), { items: twice }))).toEqual([
      400,
      'items[1].id must not repeat; got 1 twice',
    ]);
    expect(await readTexts()).toEqual(['- One']);
  });

  it.each([
    ['no text', ''],
    ['more than 500 characters', 'x'.repeat(501)],
    ['only spaces', '  '],
  ])('an item with %s', async (_name, text) => {
    expect((await createClient().post(`${getPath()}/items`, { text })).status).toBe(400);
    expect(await readTexts()).toEqual([]);
  });

  it('all changes while its task is archived', async () => {
    await addItem('One');
    await createClient().post(`/tasks/${task}/archive`);
    for (const answer of [
      await createClient().post(`${getPath()}/items`, { text: 'Two' }),
      await createClient().patch(`${getPath()}/items/1`, { isDone: true }),
      await createClient().delete(`${getPath()}/items/1`),
      await createClient().put(getPath(), { items: [] }),
    ])
      expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    expect(await readTexts()).toEqual(['- One']);
  });

  it("requests by clients who can't see its task", async () => {
    task = (await createTask(world.people.owner, world.projects.other.id)).id;
    const { client } = world.people;
    expect((await api(client.token).get(getPath())).status).toBe(404);
    expect((await api(client.token).post(`${getPath()}/items`, { text: 'Mine' })).status).toBe(404);
  });
});

describe('the checklist progress in a task list', () => {
  it('is included with expand=structure, and counts the items of each task', async () => {
    await addItem('One');
    await addItem('Two', { isDone: true });
    const { data } = (await createClient().get('/tasks?expand=structure')).body;
    expect(data.find(({ id }: { id: number }) => id === task).checklist).toEqual({ total: 2, done: 1 });
  });
});

describe('people who add items to a checklist at the same time', () => {
  it("don't overwrite each other's items", async () => {
    const { owner, admin } = world.people;
    const people = [owner, admin, world.people.member];
    await Promise.all(
      people.map(({ token }, index) => api(token).post(`${getPath()}/items`, { text: `Line ${index}` })),
    );
    expect((await readTexts()).toSorted()).toEqual(['- Line 0', '- Line 1', '- Line 2']);
  });
});

describe('copying a task', () => {
  it('copies its checklist, including which items are checked', async () => {
    await addItem('One', { isDone: true });
    const copy = (await createClient().post(`/tasks/${task}/duplicate`)).body.id;
    const { items } = (await createClient().get(`/tasks/${copy}/checklist`)).body;
    expect(items).toEqual([{ id: 1, text: 'One', isDone: true }]);
    expect(await findInconsistencies([0])).toEqual([]);
  });
});
