import { expect, it } from 'vitest';
import { confirmUpload, presignAndUpload } from '../../files/attachments/presigning.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { getCell } from '../../support/env.ts';
import { createRandom } from '../../support/random.ts';
import { isLong } from '../../support/tier.ts';
import { createWorld, type Person, type World } from '../../support/world.ts';

const SEED = 7;
/** The number of trees. Each tree is a task with four subtasks. */
const TREES = isLong ? 100 : 6;
const SUBTASKS = 4;
const TREES_AT_ONCE = 3;

interface FilledTree {
  readonly root: number;
  readonly ids: readonly number[];
  /** Subtasks assigned to the client. */
  readonly ofClient: readonly number[];
}

const random = createRandom(SEED);

async function createInBulk(person: Person, tasks: readonly object[]): Promise<number[]> {
  const made: number[] = [];
  for (let from = 0; from < tasks.length; from += 100) {
    const { body } = await api(person.token).post('/tasks/bulk', { tasks: tasks.slice(from, from + 100) });
    made.push(...body.data.map(({ task }: { task: { id: number } }) => task.id));
  }
  return made;
}

async function createTrees({ people, projects }: World): Promise<FilledTree[]> {
  const { owner, lead, member, client } = people;
  const create = (count: number, toFields: (index: number) => object) =>
    createInBulk(
      lead,
      Array.from({ length: count }, (_, index) => ({ projectId: projects.joined.id, ...toFields(index) })),
    );
  const roots = await create(TREES, (tree) => ({
    name: `Tree ${tree}`,
    deadline: '2026-05-05',
    tags: ['tree'],
  }));
  const assignees = [client, owner, lead, member];
  const children = await create(TREES * SUBTASKS, (index) => ({
    name: `Branch ${index}`,
    parentId: roots[Math.floor(index / SUBTASKS)],
    assigneeId: assignees[index % SUBTASKS]?.userId,
    status: index % 2 === 0 ? 'completed' : 'todo',
  }));
  const trees = roots.map((root, tree) => {
    const below = children.slice(tree * SUBTASKS, (tree + 1) * SUBTASKS);
    return { root, ids: [root, ...below], ofClient: below.slice(0, 1) };
  });
  for (const [tree, { ids, root }] of trees.entries()) {
    await api(client.token).post(`/tasks/${root}/comments`, { content: 'Seen by everyone' });
    await api(member.token).post(`/tasks/${ids[2]}/comments`, { content: 'Written below' });
    const toTime = (hour: number) => new Date(Date.UTC(2026, 2, 2, hour)).toISOString();
    const time = { startTime: toTime(tree), endTime: toTime(tree + 1) };
    expect((await api(member.token).post('/timer/entries', { taskId: root, ...time })).status).toBe(201);
    await confirmUpload(member, root, { s3Key: await presignAndUpload(member, root) });
  }
  return trees;
}

it(`a task and its subtasks always appear in the same project while ${TREES * (SUBTASKS + 1)} tasks are moved, deleted and restored (seed ${SEED})`, async () => {
  const world = await createWorld();
  const { people, projects } = world;
  const { owner, lead, member, client } = people;
  const trees = await createTrees(world);

  async function writeToTree({ ids, ofClient }: FilledTree) {
    const id = random.pick(ids);
    const me = api(random.pick([owner, lead, member]).token);
    const { status } = await random.pick([
      () => me.patch(`/tasks/${id}`, { status: random.pick(['todo', 'completed', 'in_progress']) }),
      () => me.patch(`/tasks/${id}`, { deadline: random.pick([null, '2026-06-06', '2026-01-01']) }),
      () => me.patch(`/tasks/${id}`, { tags: random.pick([[], ['tree'], ['tree', 'moved']]) }),
      () => me.post(`/tasks/${id}/comments`, { content: 'Written meanwhile' }),
      () => me.post('/timer/start', { taskId: id }),
      ...(ofClient.includes(id)
        ? []
        : [() => me.patch(`/tasks/${id}`, { assigneeId: random.pick([null, lead.userId, member.userId]) })]),
    ])();
    expect([200, 201, 404]).toContain(status);
  }

  /** Checks that all tasks of the tree that the person can see are in one project, or that all are in the trash. */
  async function readTree({ root, ids, ofClient }: FilledTree, { token }: Person) {
    const { body } = await api(token).get(`/tasks?scope=all&ids=${ids.join(',')}&limit=100`);
    const seen = (body.data as { id: number; project: { id: number } }[]).toSorted((a, b) => a.id - b.id);
    const view = {
      ids: seen.map(({ id }) => id),
      projects: [...new Set(seen.map(({ project }) => project.id))],
    };
    const moved = token === client.token ? ofClient : ids;
    expect(
      [
        { ids, projects: [projects.joined.id] },
        { ids: moved, projects: [projects.other.id] },
        { ids: [], projects: [] },
      ],
      `tree ${root}`,
    ).toContainEqual(view);
    expect(body.meta.total).toBe(seen.length);
  }

  async function moveTree({ root }: FilledTree, index: number) {
    const me = api(owner.token);
    expect((await me.post(`/tasks/${root}/move`, { projectId: projects.other.id })).status).toBe(200);
    if (index % 3 !== 0) return;
    expect((await me.delete(`/tasks/${root}`)).status).toBe(200);
    if (index % 2 === 0) expect((await me.post(`/tasks/${root}/restore`)).status).toBe(200);
  }

  for (let from = 0; from < trees.length; from += TREES_AT_ONCE) {
    const some = trees.slice(from, from + TREES_AT_ONCE);
    await Promise.all(
      some.flatMap((tree, index) => [
        moveTree(tree, from + index),
        ...[1, 2].map(() => writeToTree(random.pick(some))),
        ...[owner, client].map((reader) => readTree(tree, reader)),
      ]),
    );
    for (const tree of some)
      await Promise.all([writeToTree(tree), readTree(tree, owner), readTree(tree, client)]);
  }

  expect(await findCounterDrift(world)).toEqual([]);
  expect(await findInconsistencies()).toEqual([]);
  const left = trees.filter((_, index) => index % 3 !== 0 || index % 2 === 0);
  const { results } = await getCell(0)
    .prepare('SELECT id, project FROM tasks WHERE ws = ? ORDER BY id')
    .bind(world.no)
    .all();
  const expected = left.flatMap(({ ids }) => ids).sort((a, b) => a - b);
  expect(results).toEqual(expected.map((id) => ({ id, project: projects.other.id })));
  const { body } = await api(client.token).get('/tasks?scope=all&limit=100');
  const ofClient = left.flatMap((tree) => tree.ofClient);
  expect(body.meta.total).toBe(ofClient.length);
}, 3_600_000);
