// Tests descriptions that are stored separately from their tasks (docs/adr/0011).
import { beforeEach, describe, expect, it } from 'vitest';
import { deleteProject } from '../../../src/projects/deletion/delete-project.ts';
import { deleteWorkspace } from '../../../src/workspaces/settings/delete-workspace.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { api } from '../../support/api.ts';
import { runCron } from '../../support/cron.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import {
  BYTES_INLINE,
  createChineseText,
  createTasks,
  createText,
  DESCRIPTION_MAX,
  listStoredTexts,
  ROW_CHARACTERS_MAX,
  readDescription,
  readLongestRowLength,
} from './stored-texts.ts';

let world: World;
let me: ReturnType<typeof api>;
let projectId: number;

beforeEach(async () => {
  world = await createWorld();
  me = api(world.people.owner.token);
  projectId = world.projects.joined.id;
});

async function searchTasks(search: string): Promise<number[]> {
  const { body } = await me.get(`/tasks?scope=all&search=${encodeURIComponent(search)}`);
  return body.data.map(({ id }: { id: number }) => id);
}

describe('a long description', () => {
  it.each([
    ['ASCII characters', BYTES_INLINE, createText],
    ['characters of three bytes each', BYTES_INLINE / 3, createChineseText],
  ])("is stored outside its task's row if it exceeds the limit (%s)", async (_what, length, characters) => {
    const short = await createTask(world.people.owner, projectId, {
      description: characters(Math.floor(length)),
    });
    expect(await listStoredTexts(world)).toEqual([]);
    const description = characters(Math.floor(length) + 1);
    const long = await createTask(world.people.owner, projectId, { description });
    expect(await listStoredTexts(world)).toMatchObject([{ description, tasks: 1 }]);
    expect(long.description).toBe(description);
    await me.patch(`/tasks/${short.id}`, { description: 'Short' });
    expect(await readLongestRowLength(world)).toBeLessThan(ROW_CHARACTERS_MAX);
  });

  it('is returned verbatim in details, lists, bulk responses and copies', async () => {
    const description = createChineseText(DESCRIPTION_MAX);
    const { id } = await createTask(world.people.owner, projectId, { description });
    expect(await readDescription(world, id)).toBe(description);
    const { body: list } = await me.get(`/tasks?expand=detail&ids=${id}`);
    expect(list.data[0].description).toBe(description);
    const { body: bulk } = await me.patch('/tasks/bulk', { ids: [id], set: { priority: 'high' } });
    expect(bulk.data[0].task.description).toBe(description);
    const { body: copy } = await me.post(`/tasks/${id}/duplicate`);
    expect(copy.description).toBe(description);
    expect(await findInconsistencies()).toEqual([]);
  });

  it('adds no history entry if the same text is sent again', async () => {
    const description = createChineseText(DESCRIPTION_MAX);
    const { id } = await createTask(world.people.owner, projectId, { description });
    const before = await me.get(`/tasks/${id}`);
    await me.patch(`/tasks/${id}`, { description });
    await me.patch('/tasks/bulk', { ids: [id], set: { description } });
    expect((await me.get(`/tasks/${id}`)).headers.get('ETag')).toBe(before.headers.get('ETag'));
    const other = `${description.slice(1)}x`;
    await me.patch(`/tasks/${id}`, { description: other });
    const { body } = await me.get(`/tasks/${id}/activities`);
    expect(body.data.map(({ type }: { type: string }) => type)).toEqual(['description_changed', 'created']);
    expect(await listStoredTexts(world)).toMatchObject([{ description: other, tasks: 1 }]);
  });

  it('is found by search until it changes', async () => {
    const [first, second] = [createChineseText(20_000), createText(9_000)];
    const { id } = await createTask(world.people.owner, projectId, { description: first });
    const pattern = first.slice(15_000, 15_012);
    expect(await searchTasks(pattern)).toEqual([id]);
    expect(await searchTasks(pattern.slice(0, 1))).toEqual([id]);
    await me.patch(`/tasks/${id}`, { description: second });
    expect(await searchTasks(pattern)).toEqual([]);
    expect(await searchTasks(second.slice(4_000, 4_012))).toEqual([id]);
    await me.patch(`/tasks/${id}`, { description: null });
    expect(await searchTasks(second.slice(4_000, 4_012))).toEqual([]);
    expect(await listStoredTexts(world)).toEqual([]);
    expect(await findInconsistencies()).toEqual([]);
  });

  it('is deleted once no task uses it', async () => {
    const ids = await createTasks(world, 4, () => 'Short');
    const description = createChineseText(DESCRIPTION_MAX);
    await me.patch('/tasks/bulk', { ids, set: { description } });
    expect(await listStoredTexts(world)).toMatchObject([{ description, tasks: 4 }]);
    await me.patch(`/tasks/${ids[0]}`, { description: 'Short again' });
    await me.patch('/tasks/bulk', { ids: ids.slice(1, 3), set: { description: null } });
    expect(await listStoredTexts(world)).toMatchObject([{ description, tasks: 1 }]);
    expect(await readDescription(world, ids[3] ?? 0)).toBe(description);
    await me.patch(`/tasks/${ids[3]}`, { description: createText(BYTES_INLINE) });
    expect(await listStoredTexts(world)).toEqual([]);
    expect(await findInconsistencies()).toEqual([]);
  });

  it('is stored once for all tasks in a request, but never shared with another workspace', async () => {
    const description = createText(BYTES_INLINE + 1);
    await createTasks(world, 3, () => description);
    const other = await createWorld();
    await createTask(other.people.owner, other.projects.joined.id, { description });
    expect(await listStoredTexts(world)).toMatchObject([{ description, tasks: 3 }]);
    expect(await listStoredTexts(other)).toMatchObject([{ description, tasks: 1 }]);
    const [own, its] = [await listStoredTexts(world), await listStoredTexts(other)];
    expect(own[0]?.id).not.toBe(its[0]?.id);
  });

  it('can be edited by parallel requests without inconsistencies', async () => {
    const ids = await createTasks(world, 2, () => 'Short');
    const shared = createText(9_000);
    await me.patch('/tasks/bulk', { ids, set: { description: shared } });
    const answers = await Promise.all([
      me.patch(`/tasks/${ids[0]}`, { description: null }),
      me.patch(`/tasks/${ids[1]}`, { description: createText(9_000) }),
      me.patch(`/tasks/${ids[1]}`, { description: createText(9_000) }),
      me.patch('/tasks/bulk?mode=each', { ids, set: { description: shared } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await findInconsistencies()).toEqual([]);
  });

  it.each(['project', 'workspace'])('is deleted together with its %s', async (what) => {
    const ids = await createTasks(world, 3, () => createText(9_000));
    await me.patch('/tasks/bulk', { ids: ids.slice(1), set: { description: createText(10_000) } });
    expect(await listStoredTexts(world)).toHaveLength(2);
    const { token } = world.people.owner;
    const name = what === 'project' ? 'Joined' : `Workspace ${world.no}`;
    const input = what === 'project' ? { id: projectId, name } : { name };
    const { status } = await runForm(token, what === 'project' ? deleteProject : deleteWorkspace, input);
    expect(status).toBe(200);
    // The newest task in a cell is deleted only once a newer task exists.
    const other = await createWorld();
    await createTask(other.people.owner, other.projects.joined.id);
    for (let run = 0; run < 4; run += 1) await runCron('* * * * *');
    expect(await listStoredTexts(world)).toEqual([]);
    expect(await findInconsistencies()).toEqual([]);
  });
});

it("a long description that an older version stored in its task's row stays there until it is edited", async () => {
  const { id } = await createTask(world.people.owner, projectId);
  const description = createText(20_000);
  await getCell(0)
    .prepare('UPDATE tasks SET description = ?1, description_key = ?1 WHERE id = ?2')
    .bind(description, id)
    .run();
  expect(await readDescription(world, id)).toBe(description);
  await me.patch(`/tasks/${id}`, { description: `${description}!` });
  expect(await readDescription(world, id)).toBe(`${description}!`);
  expect(await listStoredTexts(world)).toMatchObject([{ description: `${description}!`, tasks: 1 }]);
  expect(await readLongestRowLength(world)).toBeLessThan(ROW_CHARACTERS_MAX);
  expect(await findInconsistencies()).toEqual([]);
});
