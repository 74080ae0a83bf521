// This file is long because it implements every filter and order a second time, to check the results.
import { beforeAll, describe, expect, it } from 'vitest';
import { NO_DEADLINE } from '../../../src/schema/cell/tasks.ts';
import { taskPriorities, taskSorts, taskStatuses } from '../../../src/tasks/model/tasks.schema.ts';
import { api, getNextPath } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createRandom } from '../../support/random.ts';
import { isLong } from '../../support/tier.ts';
import { createProject, createTask, createWorld, type Person, type World } from '../../support/world.ts';

interface TaskModel {
  id: number;
  project: number;
  assignee: number;
  others: number[];
  status: number;
  priority: number;
  archived: number;
  name: string;
  due: string;
  updated_at: number;
  created_at: number;
  tags: string[];
  followers: number[];
  parent: number | null;
  blockers: number[];
}

const FILTER_COMBINATIONS = isLong ? 2_000 : 350;
const START = Date.parse('2026-03-01T08:00:00.000Z');
const HOUR = 3_600_000;
const TASKS = 180;
const TIMEZONE = 'Pacific/Auckland';
const TAGS = ['web', 'Web', 'ÉTÉ', 'Été 2026', 'Größe', 'copy', 'a "quoted" tag', 'İzmir'];

const foldCase = (tag: string) => tag.toLowerCase();
const toLocalDay = (time: number) => new Date(time).toLocaleDateString('en-CA', { timeZone: TIMEZONE });

describe('GET /tasks with filters', () => {
  let world: World;
  let projects: { id: number; members: number[] }[];
  let tasks: TaskModel[];
  const random = createRandom(20_261_122);
  const days = ['2026-03-02', '2026-03-09', '2026-03-20', '2026-04-01', '9999-12-31'];

  beforeAll(async () => {
    world = await createWorld({ cell: 1 });
    await getCell(1)
      .prepare('UPDATE workspaces SET timezone = ? WHERE no = ?')
      .bind(TIMEZONE, world.no)
      .run();
    const { owner, lead, member, client } = world.people;
    await createProject(world, { owner: member, members: [lead] });
    await createProject(world, { owner: client });
    await createProject(world, { owner });
    const cell = getCell(1);
    const found = await cell
      .prepare('SELECT id FROM projects WHERE ws = ?')
      .bind(world.no)
      .all<{ id: number }>();
    projects = await Promise.all(
      found.results.map(async ({ id }) => {
        const members = await cell
          .prepare('SELECT member FROM project_members WHERE project = ?')
          .bind(id)
          .all<{ member: number }>();
        return { id, members: members.results.map((each) => each.member) };
      }),
    );
    const people = Object.values(world.people);
    let parents: { id: number; project: number; level: number }[] = [];
    for (let made = 0; made < TASKS; made += 1) {
      const project = random.pick(projects).id;
      const choices = parents.filter((each) => each.project === project && each.level < 5);
      const parent = choices.length > 0 && random.chance(0.4) ? random.pick(choices) : null;
      const assignee = random.pick([...people, null, null]);
      const others = random.chance(0.4)
        ? [random.pick(people), random.pick(people), random.pick(people)]
        : [];
      const assigneeIds = [...new Set([assignee, ...others].flatMap((person) => person?.userId ?? []))];
      const deadline = random.pick([...days, null, null]);
      const task = await createTask(random.pick([owner, lead, member]), project, {
        ...(parent && { parentId: parent.id }),
        name: random.pick(['Alpha draft', 'beta DRAFT', 'Größe prüfen', 'x']),
        status: random.pick(taskStatuses),
        priority: random.pick(taskPriorities),
        ...(random.chance(0.5) && { tags: [random.pick(TAGS), random.pick(TAGS)] }),
        ...(deadline && { deadline }),
        ...(others.length > 0 ? { assigneeIds } : assignee && { assigneeId: assignee.userId }),
      });
      if (parents.length > 0 && random.chance(0.4)) {
        const relation = { type: 'blocks', taskId: task.id };
        await api(owner.token).post(`/tasks/${random.pick(parents).id}/relations`, relation);
      }
      if (random.chance(0.2)) await api(owner.token).post(`/tasks/${task.id}/archive`);
      else parents = [...parents, { id: task.id, project, level: (parent?.level ?? 0) + 1 }];
    }
    // Backdates the tasks, with two created per hour. About half of them were changed later.
    const ids = await cell.prepare('SELECT id FROM tasks ORDER BY id').all<{ id: number }>();
    await cell.batch(
      ids.results.map(({ id }, index) => {
        const created = START + Math.floor(index / 2) * HOUR;
        const updated = random.chance(0.5) ? created : created + random.integer(0, 60) * HOUR;
        return cell
          .prepare('UPDATE tasks SET created_at = ?, updated_at = ? WHERE id = ?')
          .bind(created, updated, id);
      }),
    );
    const rows = await cell
      .prepare(
        `SELECT t.id, t.project, t.assignee, t.status, t.priority, t.archived, t.name, t.due, t.updated_at,
          t.created_at, t.tags, t.parent, t.other_assignees AS others,
          (SELECT json_group_array(f.member) FROM followers f WHERE f.task = t.id) AS followers,
          (SELECT json_group_array(r.source) FROM task_relations r WHERE r.target = t.id AND r.type = 'blocks') AS blockers
         FROM tasks t WHERE t.ws = ? ORDER BY t.id DESC`,
      )
      .bind(world.no)
      .all<TaskModel & { followers: string; tags: string; others: string; blockers: string }>();
    tasks = rows.results.map((each) => ({
      ...each,
      followers: JSON.parse(each.followers),
      tags: JSON.parse(each.tags),
      others: JSON.parse(each.others),
      blockers: JSON.parse(each.blockers),
    }));
    expect(tasks).toHaveLength(TASKS);
  });

  function findExpected(caller: Person, query: Record<string, string>): number[] {
    const joined = projects.filter((each) => each.members.includes(caller.member)).map((each) => each.id);
    const isMine = (task: TaskModel) =>
      joined.includes(task.project) || task.followers.includes(caller.member);
    const numbers = query.assigneeId?.split(',').map((name) => {
      if (name === 'none') return 0;
      if (name === 'me') return caller.member;
      return Object.values(world.people).find((each) => each.userId === name)?.member;
    });
    const statuses = query.status?.split(',');
    const isOpen = (task: TaskModel) =>
      statuses?.includes('open') && taskStatuses[task.status] !== 'completed';
    const matches = tasks
      .filter((task) => caller.role !== 'client' || isMine(task))
      .filter((task) => query.scope !== 'mine' || query.projectId !== undefined || isMine(task))
      .filter((task) => task.archived === (query.isArchived === 'true' ? 1 : 0))
      .filter((task) => !statuses || isOpen(task) || statuses.includes(taskStatuses[task.status] ?? ''))
      .filter(
        (task) => !query.priority || query.priority.split(',').includes(taskPriorities[task.priority] ?? ''),
      )
      .filter((task) => !query.projectId || query.projectId.split(',').includes(String(task.project)))
      .filter((task) => !query.tags || query.tags.split(',').some((tag) => hasTag(task, tag)))
      .filter((task) => !query.tagsAll || query.tagsAll.split(',').every((tag) => hasTag(task, tag)))
      .filter((task) => !query.createdFrom || toLocalDay(task.created_at) >= query.createdFrom)
      .filter((task) => !query.createdTo || toLocalDay(task.created_at) <= query.createdTo)
      .filter((task) => [task.assignee, ...task.others].some((no) => !numbers || numbers.includes(no)))
      .filter((task) => !query.dueFrom || (task.due >= query.dueFrom && task.due !== NO_DEADLINE))
      .filter((task) => !query.dueTo || task.due <= query.dueTo)
      .filter((task) => !query.updatedSince || task.updated_at >= Date.parse(query.updatedSince))
      .filter((task) => !query.search || task.name.toLowerCase().includes(query.search.toLowerCase()));
    const seesParent = ({ parent }: TaskModel) => {
      const task = tasks.find(({ id }) => id === parent);
      return task !== undefined && (caller.role !== 'client' || isMine(task));
    };
    const isBlocked = ({ blockers }: TaskModel) =>
      blockers.some((id) => {
        const blocker = tasks.find((each) => each.id === id);
        const isSeen = blocker !== undefined && (caller.role !== 'client' || isMine(blocker));
        return isSeen && blocker.archived === 0 && taskStatuses[blocker.status] !== 'completed';
      });
    const blocked = query.isBlocked
      ? matches.filter((task) => String(isBlocked(task)) === query.isBlocked)
      : matches;
    const found = query.parentId
      ? blocked.filter((task) =>
          query.parentId === 'none'
            ? !seesParent(task)
            : seesParent(task) && task.parent === Number(query.parentId),
        )
      : blocked;
    if (query.sort === 'due') found.sort((a, b) => (a.due === b.due ? a.id - b.id : a.due < b.due ? -1 : 1));
    if (query.sort === 'updated') found.sort((a, b) => b.updated_at - a.updated_at || b.id - a.id);
    return found.map((task) => task.id);
  }

  function hasTag(task: TaskModel, tag: string): boolean {
    return task.tags.map(foldCase).includes(foldCase(tag));
  }

  function createRandomQuery(): Record<string, string> {
    const people = [...Object.values(world.people).map((each) => each.userId), 'me', 'none'];
    const query: Record<string, string> = {};
    const maybeSet = (name: string, chance: number, value: () => string) => {
      if (random.chance(chance)) query[name] = value();
    };
    const pickSome = (values: readonly string[]) =>
      Array.from({ length: random.integer(1, 3) }, () => random.pick(values)).join(',');
    maybeSet('status', 0.4, () => pickSome([...taskStatuses, 'open']));
    maybeSet('priority', 0.3, () => pickSome(taskPriorities));
    maybeSet('projectId', 0.4, () => pickSome(projects.map(({ id }) => String(id))));
    maybeSet('tags', 0.15, () => pickSome([...TAGS, 'WEB', 'été', 'GRÖSSE', 'größe', 'unknown']));
    maybeSet('tagsAll', 0.1, () => pickSome([...TAGS, 'COPY', 'été 2026']));
    maybeSet('createdFrom', 0.2, () => random.pick(['0001-01-01', '2026-03-01', '2026-03-02', '2026-03-03']));
    maybeSet('createdTo', 0.2, () => random.pick(['2026-03-03', '2026-03-04', '9999-12-31']));
    maybeSet('assigneeId', 0.4, () => pickSome(people));
    maybeSet('isArchived', 0.3, () => random.pick(['true', 'false']));
    maybeSet('dueFrom', 0.25, () => random.pick(['0001-01-01', ...days.slice(0, 2)]));
    maybeSet('dueTo', 0.25, () => random.pick(days.slice(2)));
    maybeSet('updatedSince', 0.35, () => new Date(START + random.integer(-5, 120) * HOUR).toISOString());
    maybeSet('sort', 0.6, () => random.pick(taskSorts));
    maybeSet('parentId', 0.25, () => random.pick(['none', String(random.pick(tasks).parent ?? 'none')]));
    maybeSet('isBlocked', 0.25, () => random.pick(['true', 'false']));
    maybeSet('search', 0.15, () => random.pick(['draft', 'größe', 'x', 'zzz']));
    query.scope = random.pick(['mine', 'all']);
    return query;
  }

  it(`returns the same items and totals as a plain loop over the rows for ${FILTER_COMBINATIONS} random requests`, async () => {
    const people = Object.values(world.people);
    let found = 0;
    for (let round = 0; round < FILTER_COMBINATIONS; round += 1) {
      const caller = random.pick(people);
      const query = createRandomQuery();
      const limit = random.integer(1, 30);
      const offset = random.chance(0.3) ? random.integer(0, 40) : 0;
      const search = new URLSearchParams({ ...query, limit: String(limit), offset: String(offset) });
      const { status, body, cost } = await api(caller.token).get(`/tasks?${search}`);
      const all = findExpected(caller, query);
      expect(status, `${search} ${JSON.stringify(body)}`).toBe(200);
      expect(
        [body.meta.total, body.data.map((task: { id: number }) => task.id)],
        `${caller.role} ${search}`,
      ).toEqual([all.length, all.slice(offset, offset + limit)]);
      expect(body.meta.hasMore).toBe(offset + body.data.length < all.length);
      expect(cost.trips).toBeLessThanOrEqual(2);
      found += all.length;
    }
    expect(found).toBeGreaterThan(10 * FILTER_COMBINATIONS);
  });

  it('returns every task once when cursors are followed to the end, in every order', async () => {
    for (let round = 0; round < 40; round += 1) {
      const caller = random.pick(Object.values(world.people));
      const query = { ...createRandomQuery(), sort: taskSorts[round % taskSorts.length] ?? 'due' };
      const ids: number[] = [];
      let path: string | null =
        `/tasks?${new URLSearchParams({ ...query, limit: String(random.integer(3, 9)) })}`;
      while (path) {
        const answer = await api(caller.token).get(path);
        expect(answer.status, path).toBe(200);
        ids.push(...answer.body.data.map((task: { id: number }) => task.id));
        path = getNextPath(answer);
      }
      expect(ids, `${caller.role} ${JSON.stringify(query)}`).toEqual(findExpected(caller, query));
    }
  });

  it('rejects invalid filters with an error that names the parameter', async () => {
    const me = api(world.people.owner.token);
    const getErrorMessage = async (query: string) => {
      const { status, body } = await me.get(`/tasks?${query}`);
      expect(status, query).toBe(400);
      return body.error.message as string;
    };
    expect(await getErrorMessage('assigneeId=usr_nobody')).toContain(
      "assigneeId 'usr_nobody' is not a member",
    );
    expect(await getErrorMessage(`assigneeId=me,none,usr_nobody&sort=due&search=x`)).toContain('usr_nobody');
    expect(await getErrorMessage('assigneeId=')).toContain('assigneeId');
    expect(await getErrorMessage('status=open,done')).toContain('completed, open');
    expect(await getErrorMessage('priority=low,urgent')).toContain("'urgent'");
    expect(await getErrorMessage('dueFrom=2026-02-31')).toContain('dueFrom must be a real date');
    expect(await getErrorMessage('dueFrom=2026-03-02&dueTo=2026-03-01')).toContain(
      'dueFrom must not be after dueTo',
    );
    expect(await getErrorMessage('createdTo=2026-02-31')).toContain('createdTo must be a real date');
    expect(await getErrorMessage('createdFrom=2026-03-02&createdTo=2026-03-01')).toContain(
      'createdFrom must not be after createdTo',
    );
    expect(await getErrorMessage('tags=')).toContain('tags[0] must have at least 1');
    expect(await getErrorMessage(`tagsAll=web,${'x'.repeat(51)}`)).toContain(
      'tagsAll[1] must have at most 50',
    );
    expect(await getErrorMessage('projectId=1,x')).toContain('projectId[1] must be an integer');
    expect(await getErrorMessage(`projectId=${Array.from({ length: 51 }, (_, id) => id)}`)).toContain(
      'at most 50',
    );
    expect(await getErrorMessage('updatedSince=yesterday')).toContain('updatedSince must be a timestamp');
    expect(await getErrorMessage('sort=name')).toContain('created, due, updated');
    const first = await me.get('/tasks?scope=all&sort=due&limit=1');
    const other = getNextPath(first)?.replace('sort=due', 'sort=updated') ?? '';
    expect((await me.get(other)).status).toBe(400);
  });

  it('accepts a former member as assignee, but no one from another workspace', async () => {
    const other = await createWorld({ cell: 1 });
    const { status } = await api(world.people.owner.token).get(
      `/tasks?assigneeId=${other.people.owner.userId}`,
    );
    expect(status).toBe(400);
    const { member } = world.people;
    await getCell(1).prepare('UPDATE members SET ended_at = 1 WHERE no = ?').bind(member.member).run();
    const { body } = await api(world.people.owner.token).get(
      `/tasks?scope=all&assigneeId=${member.userId},none&sort=updated`,
    );
    const query = { scope: 'all', assigneeId: `${member.userId},none`, sort: 'updated' };
    expect(body.meta.total).toBe(findExpected(world.people.owner, query).length);
  });
});
