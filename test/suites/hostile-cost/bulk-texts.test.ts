// This file is long because it measures every bulk request, form and tool in the same way.
import { beforeAll, describe, expect, it } from 'vitest';
import { routes, tools } from '../../../src/registry.ts';
import { TOKENS_PER_BATCH_MAX } from '../../../src/search/index/search-index.queries.ts';
import { forms } from '../../../src/web/pages/screens.ts';
import { buildFramedRequest, createOAuthToken, post } from '../../mcp/client.ts';
import { readFormFields } from '../../oauth/flow.ts';
import { api, ORIGIN, send } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createIpAddress } from '../../support/people.ts';
import { createRandom } from '../../support/random.ts';
import { pickEveryNth } from '../../support/tier.ts';
import { createApiKey, createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../../web/server/workspace-browser.ts';
import { findInconsistencies } from '../faults/databases.ts';
import { type Batch, recordBatches } from './batches.ts';

/** The length of the longest request bodies, in ASCII characters. The API allows 1 MiB. */
const BODY_CHARACTERS = 900_000;
/** Enough items for several batches. */
const ITEMS_MAX = 25;
/** The worker reads one or two long strings at a time, and each can be 500,000 characters long. */
const CHARACTERS_READ_MAX = 1_500_000;

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
    text: (length) => '&'.repeat(length),
  },
};

let world: World;
let owner: WorkspaceBrowser;
let session: ReturnType<typeof api>;
let key: string;
let agent: string;
let csrf: string;

beforeAll(async () => {
  world = await createWorld();
  owner = await WorkspaceBrowser.signIn(world, world.people.owner);
  session = api(world.people.owner.token);
  key = await createApiKey(world.people.owner);
  agent = await createOAuthToken(world, world.people.owner);
  ({ csrf = '' } = readFormFields(await (await owner.browser.get('/sign-out')).text(), '/sign-out'));
});

interface RecordedResponse {
  status: number;
  text: string;
  batches: Batch[];
}

async function recordResponse(ask: (bindings: Partial<Env>) => Promise<Response>): Promise<RecordedResponse> {
  const { bindings, batches } = recordBatches();
  const answer = await ask(bindings);
  return { status: answer.status, text: await answer.text(), batches };
}

const sendToApi = (method: string, path: string, body?: object) =>
  recordResponse((bindings) =>
    send(
      new Request(`${ORIGIN}/v1${path}`, {
        method,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }),
      bindings,
    ),
  );
const sendForm = (path: string, fields: string) =>
  recordResponse((bindings) =>
    owner.browser.request(
      owner.base + path,
      {
        method: 'POST',
        body: `csrf=${csrf}&once=${crypto.randomUUID()}&${fields}&back=${owner.base}/tasks`,
        headers: {
          Origin: ORIGIN,
          'Content-Type': 'application/x-www-form-urlencoded',
          'CF-Connecting-IP': createIpAddress(),
        },
      },
      bindings,
    ),
  );
const callTool = (name: string, args: object) => {
  const { body, headers } = buildFramedRequest('modern', 'tools/call', { name, arguments: args });
  return recordResponse((bindings) => post(agent, body, { headers, variables: bindings }));
};

function expectWithinLimits(what: string, { status, text, batches }: RecordedResponse) {
  expect.soft([200, 201, 303], `${what}: ${status} ${text.slice(0, 200)}`).toContain(status);
  expect.soft(text.slice(0, 400), what).not.toContain('"isError":true');
  for (const { tokens, charactersRead } of batches) {
    expect.soft(tokens, `${what}: tokens of a batch`).toBeLessThanOrEqual(TOKENS_PER_BATCH_MAX);
    expect
      .soft(charactersRead, `${what}: characters that a batch reads`)
      .toBeLessThanOrEqual(CHARACTERS_READ_MAX);
  }
}

function expectNoIndexWrites(what: string, response: RecordedResponse) {
  expectWithinLimits(what, response);
  expect
    .soft(
      response.batches.some(({ writesSearch }) => writesSearch),
      `${what}: writes the search index`,
    )
    .toBe(false);
}

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
    const { text: answer } = await sendToApi('POST', '/tasks/bulk', { tasks });
    ids.push(...JSON.parse(answer).data.map(({ task }: { task: { id: number } }) => task.id));
  }
  return ids;
}

describe('a bulk request with the most expensive text within the limits', () => {
  it.each(pickEveryNth(4, Object.entries(texts)))(
    'indexes and reads a limited amount of text per batch (%s)',
    async (_name, { length, bytesEach, text }) => {
      const count = Math.min(ITEMS_MAX, Math.floor(BODY_CHARACTERS / (length * bytesEach)));
      const createFreshText = () => text(length);
      const projectId = world.projects.joined.id;
      const buildDrafts = () =>
        Array.from({ length: count }, (_, index) => ({
          projectId,
          name: `Item ${index}`,
          description: createFreshText(),
        }));
      const created = await sendToApi('POST', '/tasks/bulk', { tasks: buildDrafts() });
      expectWithinLimits('create', created);
      const { data } = JSON.parse(created.text);
      const ids: number[] = data.map(({ task }: { task: { id: number } }) => task.id);
      const last = await session.get(`/tasks/${ids.at(-1)}`);
      expect(data.at(-1).task).toEqual(last.body);
      expectWithinLimits(
        'create each',
        await sendToApi('POST', '/tasks/bulk?mode=each', { tasks: buildDrafts() }),
      );
      const since = Date.now() - 1;
      const names = ids.map((id) => ({ id, name: `Renamed ${id}` }));
      expectWithinLimits('rename each', await sendToApi('PATCH', '/tasks/bulk', { updates: names }));
      expectWithinLimits('undo', await sendForm('/undo', `ids=${ids.join(',')}&since=${since}`));
      const updates = ids.map((id) => ({ id, description: createFreshText() }));
      expectWithinLimits('update each', await sendToApi('PATCH', '/tasks/bulk?mode=each', { updates }));
      expectWithinLimits('update again', await sendToApi('PATCH', '/tasks/bulk', { updates }));
      const all = [...ids, ...(await addTasks(Math.min(ITEMS_MAX, 3 * count) - count, createFreshText))];
      const description = createFreshText();
      expectWithinLimits('set', await sendToApi('PATCH', '/tasks/bulk', { ids: all, set: { description } }));
      expectWithinLimits(
        'set name',
        await sendToApi('PATCH', '/tasks/bulk', { ids: all, set: { name: 'All alike' } }),
      );
      expectNoIndexWrites(
        'set status',
        await sendToApi('PATCH', '/tasks/bulk', { ids: all, set: { status: 'completed' } }),
      );
      const ticked = all.map((id) => `ids=${id}&`).join('');
      expectNoIndexWrites('bar: change', await sendForm('/tasks/bulk', `${ticked}priority=high`));
      expectNoIndexWrites('bar: archive', await sendForm('/tasks/bulk/archive', ticked));
      expectNoIndexWrites('bar: restore', await sendForm('/tasks/bulk/restore', ticked));
      expectNoIndexWrites('archive', await sendToApi('POST', '/tasks/bulk/archive', { ids: all }));
      expectNoIndexWrites(
        'unarchive',
        await sendToApi('POST', '/tasks/bulk/unarchive?mode=each', { ids: all }),
      );
      expectNoIndexWrites(
        'tool: archive',
        await callTool('set_task_archived', { isArchived: true, ids: all }),
      );
      expectNoIndexWrites(
        'tool: restore',
        await callTool('set_task_archived', { isArchived: false, ids: all }),
      );
      const some = ids.slice(0, 50);
      const changed = some.map((id) => ({ id, description: createFreshText() }));
      expectWithinLimits('tool: update', await callTool('update_task', { updates: changed }));
      const made = some.map((_, index) => ({
        project: projectId,
        name: `Made ${index}`,
        description: createFreshText(),
      }));
      expectWithinLimits('tool: create', await callTool('create_task', { tasks: made }));
      const [one = 0] = ids;
      expectWithinLimits(
        'one',
        await sendToApi('PATCH', `/tasks/${one}`, { description: createFreshText() }),
      );
      expectWithinLimits('duplicate', await sendToApi('POST', `/tasks/${one}/duplicate`));
      expectNoIndexWrites('archive one', await sendToApi('POST', `/tasks/${one}/archive`));
      expectNoIndexWrites('restore one', await sendToApi('POST', `/tasks/${one}/unarchive`));
      const comment = { content: text(Math.min(length, 20_000)) };
      expectWithinLimits('comment', await sendToApi('POST', `/tasks/${one}/comments`, comment));
      const { results } = await getCell(0).prepare('SELECT * FROM search_waiting').all();
      expect(results).toEqual([]);
      const found = await session.get(
        `/tasks?search=${encodeURIComponent(comment.content.slice(0, 3))}&scope=all`,
      );
      expect(found.status).toBe(200);
      expect(await findInconsistencies()).toEqual([]);
    },
  );

  it('is tested for every route, tool and form that accepts several tasks', () => {
    const bulk = routes
      .filter(({ path }) => path.startsWith('/tasks/bulk'))
      .map(({ method, path }) => `${method} ${path}`);
    expect(bulk.toSorted()).toEqual([
      'PATCH /tasks/bulk',
      'POST /tasks/bulk',
      'POST /tasks/bulk/archive',
      'POST /tasks/bulk/unarchive',
    ]);
    const named = tools.map(({ name }) => name).filter((name) => /_task(_archived)?$/.test(name));
    expect(named.toSorted()).toEqual(
      expect.arrayContaining(['create_task', 'set_task_archived', 'update_task']),
    );
    const several = forms
      .filter(({ path }) => path === '/undo' || path.startsWith('/tasks/bulk'))
      .map(({ path }) => path);
    expect(several.toSorted()).toEqual([
      '/tasks/bulk',
      '/tasks/bulk/archive',
      '/tasks/bulk/restore',
      '/undo',
    ]);
  });
});
