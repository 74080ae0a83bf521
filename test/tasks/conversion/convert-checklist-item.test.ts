import { beforeEach, describe, expect, it } from 'vitest';
import { restoreConvertedLine } from '../../../src/tasks/conversion/convert-checklist-item.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';

let world: World;
let task: number;

beforeEach(async () => {
  world = await createWorld();
  task = (await createTask(world.people.member, world.projects.joined.id)).id;
});

const createClient = () => api(world.people.member.token);
const getPath = () => `/tasks/${task}/checklist`;
const addItem = async (text: string, fields: object = {}): Promise<number> =>
  (await createClient().post(`${getPath()}/items`, { text, ...fields })).body.id;
const convertItem = (line: number, by = createClient()) => by.post(`${getPath()}/items/${line}/convert`);
const readItems = async () => (await createClient().get(getPath())).body.items;
const readStructure = async () => (await createClient().get(`/tasks/${task}?expand=structure`)).body;
const countTasks = async () =>
  (await createClient().get('/tasks?scope=all&isArchived=false')).body.meta.total;

describe('converting a checklist item', () => {
  it("creates a subtask with the item's text, and removes the item", async () => {
    for (const text of ['One', 'Two', 'Three']) await addItem(text);
    const answer = await convertItem(2);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ name: 'Two', status: 'todo', assignee: null });
    expect(answer.headers.get('ETag')).toMatch(/^"1-/);
    expect((await readItems()).map(({ id }: { id: number }) => id)).toEqual([1, 3]);
    expect(await readStructure()).toMatchObject({
      subtasks: { total: 1, completed: 0 },
      checklist: { total: 2, done: 0 },
    });
    const { body } = await createClient().get(`/tasks/${answer.body.id}?expand=structure`);
    expect(body.parent.id).toBe(task);
    expect(await findInconsistencies([0])).toEqual([]);
  });

  it('creates a completed subtask if the item was checked', async () => {
    const line = await addItem('Done already', { isDone: true });
    expect((await convertItem(line)).body.status).toBe('completed');
    expect(await readStructure()).toMatchObject({
      subtasks: { total: 1, completed: 1 },
      checklist: { total: 0, done: 0 },
    });
    expect(await findInconsistencies([0])).toEqual([]);
  });

  it("records the creation of the subtask, and the removal of the item in the parent's history", async () => {
    const line = await addItem('Book the venue');
    const { id } = (await convertItem(line)).body;
    const [removed] = (await createClient().get(`/tasks/${task}/activities`)).body.data;
    expect([removed.type, removed.from, removed.to]).toEqual([
      'checklist_changed',
      '[ ] Book the venue',
      null,
    ]);
    const events = (await createClient().get('/events?after=0&types=task.*')).body.data.slice(-2);
    expect(events.map((each: { type: string; task: { id: number } }) => [each.type, each.task.id])).toEqual([
      ['task.created', id],
      ['task.updated', task],
    ]);
  });

  it('returns the same subtask when a request is repeated with the same Idempotency-Key', async () => {
    const line = await addItem('Once');
    const headers = { 'Idempotency-Key': 'convert-1' };
    const first = await createClient().post(`${getPath()}/items/${line}/convert`, undefined, headers);
    const again = await createClient().post(`${getPath()}/items/${line}/convert`, undefined, headers);
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect((await readStructure()).subtasks.total).toBe(1);
  });

  it('happens once if two people convert the same item', async () => {
    const line = await addItem('Once');
    const answers = await Promise.all([convertItem(line), convertItem(line, api(world.people.owner.token))]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 404]);
    expect((await readStructure()).subtasks.total).toBe(1);
  });

  it('writes at most 8 more rows than creating a subtask', async () => {
    const created = await createClient().post('/tasks', {
      projectId: world.projects.joined.id,
      name: 'Subtask',
      parentId: task,
    });
    const line = await addItem('Line');
    const { cost } = await convertItem(line);
    expect(cost.rowsWritten - created.cost.rowsWritten).toBeLessThanOrEqual(8);
  });
});

describe('converting a checklist item returns an error', () => {
  const expectNothingWritten = async (
    status: number,
    message: RegExp,
    request: ReturnType<typeof convertItem>,
  ) => {
    const before = [await readItems(), await countTasks()];
    const { body, ...answer } = await request;
    expect([answer.status, body.error.message]).toEqual([status, expect.stringMatching(message)]);
    expect([await readItems(), await countTasks()]).toEqual(before);
  };

  it("for an item that doesn't exist", async () => {
    await addItem('One');
    await expectNothingWritten(404, /checklist item with id '7'/, convertItem(7));
  });

  it('for an item of an archived task', async () => {
    const line = await addItem('One');
    await createClient().post(`/tasks/${task}/archive`);
    await expectNothingWritten(400, /is archived/, convertItem(line));
  });

  it("for clients who can't see the task or its project", async () => {
    const { owner, client } = world.people;
    task = (await createTask(owner, world.projects.other.id)).id;
    const line = await addItem('One');
    await expectNothingWritten(404, /task/, convertItem(line, api(client.token)));
    await api(owner.token).patch(`/tasks/${task}`, { assigneeId: client.userId });
    await expectNothingWritten(403, /access to the project/, convertItem(line, api(client.token)));
  });

  it('if the subtask would be below the fifth level, or if the task already has 500 subtasks', async () => {
    const parents = [task];
    for (let level = 2; level <= 5; level += 1) {
      const parentId = parents.at(-1) as number;
      parents.push((await createTask(world.people.member, world.projects.joined.id, { parentId })).id);
    }
    const [top = 0, ...below] = parents;
    task = below.at(-1) as number;
    await expectNothingWritten(400, /at most 5 levels deep/, convertItem(await addItem('Too deep')));
    task = top;
    const line = await addItem('Too many');
    const items = Array.from({ length: 100 }, (_, index) => ({
      projectId: world.projects.joined.id,
      name: `Subtask ${index}`,
      parentId: top,
    }));
    for (let sent = 1; sent < 500; sent += 100)
      await createClient().post('/tasks/bulk', { tasks: items.slice(0, Math.min(100, 500 - sent)) });
    await expectNothingWritten(400, /already has 500 subtasks/, convertItem(line));
  });
});

describe('undoing a conversion', () => {
  const undoConversion = (input: Record<string, unknown>) =>
    runForm(world.people.member.token, restoreConvertedLine, input);

  it('restores the item with its id, state and position, and archives the subtask', async () => {
    for (const text of ['One', 'Two', 'Three']) await addItem(text, { isDone: text === 'Two' });
    const before = await readItems();
    const { id } = (await convertItem(2)).body;
    const { status } = await undoConversion({ id: task, itemId: 2, subtaskId: id, position: 1 });
    expect([status, await readItems()]).toEqual([200, before]);
    expect((await createClient().get(`/tasks/${id}`)).body.isArchived).toBe(true);
    expect(await readStructure()).toMatchObject({ subtasks: { total: 0 }, checklist: { total: 3, done: 1 } });
    expect(await findInconsistencies([0])).toEqual([]);
  });

  it("returns an error if the conversion didn't create the task, or if someone has since changed the subtask", async () => {
    const { id } = (await convertItem(await addItem('One'))).body;
    const other = (await createTask(world.people.member, world.projects.joined.id, { parentId: task })).id;
    await api(world.people.owner.token).patch(`/tasks/${id}`, { name: 'Renamed' });
    for (const [itemId, subtaskId] of [
      [1, id],
      [2, other],
      [1, task],
    ]) {
      const { status, body } = await undoConversion({ id: task, itemId, subtaskId, position: 0 });
      expect([status, body.error.message]).toEqual([
        400,
        "Can't undo this: the subtask or the checklist has since been changed.",
      ]);
    }
    expect(await readItems()).toEqual([]);
    const { n } = (await getCell(0)
      .prepare('SELECT count(*) AS n FROM tasks WHERE archived = 1 AND ws = ?')
      .bind(world.no)
      .first()) as { n: number };
    expect(n).toBe(0);
  });
});
