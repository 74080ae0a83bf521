// This file is long because it measures every bulk request, form and tool in the same way.
import { beforeAll, describe, expect, it } from 'vitest';
import { connectApp, type OwnApp } from '../../app-activity/connect-app.ts';
import { addCsvFile } from '../../imports/prepare-import.ts';
import { createOAuthToken } from '../../mcp/client.ts';
import { api } from '../../support/api.ts';
import { runCron } from '../../support/cron.ts';
import { getCell } from '../../support/env.ts';
import { createRandom } from '../../support/random.ts';
import { pickEveryNth } from '../../support/tier.ts';
import { createProject, createWorld, type World } from '../../support/world.ts';
import { findInconsistencies } from '../faults/databases.ts';
import { type Batch, recordBatches } from './batches.ts';
import {
  exemptOperations,
  exemptPaths,
  hasList,
  listBulkPaths,
  reasonsWithoutList,
  writeOperations,
} from './bulk-paths.ts';
import {
  createRecordedCallers,
  expectIndexing,
  expectNoIndexWrites,
  expectWithinLimits,
  measuredPaths,
} from './bulk-requests.ts';

/** The length of the longest request bodies, in ASCII characters. The API allows 1 MiB. */
const BODY_CHARACTERS = 900_000;
/** Enough items for several batches. */
const ITEMS_MAX = 25;
const random = createRandom(28_11);
const createRandomText = (length: number, first: number, of: number) =>
  Array.from({ length }, () => String.fromCharCode(first + random.integer(0, of - 1))).join('');

/** Strings that need the largest index, that every search must read, or that grow when they are stored. */
const texts: Readonly<
  Record<string, { length: number; bytesEach: number; text: (length: number) => string }>
> = {
  'letters in random order': {
    length: 5_100,
    bytesEach: 1,
    text: (length) => createRandomText(length, 0x61, 26),
  },
  'a few hundred different characters': {
    length: 3_900,
    bytesEach: 2,
    text: (length) => createRandomText(length, 0x100, 400),
  },
  'thousands of different characters': {
    length: 2_500,
    bytesEach: 3,
    text: (length) => createRandomText(length, 0x4e00, 20_000),
  },
  'descriptions of the full length': {
    length: 100_000,
    bytesEach: 3,
    text: (length) => createRandomText(length, 0x4e00, 20_000),
  },
  'characters that become five when they are stored': {
    length: 100_000,
    bytesEach: 1,
    text: (length) => createRandomText(4, 0x61, 26) + '&'.repeat(length - 4),
  },
};

let world: World;
let session: ReturnType<typeof api>;
let agent: string;
let callers: Awaited<ReturnType<typeof createRecordedCallers>>;

beforeAll(async () => {
  world = await createWorld();
  session = api(world.people.owner.token);
  agent = await createOAuthToken(world, world.people.owner);
  callers = await createRecordedCallers(world);
});

/** Creates the tasks with several requests if their text is too long for one. */
async function addTasks(count: number, text: () => string): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < count) {
    const description = text();
    const atOnce = Math.min(
      count - ids.length,
      Math.max(1, Math.floor(BODY_CHARACTERS / (description.length * 3))),
    );
    const tasks = Array.from({ length: atOnce }, (_, index) => ({
      projectId: world.projects.joined.id,
      name: `Added ${index}`,
      description: index === 0 ? description : text(),
    }));
    const { text: answer } = await callers.sendToApi('POST', '/tasks/bulk', { tasks });
    ids.push(...JSON.parse(answer).data.map(({ task }: { task: { id: number } }) => task.id));
  }
  return ids;
}

/** Returns the number at the end of a path, such as the id of the object that a form has just created. */
const getIdFromPath = (path: string | null) => Number(/(\d+)(?:\?|$)/.exec(path ?? '')?.[1]);

interface Texts {
  /** The number of texts that fit in a request body. */
  readonly count: number;
  readonly createText: () => string;
}

const getStoredBytes = (text: string) => new TextEncoder().encode(text.replaceAll('&', '&amp;')).length;

/** The first call counts the matching tasks, and the second one changes them. */
async function callToolWithFilter(name: string, args: object) {
  const counted = await callers.callTool(agent, name, args);
  const count = Number(/"matching":(\d+)/.exec(counted.text)?.[1]);
  return [counted, await callers.callTool(agent, name, { ...args, count })];
}

/** Almost half the text that a change set can contain, because two calls stage this much. */
const STAGED_BYTES_MAX = 480_000;

async function measureLists({ count, createText }: Texts): Promise<number[]> {
  const { sendToApi, sendForm, callTool, openPage } = callers;
  const projectId = world.projects.joined.id;
  const buildDrafts = () =>
    Array.from({ length: count }, (_, index) => ({
      projectId,
      name: `Item ${index}`,
      description: createText(),
    }));
  const created = expectWithinLimits(await sendToApi('POST', '/tasks/bulk', { tasks: buildDrafts() }));
  const { data } = JSON.parse(created.text);
  const ids: number[] = data.map(({ task }: { task: { id: number } }) => task.id);
  expect(data.at(-1).task).toEqual((await session.get(`/tasks/${ids.at(-1)}`)).body);
  expectWithinLimits(await sendToApi('POST', '/tasks/bulk?mode=each', { tasks: buildDrafts() }), 'each');
  const since = Date.now() - 1;
  const names = ids.map((id) => ({ id, name: `Renamed ${id}` }));
  expectWithinLimits(await sendToApi('PATCH', '/tasks/bulk', { updates: names }), 'names');
  expectIndexing(await sendForm('/undo', `ids=${ids.join(',')}&since=${since}`));
  const updates = ids.map((id) => ({ id, description: createText() }));
  expectIndexing(await sendToApi('PATCH', '/tasks/bulk?mode=each', { updates }), 'each');
  expectWithinLimits(await sendToApi('PATCH', '/tasks/bulk', { updates }), 'again');
  const all = [...ids, ...(await addTasks(Math.min(ITEMS_MAX, 3 * count) - count, createText))];
  const set = (values: object) => sendToApi('PATCH', '/tasks/bulk', { ids: all, set: values });
  expectWithinLimits(await set({ description: createText() }), 'description');
  expectWithinLimits(await set({ name: 'All alike' }), 'name');
  expectNoIndexWrites(await set({ status: 'completed' }), 'status');
  const ticked = all.map((id) => `ids=${id}&`).join('');
  expectNoIndexWrites(await sendForm('/tasks/bulk', `${ticked}priority=high`));
  expectNoIndexWrites(await sendForm('/tasks/bulk/archive', ticked));
  expectNoIndexWrites(await sendForm('/tasks/bulk/restore', ticked));
  expectNoIndexWrites(await sendToApi('POST', '/tasks/bulk/archive', { ids: all }));
  expectNoIndexWrites(await sendToApi('POST', '/tasks/bulk/unarchive?mode=each', { ids: all }));
  for (const isArchived of [true, false]) {
    expectNoIndexWrites(await callTool(agent, 'set_task_archived', { isArchived, ids: all }));
    const filter = { project: projectId };
    for (const response of await callToolWithFilter('set_task_archived', { isArchived, filter }))
      expectNoIndexWrites(response);
  }
  for (const path of ['/tasks', `/projects/${projectId}`, `/projects/${projectId}?view=list`])
    expectWithinLimits(await openPage(path), path);
  return all;
}

async function measureTools(all: readonly number[], { count, createText }: Texts) {
  const { sendForm, callTool, openPage } = callers;
  const { token, app }: OwnApp = await connectApp(world, world.people.owner);
  const project = world.projects.joined.id;
  const some = all.slice(0, count);
  const toUpdates = () => some.map((id) => ({ id, description: createText() }));
  expectIndexing(await callTool(token, 'update_task', { updates: toUpdates() }));
  expectWithinLimits(await callTool(token, 'update_task', { ids: all, set: { priority: 'low' } }));
  const filter = { project, priority: ['low'] };
  for (const response of await callToolWithFilter('update_task', { filter, set: { priority: 'high' } }))
    expectWithinLimits(response);
  const made = some.map((_, index) => ({ project, name: `Made ${index}`, description: createText() }));
  expectIndexing(await callTool(token, 'create_task', { tasks: made }));
  const content = createText().slice(0, 20_000);
  expectIndexing(await callTool(token, 'add_comment', { taskIds: all, content }));
  expectWithinLimits(await openPage(`/apps/${app}`), 'page');
  expectWithinLimits(await openPage(`/apps/${app}/session`), 'page');
  // The longest descriptions aren't stored for undo (src/tasks/write/tasks.write.ts), so undoing them indexes nothing.
  const expectUndo = createText().length > 50_000 ? expectWithinLimits : expectIndexing;
  expectUndo(await sendForm(`/apps/${app}/undo`));

  const fitting = Math.max(1, Math.floor(STAGED_BYTES_MAX / getStoredBytes(createText())));
  expectWithinLimits(await callTool(agent, 'begin_changes', {}));
  expectWithinLimits(
    await callTool(agent, 'update_task', { updates: toUpdates().slice(0, fitting) }),
    'staged',
  );
  expectWithinLimits(await callTool(agent, 'create_task', { tasks: made.slice(0, fitting) }), 'staged');
  const comment = createText().slice(0, 300);
  if (2 * fitting * getStoredBytes(createText()) + 20 * getStoredBytes(comment) < 1_000_000) {
    const commented = { taskIds: all.slice(0, 20), content: comment };
    expectWithinLimits(await callTool(agent, 'add_comment', commented), 'staged');
  }
  const proposed = expectWithinLimits(await callTool(agent, 'propose_changes', {}));
  const set = Number(/changes\/(\d+)/.exec(proposed.text)?.[1]);
  const { text: page } = expectWithinLimits(await openPage(`/changes/${set}`), 'page');
  const items = [...page.matchAll(/name="items" value="(\d+)"/g)].map(([, no]) => `items=${no}`);
  expect(items.length).toBeGreaterThan(0);
  expectIndexing(await sendForm(`/changes/${set}/apply`, items.join('&')));
  expectWithinLimits(await openPage(`/changes/${set}`), 'page');
}

/** One request can complete recurring tasks with at most this many bytes of descriptions in total. */
const REPEATED_BYTES_MAX = 1_000_000;

/** Completing a recurring task creates the next one, with the same text. */
async function measureRecurringTasks(all: readonly number[], { count, createText }: Texts) {
  const { sendToApi } = callers;
  const fitting = Math.max(1, Math.floor(REPEATED_BYTES_MAX / getStoredBytes(createText())));
  const ids = all.slice(0, Math.min(count, fitting));
  const recurrence = { rule: 'FREQ=DAILY', mode: 'completion' };
  const set = { deadline: '2030-01-01', status: 'todo' };
  expectNoIndexWrites(await sendToApi('PATCH', '/tasks/bulk', { ids, set }), 'deadline');
  for (const id of ids) expect((await session.put(`/tasks/${id}/recurrence`, recurrence)).status).toBe(200);
  const updates = ids.map((id) => ({ id, status: 'completed', description: createText() }));
  expectIndexing(await sendToApi('PATCH', '/tasks/bulk', { updates }), 'completed series');
}

async function measureTrees(all: readonly number[], { createText }: Texts) {
  const { sendToApi, sendForm, openPage } = callers;
  const [root = 0, ...below] = all;
  const path = `/tasks/${root}`;
  const place = { ids: below, set: { parentId: root } };
  expectNoIndexWrites(await sendToApi('PATCH', '/tasks/bulk', place), 'parents');
  expectWithinLimits(await sendToApi('PATCH', path, { description: createText() }));
  expectNoIndexWrites(await sendToApi('POST', `${path}/archive`));
  expectNoIndexWrites(await sendToApi('POST', `${path}/unarchive`));
  expectNoIndexWrites(await sendForm(`${path}/archive`));
  expectNoIndexWrites(await sendForm(`${path}/restore`));
  expectIndexing(await sendToApi('POST', `${path}/move`, { projectId: world.projects.other.id }));
  const undoMoves = (ids: readonly number[]) =>
    sendForm('/tasks/bulk/move/undo', `ids=${ids.join(',')}&since=0`);
  expectIndexing(await undoMoves([root]));
  expectIndexing(await sendForm(`${path}/project`, `projectId=${world.projects.other.id}`));
  expectIndexing(await undoMoves([root]));
  expectWithinLimits(await sendToApi('DELETE', path));
  expectWithinLimits(await openPage('/trash'), 'page');
  expectNoIndexWrites(await sendToApi('POST', `${path}/restore`));
  expectWithinLimits(await sendForm(`${path}/delete`));
  expectNoIndexWrites(await sendForm(`/trash/${root}/restore`));
  expectWithinLimits(await openPage(path), 'page');
  expectIndexing(await sendToApi('POST', `${path}/duplicate`));
  expectIndexing(await sendForm(`${path}/duplicate`));
}

async function measureRelocations(all: readonly number[]) {
  const { sendToApi, sendForm } = callers;
  const ids = [...all];
  const ticked = ids.map((id) => `ids=${id}&`).join('');
  const { id: projectId } = world.projects.other;
  const undoMoves = () => sendForm('/tasks/bulk/move/undo', `ids=${ids.join(',')}&since=0`);
  expectIndexing(await sendToApi('POST', '/tasks/bulk/move', { ids, projectId }));
  expectIndexing(await undoMoves());
  expectIndexing(await sendForm('/tasks/bulk/move', `${ticked}projectId=${projectId}`));
  expectIndexing(await undoMoves());
  expectNoIndexWrites(await sendToApi('POST', '/tasks/bulk/delete', { ids }));
  expectNoIndexWrites(await sendToApi('POST', '/tasks/bulk/restore?mode=each', { ids }));
  expectNoIndexWrites(await sendForm('/tasks/bulk/delete', ticked));
  expectNoIndexWrites(await sendForm('/trash/restore', `ids=${ids.join(',')}`));
}

/** A template stores up to 400 KB of descriptions. */
const TEMPLATE_BYTES = 350_000;

async function measureTemplates({ createText, count }: Texts) {
  const { sendToApi, sendForm, openPage } = callers;
  const { id: projectId } = await createProject(world, { owner: world.people.owner, name: 'Copied' });
  const tasks = Array.from(
    { length: Math.min(count, Math.max(1, Math.floor(TEMPLATE_BYTES / getStoredBytes(createText())))) },
    (_, index) => ({ projectId, name: `Step ${index}`, description: createText() }),
  );
  const first = await sendToApi('POST', '/tasks', tasks[0]);
  const { id: root } = JSON.parse(expectWithinLimits(first).text);
  if (tasks.length > 1) {
    const below = tasks.slice(1).map((task) => ({ ...task, parentId: root }));
    expectWithinLimits(await sendToApi('POST', '/tasks/bulk', { tasks: below }), 'subtasks');
  }
  const ofTask = expectWithinLimits(await sendForm(`/tasks/${root}/template`));
  const ofProject = expectWithinLimits(await sendForm(`/projects/${projectId}/template`));
  const [taskTemplate, projectTemplate] = [ofTask, ofProject].map(({ location }) => getIdFromPath(location));
  expectWithinLimits(await openPage(`/templates/${taskTemplate}`), 'page');
  expectWithinLimits(await openPage(`/templates/${projectTemplate}`), 'page');
  expectIndexing(await sendForm(`/templates/${taskTemplate}/tasks`, `projectId=${projectId}`));
  expectIndexing(await sendForm(`/templates/${projectTemplate}/projects`, 'name=Copy'));
}

async function measureImports({ createText, count }: Texts) {
  const { sendToApi, sendForm, openPage } = callers;
  const projectId = world.projects.joined.id;
  const rows = Array.from(
    { length: count },
    (_, index) => `${crypto.randomUUID()},Row ${index},"${createText()}"`,
  );
  const addFile = (ids: readonly string[]) =>
    addCsvFile(world, world.people.owner, projectId, ['ID,Name,Description', ...ids].join('\n'));
  const attachmentId = await addFile(rows);
  const created = await sendToApi('POST', '/imports', { projectId, attachmentId });
  const { id } = JSON.parse(expectWithinLimits(created).text);
  expectWithinLimits(await sendToApi('PATCH', `/imports/${id}`, {}));
  expectWithinLimits(await openPage(`/imports/${id}`), 'page');
  expectIndexing(await sendToApi('POST', `/imports/${id}/start`));
  const again = await addFile(rows.map((row) => `again-${row}`));
  const form = await sendForm(`/projects/${projectId}/imports`, `attachmentId=${again}`);
  const second = getIdFromPath(expectWithinLimits(form).location);
  expectWithinLimits(await sendForm(`/imports/${second}`, 'column-0=id&column-1=name&column-2=description'));
  expectIndexing(await sendForm(`/imports/${second}/start`));
  expectWithinLimits(await openPage(`/imports/${second}`), 'page');
  for (const each of [id, second]) {
    const { status, made } = (await session.get(`/imports/${each}`)).body;
    expect({ status, made }).toEqual({ status: 'completed', made: count });
  }
}

async function expectEverythingIndexed() {
  const { results } = await getCell(0).prepare('SELECT * FROM search_waiting').all();
  expect(results).toEqual([]);
}

describe('a bulk request with the most expensive text within the limits', () => {
  it.each(pickEveryNth(4, Object.entries(texts)))(
    'indexes and reads a limited amount of text per batch (%s)',
    async (_name, { length, bytesEach, text }) => {
      const count = Math.min(ITEMS_MAX, Math.floor(BODY_CHARACTERS / (length * bytesEach)));
      const createText = () => text(length);
      const options = { count, createText };
      const all = await measureLists(options);
      await measureTools(all, options);
      await measureRecurringTasks(all, options);
      await measureRelocations(all);
      await measureTrees(all, options);
      await measureTemplates(options);
      await expectEverythingIndexed();
      await measureImports(options);
      const { bindings, batches } = recordBatches();
      await runCron('* * * * *', bindings);
      expectWithinLimits({ paths: ['cron job'], status: 200, text: '', location: null, batches });
      const comment = { content: text(Math.min(length, 20_000)) };
      expectWithinLimits(await callers.sendToApi('POST', `/tasks/${all[0]}/comments`, comment));
      await expectEverythingIndexed();
      const found = await session.get(
        `/tasks?search=${encodeURIComponent(comment.content.slice(0, 3))}&scope=all`,
      );
      expect(found.status).toBe(200);
      expect(await findInconsistencies()).toEqual([]);
    },
  );

  it('archives or restores 100 tasks with the same work, however long their text is', async () => {
    const archive = async (text: () => string) => {
      const ids = await addTasks(100, text);
      const responses = [];
      for (const action of ['archive', 'unarchive', 'archive'])
        responses.push(await callers.sendToApi('POST', `/tasks/bulk/${action}`, { ids }));
      return responses.slice(1).map((response) => {
        expectNoIndexWrites(response);
        const sum = (count: (batch: Batch) => number) =>
          response.batches.reduce((total, batch) => total + count(batch), 0);
        return {
          tokens: sum(({ tokens }) => tokens),
          indexWrites: sum(({ writesSearch }) => Number(writesSearch)),
          rowsWritten: sum(({ rowsWritten }) => rowsWritten),
        };
      });
    };
    const work = await archive(() => 'Short');
    expect(await archive(() => createRandomText(9_000, 0x61, 26))).toEqual(work);
    expect(await archive(() => createRandomText(100_000, 0x4e00, 20_000))).toEqual(work);
    const expected = { tokens: 0, indexWrites: 0, rowsWritten: 1_700 };
    expect(work).toEqual([expected, expected]);
  });

  it('indexes 100 tasks in batches of at most 25,000 tokens', async () => {
    const text = createRandom(28_100);
    const tasks = Array.from({ length: 100 }, (_, index) => ({
      projectId: world.projects.joined.id,
      name: `Item ${index}`,
      description: Array.from({ length: 2_500 }, () =>
        String.fromCharCode(0x4e00 + text.integer(0, 19_999)),
      ).join(''),
    }));
    const { batches } = expectIndexing(await callers.sendToApi('POST', '/tasks/bulk', { tasks }));
    const indexing = batches.map(({ tokens }) => tokens).filter((tokens) => tokens > 0);
    expect([indexing.length, Math.max(...indexing)]).toEqual([34, 22_296]);
    // Ids have different lengths, so this isn't an exact number.
    expect(Math.max(...batches.map(({ charactersRead }) => charactersRead))).toBeLessThan(135_000);
  });

  it('is measured for every route, form and tool that can change several tasks', () => {
    const paths = listBulkPaths();
    expect(paths.filter((path) => !measuredPaths.has(path))).toEqual([]);
    const withReasons = Object.keys(exemptPaths).filter((path) => measuredPaths.has(path));
    expect([paths.length > 40, withReasons]).toEqual([true, []]);
  });

  it("can't be exempt for having no list if the operation's input contains one", () => {
    const names = writeOperations.map(({ name }) => name);
    expect(Object.keys(exemptOperations).filter((name) => !names.includes(name))).toEqual([]);
    const lists = writeOperations
      .filter(
        ({ name, input }) => reasonsWithoutList.includes(exemptOperations[name] ?? '') && hasList(input),
      )
      .map(({ name }) => name);
    expect(lists).toEqual([]);
  });
});
