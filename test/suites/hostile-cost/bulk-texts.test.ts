import { beforeAll, describe, expect, it } from 'vitest';
import { routes, tools } from '../../../src/registry.ts';
import { MAX_TOKENS_PER_BATCH } from '../../../src/search/index/search-index.queries.ts';
import { forms } from '../../../src/web/pages/screens.ts';
import { framed, post, tokenOf } from '../../mcp/client.ts';
import { hidden } from '../../oauth/flow.ts';
import { api, ORIGIN, send } from '../../support/api.ts';
import { cellOf } from '../../support/env.ts';
import { freshIp } from '../../support/people.ts';
import { seeded } from '../../support/random.ts';
import { everyNth } from '../../support/tier.ts';
import { createApiKey, createWorld, type World } from '../../support/world.ts';
import { Screens } from '../../web/server/screens.ts';
import { whatIsOff } from '../faults/store.ts';
import { type Batch, recordBatches } from './batches.ts';

/** A body of this length has almost 1 MiB. */
const BODY_CHARACTERS = 900_000;
/** This many items fill several slices. */
const ITEMS_MAX = 25;
/** Long texts are read one or two at a time, and each can have 500,000 bytes. */
const BYTES_READ_MAX = 1_500_000;

const random = seeded(28_11);
const characters = (length: number, first: number, of: number) =>
  Array.from({ length }, () => String.fromCharCode(first + random.integer(0, of - 1))).join('');

/** Texts with the largest index, texts that every search must read, and texts that grow when they are stored. */
const texts: Readonly<
  Record<string, { length: number; bytesEach: number; text: (length: number) => string }>
> = {
  'letters in random order': { length: 5_100, bytesEach: 1, text: (length) => characters(length, 0x61, 26) },
  'a few hundred different characters': {
    length: 3_900,
    bytesEach: 2,
    text: (length) => characters(length, 0x100, 400),
  },
  'thousands of different characters': {
    length: 2_500,
    bytesEach: 3,
    text: (length) => characters(length, 0x4e00, 20_000),
  },
  'descriptions of the full length': {
    length: 100_000,
    bytesEach: 3,
    text: (length) => characters(length, 0x4e00, 20_000),
  },
  'characters that are stored as five': {
    length: 100_000,
    bytesEach: 1,
    text: (length) => '&'.repeat(length),
  },
};

let world: World;
let owner: Screens;
let session: ReturnType<typeof api>;
let key: string;
let agent: string;
let csrf: string;

beforeAll(async () => {
  world = await createWorld();
  owner = await Screens.of(world, world.people.owner);
  session = api(world.people.owner.token);
  key = await createApiKey(world.people.owner);
  agent = await tokenOf(world, world.people.owner);
  ({ csrf = '' } = hidden(await (await owner.browser.get('/sign-out')).text(), '/sign-out'));
});

interface Told {
  status: number;
  text: string;
  batches: Batch[];
}

async function watch(ask: (bindings: Partial<Env>) => Promise<Response>): Promise<Told> {
  const { bindings, batches } = recordBatches();
  const answer = await ask(bindings);
  return { status: answer.status, text: await answer.text(), batches };
}

const rest = (method: string, path: string, body?: object) =>
  watch((bindings) =>
    send(
      new Request(`${ORIGIN}/v1${path}`, {
        method,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }),
      bindings,
    ),
  );
const form = (path: string, fields: string) =>
  watch((bindings) =>
    owner.browser.request(
      owner.base + path,
      {
        method: 'POST',
        body: `csrf=${csrf}&once=${crypto.randomUUID()}&${fields}&back=${owner.base}/tasks`,
        headers: {
          Origin: ORIGIN,
          'Content-Type': 'application/x-www-form-urlencoded',
          'CF-Connecting-IP': freshIp(),
        },
      },
      bindings,
    ),
  );
const tool = (name: string, args: object) => {
  const { body, headers } = framed('modern', 'tools/call', { name, arguments: args });
  return watch((bindings) => post(agent, body, { headers, variables: bindings }));
};

function expectBounds(what: string, { status, text, batches }: Told) {
  expect.soft([200, 201, 303], `${what}: ${status} ${text.slice(0, 200)}`).toContain(status);
  expect.soft(text.slice(0, 400), what).not.toContain('"isError":true');
  for (const { tokens, bytesRead } of batches) {
    expect.soft(tokens, `${what}: tokens of a batch`).toBeLessThanOrEqual(MAX_TOKENS_PER_BATCH);
    expect.soft(bytesRead, `${what}: bytes that a batch reads`).toBeLessThanOrEqual(BYTES_READ_MAX);
  }
}

function expectNoSearch(what: string, told: Told) {
  expectBounds(what, told);
  expect
    .soft(
      told.batches.some(({ writesSearch }) => writesSearch),
      `${what}: writes the search index`,
    )
    .toBe(false);
}

/** Creates tasks whose texts are not indexed yet. */
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
    const { text: answer } = await rest('POST', '/tasks/bulk', { tasks });
    ids.push(...JSON.parse(answer).data.map(({ task }: { task: { id: number } }) => task.id));
  }
  return ids;
}

describe('a bulk request with the most expensive texts within the limits', () => {
  it.each(everyNth(4, Object.entries(texts)))(
    'indexes and reads a limited amount per batch (%s)',
    async (_name, { length, bytesEach, text }) => {
      const count = Math.min(ITEMS_MAX, Math.floor(BODY_CHARACTERS / (length * bytesEach)));
      const fresh = () => text(length);
      const projectId = world.projects.joined.id;
      const drafts = () =>
        Array.from({ length: count }, (_, index) => ({
          projectId,
          name: `Item ${index}`,
          description: fresh(),
        }));
      const created = await rest('POST', '/tasks/bulk', { tasks: drafts() });
      expectBounds('create', created);
      const { data } = JSON.parse(created.text);
      const ids: number[] = data.map(({ task }: { task: { id: number } }) => task.id);
      const last = await session.get(`/tasks/${ids.at(-1)}`);
      expect(data.at(-1).task).toEqual(last.body);
      expectBounds('create each', await rest('POST', '/tasks/bulk?mode=each', { tasks: drafts() }));
      const since = Date.now() - 1;
      const names = ids.map((id) => ({ id, name: `Renamed ${id}` }));
      expectBounds('rename each', await rest('PATCH', '/tasks/bulk', { updates: names }));
      expectBounds('undo', await form('/undo', `ids=${ids.join(',')}&since=${since}`));
      const updates = ids.map((id) => ({ id, description: fresh() }));
      expectBounds('update each', await rest('PATCH', '/tasks/bulk?mode=each', { updates }));
      expectBounds('update again', await rest('PATCH', '/tasks/bulk', { updates }));
      const all = [...ids, ...(await addTasks(Math.min(ITEMS_MAX, 3 * count) - count, fresh))];
      const description = fresh();
      expectBounds('set', await rest('PATCH', '/tasks/bulk', { ids: all, set: { description } }));
      expectBounds('set name', await rest('PATCH', '/tasks/bulk', { ids: all, set: { name: 'All alike' } }));
      expectNoSearch(
        'set status',
        await rest('PATCH', '/tasks/bulk', { ids: all, set: { status: 'completed' } }),
      );
      const ticked = all.map((id) => `ids=${id}&`).join('');
      expectNoSearch('bar: change', await form('/tasks/bulk', `${ticked}priority=high`));
      expectNoSearch('bar: archive', await form('/tasks/bulk/archive', ticked));
      expectNoSearch('bar: restore', await form('/tasks/bulk/restore', ticked));
      expectNoSearch('archive', await rest('POST', '/tasks/bulk/archive', { ids: all }));
      expectNoSearch('unarchive', await rest('POST', '/tasks/bulk/unarchive?mode=each', { ids: all }));
      expectNoSearch('tool: archive', await tool('set_task_archived', { isArchived: true, ids: all }));
      expectNoSearch('tool: restore', await tool('set_task_archived', { isArchived: false, ids: all }));
      const some = ids.slice(0, 50);
      const changed = some.map((id) => ({ id, description: fresh() }));
      expectBounds('tool: update', await tool('update_task', { updates: changed }));
      const made = some.map((_, index) => ({
        project: projectId,
        name: `Made ${index}`,
        description: fresh(),
      }));
      expectBounds('tool: create', await tool('create_task', { tasks: made }));
      const [one = 0] = ids;
      expectBounds('one', await rest('PATCH', `/tasks/${one}`, { description: fresh() }));
      expectBounds('duplicate', await rest('POST', `/tasks/${one}/duplicate`));
      expectNoSearch('archive one', await rest('POST', `/tasks/${one}/archive`));
      expectNoSearch('restore one', await rest('POST', `/tasks/${one}/unarchive`));
      const comment = { content: text(Math.min(length, 20_000)) };
      expectBounds('comment', await rest('POST', `/tasks/${one}/comments`, comment));
      const { results } = await cellOf(0).prepare('SELECT * FROM search_waiting').all();
      expect(results).toEqual([]);
      const found = await session.get(
        `/tasks?search=${encodeURIComponent(comment.content.slice(0, 3))}&scope=all`,
      );
      expect(found.status).toBe(200);
      expect(await whatIsOff()).toEqual([]);
    },
  );

  it('is tested for every route, tool and form that takes several tasks', () => {
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
