// This file is long because its tests share tasks with random field values, and a second implementation of the
// filters.
import { beforeAll, describe, expect, it } from 'vitest';
import { deleteCustomField } from '../../../src/tasks/custom-fields/change-custom-fields.ts';
import { api } from '../../support/api.ts';
import { addFieldsToProject, createField, createFields, type FieldIds } from '../../support/custom-fields.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { createRandom } from '../../support/random.ts';
import { isLong } from '../../support/tier.ts';
import { createApiKey, createTask, createWorld, type Person, type World } from '../../support/world.ts';

const TASKS = 160;
const FILTER_COMBINATIONS = isLong ? 2_000 : 60;

interface Task {
  id: number;
  status: string;
  priority: string;
  deadline: string | null;
  tags: string[];
  isArchived: boolean;
  project: { id: number };
  customFields: Record<string, unknown>;
}

let world: World;
let fields: FieldIds;
let sharedProject: number;
let allTasks: Task[];

beforeAll(async () => {
  world = await createWorld();
  fields = await createFields(world);
  sharedProject = await createField(world, 'select', 'Shared');
  const { joined, other } = world.projects;
  await addFieldsToProject(world, joined.id, [...Object.values(fields), sharedProject]);
  await addFieldsToProject(world, other.id, [sharedProject, fields.checkbox]);
  await createTasks();
  allTasks = await listAll(world.people.owner, 'scope=all&isArchived=false');
  allTasks.push(...(await listAll(world.people.owner, 'scope=all&isArchived=true')));
});

async function createTasks() {
  const random = createRandom(7);
  const { owner, member, client } = world.people;
  const tasks = Array.from({ length: TASKS }, (_, index) => {
    const isJoined = random.chance(0.7);
    const maybeSet = (key: string, value: unknown) => (random.chance(0.6) ? { [key]: value } : {});
    return {
      projectId: isJoined ? world.projects.joined.id : world.projects.other.id,
      name: `Task ${index} ${random.pick(['alpha', 'beta'])}`,
      status: random.pick(['todo', 'in_progress', 'completed']),
      priority: random.pick(['low', 'high']),
      assigneeId: random.pick([null, member.userId, client.userId]),
      deadline: random.pick([null, '2026-12-01', '2026-12-24']),
      tags: random.pick([[], ['web'], ['web', 'copy']]),
      customFields: {
        ...maybeSet(`cf_${sharedProject}`, random.integer(1, 3)),
        ...maybeSet(`cf_${fields.checkbox}`, random.chance(0.5)),
        ...(isJoined && {
          ...maybeSet(`cf_${fields.select}`, random.integer(1, 3)),
          ...maybeSet(`cf_${fields.multi_select}`, random.pick([[1], [2, 1], [3, 2, 1], [3]])),
          ...maybeSet(`cf_${fields.person}`, random.pick([owner.userId, client.userId])),
          ...maybeSet(`cf_${fields.number}`, random.integer(1, 3)),
          ...maybeSet(`cf_${fields.text}`, 'true'),
        }),
      },
    };
  });
  const call = api(owner.token);
  for (let start = 0; start < TASKS; start += 80) {
    const made = await call.post('/tasks/bulk', { tasks: tasks.slice(start, start + 80) });
    expect(made.status).toBe(201);
    const ids = made.body.data.map(({ task }: { task: Task }) => task.id);
    await call.post('/tasks/bulk/archive', {
      ids: ids.filter((_: number, index: number) => index % 9 === 0),
    });
  }
}

async function listAll(person: Person, query: string): Promise<Task[]> {
  const found: Task[] = [];
  for (let more = true; more; ) {
    const { body } = await api(person.token).get(
      `/tasks?${query}&expand=customFields&limit=100&offset=${found.length}`,
    );
    found.push(...body.data);
    more = body.meta.hasMore;
  }
  return found;
}

describe('requests that filter by custom fields', () => {
  it(`return the same tasks as a brute-force search (${FILTER_COMBINATIONS} random filters)`, async () => {
    const random = createRandom(20_261_128);
    const visible = new Map<Person, Set<number>>();
    for (const person of [world.people.owner, world.people.member, world.people.client]) {
      const own = await listAll(person, 'scope=all&isArchived=false');
      own.push(...(await listAll(person, 'scope=all&isArchived=true')));
      visible.set(person, new Set(own.map(({ id }) => id)));
    }
    for (let mix = 0; mix < FILTER_COMBINATIONS; mix += 1) {
      const person = random.pick([...visible.keys()]);
      const { query, matches } = buildFilterCombination(random, person);
      const expected = allTasks.filter((task) => visible.get(person)?.has(task.id) && matches(task));
      const sort = random.pick(['created', 'due', 'updated']);
      const offset = random.pick([0, 0, 3]);
      const answer = await api(person.token).get(
        `/tasks?${query}&scope=all&sort=${sort}&limit=10&offset=${offset}`,
      );
      expect([query, answer.status, answer.body.meta?.total]).toEqual([query, 200, expected.length]);
      const ids = answer.body.data.map(({ id }: Task) => id);
      expect(ids.length).toBe(Math.max(0, Math.min(10, expected.length - offset)));
      if (sort !== 'created') continue;
      const sorted = expected.map(({ id }) => id).toSorted((one, two) => two - one);
      expect([query, ids]).toEqual([query, sorted.slice(offset, offset + 10)]);
    }
  });

  it('return all matches, page by page, when cursors are followed', async () => {
    const query = `cf_${sharedProject}=2&scope=all`;
    const matching = allTasks.filter(
      (task) => !task.isArchived && task.customFields[`cf_${sharedProject}`] === 2,
    );
    const seen: number[] = [];
    let path: string | null = `/tasks?${query}&limit=7&sort=due`;
    while (path) {
      const { body, headers } = await api(world.people.owner.token).get(path);
      seen.push(...body.data.map(({ id }: Task) => id));
      path = /<[^>]*\/v1([^>]*)>; rel="next"/.exec(headers.get('Link') ?? '')?.[1] ?? null;
    }
    expect(seen.toSorted((one, two) => one - two)).toEqual(
      matching.map(({ id }) => id).toSorted((one, two) => one - two),
    );
  });

  it.each([
    ['cf_999999999=1', 'is not a custom field in this workspace'],
    ['cf_0=1', 'unknown query parameter'],
    ['text=1', 'is a field of type text'],
    ['number=1', 'is a field of type number'],
    ['date=2026-01-01', 'is a field of type date'],
    ['url=a', 'is a field of type url'],
    ['select=9', 'must be one of 1 (Small), 2 (Medium), 3 (Large)'],
    ['select=Small', 'must be one of 1 (Small)'],
    ['select=1,2', 'must be one of 1 (Small)'],
    ['multi_select=true', 'must be one of 1 (Small)'],
    ['person=usr_unknown', "must be 'me' or the id of a member"],
    ['checkbox=1', 'must be true or false'],
    ['checkbox=true&checkbox=true', 'was sent twice'],
  ] as const)('are rejected for %s', async (query, message) => {
    const named = query.replaceAll(
      /\b(text|number|date|select|multi_select|person|url|checkbox)=/g,
      (_, type) => {
        return `cf_${fields[type as keyof FieldIds]}=`;
      },
    );
    const { status, body, headers } = await api(world.people.owner.token).get(`/tasks?${named}`);
    expect([status, body.error?.message]).toEqual([400, expect.stringContaining(message)]);
    expect(headers.get('Error-Field')).toBe(named.split('=')[0]);
  });

  it('ignore hidden values, and are rejected for deleted fields', async () => {
    const own = await createWorld();
    const select = await createField(own, 'select');
    const { joined } = own.projects;
    await addFieldsToProject(own, joined.id, [select]);
    await createTask(own.people.owner, joined.id, { customFields: { [`cf_${select}`]: 1 } });
    const countFiltered = async () =>
      (await api(own.people.owner.token).get(`/tasks?cf_${select}=1&scope=all`)).body.meta?.total;
    expect(await countFiltered()).toBe(1);
    await addFieldsToProject(own, joined.id, []);
    expect(await countFiltered()).toBe(0);
    await addFieldsToProject(own, joined.id, [select]);
    expect(await countFiltered()).toBe(1);
    await runForm(own.people.owner.token, deleteCustomField, { id: select });
    expect((await api(own.people.owner.token).get(`/tasks?cf_${select}=1`)).status).toBe(400);
  });

  it('read at most 20,500 rows in one round trip, or return 400 with suggested filters', async () => {
    const own = await createWorld();
    const select = await createField(own, 'select');
    await addFieldsToProject(own, own.projects.joined.id, [select]);
    const key = await createApiKey(own.people.owner);
    const { id } = await createTask(own.people.owner, own.projects.joined.id, {
      customFields: { [`cf_${select}`]: 2 },
    });
    const copyTasks = async (count: number) => {
      const columns = 'ws, project, name, created_by, created_at, updated_at, field_values, status';
      await getCell(own.cell)
        .prepare(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
          INSERT INTO tasks (${columns}) SELECT ws, project, name, created_by, created_at, updated_at,
            json_object('cf_${select}', 1 + i % 3), 4 * (i % 50 > 0) FROM n, tasks WHERE id = ?2`)
        .bind(count, id)
        .run();
    };
    await api(key).get('/me');
    await copyTasks(4_998);
    const found = await api(key).get(`/tasks?cf_${select}=2`);
    expect([found.status, found.body.meta.total, found.cost.trips]).toEqual([200, 1 + 1_666, 1]);
    expect(found.cost.rowsRead).toBeLessThanOrEqual(20_500);
    await copyTasks(2_000);
    const rejected = await api(key).get(`/tasks?cf_${select}=2`);
    expect([rejected.status, rejected.headers.get('Error-Field')]).toEqual([400, `cf_${select}`]);
    expect(rejected.body.error.message).toMatch(
      /Also filter by projectId, status, createdFrom or createdTo\.$/,
    );
    expect(rejected.cost.rowsRead).toBeLessThanOrEqual(20_500);
    const open = await api(key).get(`/tasks?cf_${select}=2&status=open`);
    expect(open.status).toBe(200);
    expect(open.cost.rowsRead).toBeLessThanOrEqual(1_500);
  });
});

function buildFilterCombination(random: ReturnType<typeof createRandom>, person: Person) {
  const parts: string[] = [];
  const tests: ((task: Task) => boolean)[] = [];
  const addFilter = (query: string, test: (task: Task) => boolean) => {
    parts.push(query);
    tests.push(test);
  };
  const getValue = (task: Task, field: number) => task.customFields[`cf_${field}`];
  const byField = [
    () => {
      const option = random.integer(1, 3);
      const field = random.pick([fields.select, sharedProject]);
      addFilter(`cf_${field}=${option}`, (task) => getValue(task, field) === option);
    },
    () => {
      const option = random.integer(1, 3);
      const getSelectedOptions = (task: Task) => (getValue(task, fields.multi_select) ?? []) as number[];
      addFilter(`cf_${fields.multi_select}=${option}`, (task) => getSelectedOptions(task).includes(option));
    },
    () => {
      const wanted = random.pick([world.people.owner, world.people.client]);
      const text = wanted === person && random.chance(0.5) ? 'me' : wanted.userId;
      addFilter(`cf_${fields.person}=${text}`, (task) => getValue(task, fields.person) === wanted.userId);
    },
    () => {
      const checked = random.chance(0.5);
      addFilter(`cf_${fields.checkbox}=${checked}`, (task) => getValue(task, fields.checkbox) === checked);
    },
  ];
  const chosen = byField.filter(() => random.chance(0.4));
  for (const choose of chosen.length > 0 ? chosen : [random.pick(byField)]) choose();
  if (random.chance(0.3)) addFilter('status=open', ({ status }) => status !== 'completed');
  if (random.chance(0.2)) addFilter('priority=high', ({ priority }) => priority === 'high');
  if (random.chance(0.3)) {
    const { id } = random.pick([world.projects.joined, world.projects.other]);
    addFilter(`projectId=${id}`, ({ project }) => project.id === id);
  }
  if (random.chance(0.2)) addFilter('tags=copy', ({ tags }) => tags.includes('copy'));
  if (random.chance(0.2)) addFilter('dueTo=2026-12-10', ({ deadline }) => deadline === '2026-12-01');
  if (random.chance(0.15))
    addFilter('search=alpha', (task) => (task as Task & { name: string }).name.includes('alpha'));
  if (random.chance(0.15)) addFilter('createdFrom=2020-01-01', () => true);
  const isArchived = random.chance(0.2);
  addFilter(`isArchived=${isArchived}`, (task) => task.isArchived === isArchived);
  return { query: parts.join('&'), matches: (task: Task) => tests.every((test) => test(task)) };
}
