// Tests lists of tasks with `expand=detail` and `ids`, and the date fields that `fields` can select.
import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { createApiKey, createTask, createWorld, type World } from '../../support/world.ts';

let world: World;
let key: string;
const ids: number[] = [];
let archived: number;
let hidden: number;

beforeAll(async () => {
  world = await createWorld();
  const { owner, lead, member, client } = world.people;
  const { joined, other } = world.projects;
  key = await createApiKey(owner);
  const [{ id: categoryId, typeId }] = world.categories;
  for (let n = 0; n < 12; n += 1) {
    const task = await createTask(lead, joined.id, {
      name: `Task ${n}`,
      description: `<p>Text ${n}</p>`,
      ...(n % 2 === 0 && { typeId, categoryId, customEstimatedHours: '2.5' }),
      ...(n % 3 === 0 && { assigneeId: member.userId, startDate: '2026-11-01', deadline: '2026-11-30' }),
    });
    ids.push(task.id);
  }
  archived = ids[3] ?? 0;
  await api(lead.token).post(`/tasks/${archived}/archive`);
  await api(lead.token).post(`/tasks/${ids[4]}/comments`, { content: 'A remark' });
  hidden = (await createTask(owner, other.id, { name: 'Hidden' })).id;
  ids.push((await createTask(owner, other.id, { assigneeId: client.userId })).id);
});

const listTasks = (token: string, query: string) => api(token).get(`/tasks?${query}`);
const readIds = (body: { data: { id: number }[] }) => body.data.map(({ id }) => id);

async function readDetail(token: string, id: number) {
  const {
    comments: _comments,
    followers: _followers,
    ...detail
  } = (await api(token).get(`/tasks/${id}`)).body;
  return { ...detail, dueTime: null };
}

describe('a list with expand=detail', () => {
  it.each(['owner', 'member', 'client'] as const)(
    'contains each task as GET /tasks/{id} returns it, without comments and followers but with dueTime (role: %s)',
    async (role) => {
      const { token } = world.people[role];
      for (const query of ['', '&isArchived=true', '&sort=due', '&sort=updated', '&search=Task']) {
        const { status, body } = await listTasks(token, `expand=detail&scope=all${query}`);
        expect(status).toBe(200);
        for (const task of body.data) expect(task, query).toEqual(await readDetail(token, task.id));
      }
    },
  );

  it('contains only the selected fields, and can be combined with expand=comments', async () => {
    const { body } = await listTasks(key, `expand=detail&fields=id,description,createdBy&ids=${ids[4]}`);
    expect(Object.keys(body.data[0])).toEqual(['id', 'description', 'createdBy']);
    const both = await listTasks(key, `expand=detail,comments&ids=${ids[4]}`);
    expect(both.body.data[0]).toMatchObject({
      description: '<p>Text 4</p>',
      comments: [{ content: 'A remark' }],
    });
  });

  it('is limited to 50 tasks, and is the only list that accepts detail fields in the fields parameter', async () => {
    expect((await listTasks(key, 'expand=detail&limit=50')).status).toBe(200);
    const long = await listTasks(key, 'expand=detail&limit=51');
    expect([long.status, long.body.error.message]).toEqual([
      400,
      'limit must be at most 50 with expand=detail; got 51',
    ]);
    const plain = await listTasks(key, 'fields=id,description');
    expect([plain.status, plain.body.error.message]).toEqual([
      400,
      'fields must not include description without expand=detail; send both',
    ]);
  });

  it('contains every task once when the Link header is followed', async () => {
    const { owner } = world.people;
    const seen: number[] = [];
    let path: string | undefined = '/tasks?scope=all&expand=detail&limit=5';
    while (path) {
      const { body, headers } = await api(owner.token).get(path);
      expect(body.data.every((task: object) => 'description' in task)).toBe(true);
      seen.push(...readIds(body));
      path = /<[^>]*\/v1(\/[^>]+)>/.exec(headers.get('Link') ?? '')?.[1];
    }
    const { body } = await listTasks(owner.token, 'scope=all&limit=100');
    expect(seen).toEqual(readIds(body));
  });

  it('contains long descriptions, or returns 400 and suggests a smaller limit if they are too long in total', async () => {
    const long = await createWorld();
    const { lead } = long.people;
    for (let n = 0; n < 5; n += 1) {
      await createTask(lead, long.projects.joined.id, { description: `<p>${n}${'漢'.repeat(60_000)}</p>` });
    }
    const { body } = await listTasks(lead.token, 'expand=detail');
    expect(body.data).toHaveLength(5);
    for (const task of body.data) expect(task).toEqual(await readDetail(lead.token, task.id));
    const names = Array.from({ length: 10 }, (_, n) => `${n}${'漢'.repeat(90_000)}`);
    for (const text of names) await createTask(lead, long.projects.joined.id, { description: text });
    const rejected = await listTasks(lead.token, 'expand=detail');
    expect(rejected.status).toBe(400);
    const fitting = /Send limit=(\d+)/.exec(rejected.body.error.message)?.[1];
    expect((await listTasks(lead.token, `expand=detail&limit=${fitting}`)).status).toBe(200);
  });
});

describe('createdAt and updatedAt in a list without expand=detail', () => {
  it('are included only if the fields parameter contains them', async () => {
    for (const sort of ['created', 'updated', 'due']) {
      const { body } = await listTasks(key, `fields=id,updatedAt,createdAt&sort=${sort}&limit=3`);
      for (const { id, ...shown } of body.data) {
        const { createdAt, updatedAt } = await readDetail(key, id);
        expect(shown).toEqual({ createdAt, updatedAt });
      }
      const one = await listTasks(key, `fields=updatedAt&sort=${sort}&limit=1`);
      expect(Object.keys(one.body.data[0])).toEqual(['updatedAt']);
      const plain = await listTasks(key, `sort=${sort}&limit=1`);
      expect(Object.keys(plain.body.data[0])).toEqual([
        ...['id', 'name', 'status', 'priority', 'assignee', 'project', 'tags', 'deadline', 'isArchived'],
      ]);
    }
  });
});

describe('GET /tasks with ids', () => {
  const getRequestedIds = () => [...ids, hidden, archived, 999_999_999].join(',');

  it.each(['owner', 'admin', 'lead', 'member', 'client'] as const)(
    'returns all tasks with these ids that the role %s can see, archived or not, regardless of the default scope',
    async (role) => {
      const { token } = world.people[role];
      const visible: number[] = [];
      for (const id of [...ids, hidden]) {
        if ((await api(token).get(`/tasks/${id}`)).status === 200) visible.push(id);
      }
      const { body } = await listTasks(token, `ids=${getRequestedIds()}&limit=100`);
      expect(readIds(body)).toEqual(visible.toSorted((one, other) => other - one));
      expect(body.meta).toMatchObject({ total: visible.length, hasMore: false });
      expect(body.data.find(({ id }: { id: number }) => id === archived)).toMatchObject({ isArchived: true });
    },
  );

  it('accepts other filters, sorting and paging, and returns an exact total', async () => {
    const all = (await listTasks(key, `ids=${getRequestedIds()}&limit=100`)).body.data as Record<
      string,
      never
    >[];
    const findIds = async (query: string) =>
      (await listTasks(key, `ids=${getRequestedIds()}&limit=100&${query}`)).body;
    expect(readIds(await findIds('isArchived=true'))).toEqual([archived]);
    expect(readIds(await findIds('isArchived=false'))).not.toContain(archived);
    expect(readIds(await findIds('search=TASK 1'))).toEqual([ids[11], ids[10], ids[1]]);
    expect(readIds(await findIds('search=text 3'))).toEqual([archived]);
    expect(readIds(await findIds('assigneeId=none'))).toEqual(
      all.filter(({ assignee }) => assignee === null).map(({ id }) => id),
    );
    expect(readIds(await findIds('dueFrom=2026-11-30&sort=due'))).toEqual([ids[0], ids[3], ids[6], ids[9]]);
    expect(readIds(await findIds(`projectId=${world.projects.other.id}`))).toEqual(
      [ids[12], hidden].toSorted().reverse(),
    );
    expect(readIds(await findIds('updatedSince=2099-01-01T00:00:00Z'))).toEqual([]);
    const changes = (await findIds('sort=updated&fields=updatedAt')).data.map(
      ({ updatedAt }: { updatedAt: string }) => updatedAt,
    );
    expect(changes).toEqual(changes.toSorted().reverse());
    const mine = await listTasks(world.people.owner.token, `ids=${getRequestedIds()}&scope=mine&limit=100`);
    expect(mine.body.meta.total).toBeLessThan(all.length);
    for (const sort of ['created', 'due', 'updated']) {
      const paged: number[] = [];
      let path: string | undefined = `/tasks?ids=${getRequestedIds()}&limit=4&sort=${sort}`;
      while (path) {
        const { body, headers } = await api(key).get(path);
        expect(body.meta.total).toBe(all.length);
        paged.push(...readIds(body));
        path = /<[^>]*\/v1(\/[^>]+)>/.exec(headers.get('Link') ?? '')?.[1];
      }
      expect(paged).toEqual(readIds(await findIds(`sort=${sort}`)));
    }
    expect(readIds((await listTasks(key, `ids=${getRequestedIds()}&limit=2&offset=2`)).body)).toEqual(
      readIds(await findIds('')).slice(2, 4),
    );
  });

  it('accepts 1 to 100 ids, and ignores duplicates', async () => {
    const hundred = Array.from({ length: 100 }, (_, n) => n + 1);
    expect((await listTasks(key, `ids=${[...hundred, ...hundred].join(',')}`)).status).toBe(200);
    const more = await listTasks(key, `ids=${[...hundred, 101].join(',')}`);
    expect([more.status, more.body.error.message]).toEqual([
      400,
      expect.stringContaining('at most 100 tasks'),
    ]);
    expect((await listTasks(key, 'ids=')).status).toBe(400);
    expect((await listTasks(key, 'ids=1,x')).body.error.message).toContain(
      "ids[1] must be an integer; got 'x'",
    );
  });

  it('returns nothing from another workspace', async () => {
    const { people } = await createWorld();
    const { body } = await listTasks(people.owner.token, `ids=${getRequestedIds()}`);
    expect([body.data, body.meta.total]).toEqual([[], 0]);
  });
});
