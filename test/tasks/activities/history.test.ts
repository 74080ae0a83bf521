// A task's row points to the first event of its history. All other events are found with an index.
import { beforeAll, describe, expect, it } from 'vitest';
import { api, getNextPath } from '../../support/api.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';

let world: World;
let me: ReturnType<typeof api>;

beforeAll(async () => {
  world = await createWorld();
  me = api(world.people.owner.token);
});

const listEntryTypes = async (id: number, query = 'limit=100') => {
  const { body } = await me.get(`/tasks/${id}/activities?${query}`);
  return [body.data.map(({ type }: { type: string }) => type), body.meta] as const;
};

async function createTaskWithHistory(): Promise<number> {
  const { id } = await createTask(world.people.owner, world.projects.joined.id, { name: 'Sand it' });
  await me.patch(`/tasks/${id}`, { status: 'in_progress', priority: 'high', name: 'Sand and oil it' });
  await me.post(`/tasks/${id}/comments`, { content: 'Which oil?' });
  await me.post(`/tasks/${id}/archive`);
  return id;
}

const allEntryTypes = [
  'archived',
  'comment_added',
  'name_changed',
  'priority_changed',
  'status_changed',
  'created',
];

describe("a task's history", () => {
  it('contains every entry since the task was created, and can be paged by offset or cursor', async () => {
    const id = await createTaskWithHistory();
    expect(await listEntryTypes(id)).toEqual([
      allEntryTypes,
      { total: 6, limit: 100, offset: 0, hasMore: false },
    ]);
    for (let limit = 1; limit <= 7; limit += 1)
      for (let offset = 0; offset <= 7; offset += 1) {
        const [types, meta] = await listEntryTypes(id, `limit=${limit}&offset=${offset}`);
        expect(types, `${limit} from ${offset}`).toEqual(allEntryTypes.slice(offset, offset + limit));
        expect(meta.hasMore, `${limit} from ${offset}`).toBe(offset + limit < allEntryTypes.length);
      }
    for (let limit = 1; limit <= 6; limit += 1) {
      const seen: string[] = [];
      let path: string | null = `/tasks/${id}/activities?limit=${limit}`;
      while (path) {
        const answer = await me.get(path);
        seen.push(...answer.body.data.map(({ type }: { type: string }) => type));
        path = getNextPath(answer);
      }
      expect(seen, `pages of ${limit}`).toEqual(allEntryTypes);
    }
  });

  it('starts with "duplicated" instead of "created" if the task is a copy', async () => {
    const { body } = await me.post(`/tasks/${await createTaskWithHistory()}/duplicate`);
    expect((await listEntryTypes(body.id))[0]).toEqual(['duplicated']);
  });

  it('has only the entry "created" for a new task, even if parallel requests insert many tasks', async () => {
    const projectId = world.projects.joined.id;
    const tasks = Array.from({ length: 5 }, (_, index) => ({
      projectId,
      name: `Long ${index}`,
      description: 'x'.repeat(90_000),
      assigneeId: world.people.member.userId,
    }));
    const [bulk, ...single] = await Promise.all([
      me.post('/tasks/bulk', { tasks }),
      ...Array.from({ length: 4 }, () => me.post('/tasks', { projectId, name: 'Beside' })),
    ]);
    expect(bulk.status, bulk.text).toBe(201);
    const ids: number[] = [
      ...bulk.body.data.map(({ task }: { task: { id: number } }) => task.id),
      ...single.map(({ body }) => body.id),
    ];
    expect(ids).toHaveLength(9);
    for (const id of ids) {
      const [types, { total }] = await listEntryTypes(id);
      expect([types, total]).toEqual([['created'], 1]);
    }
  });
});
