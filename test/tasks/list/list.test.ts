import { beforeAll, describe, expect, it } from 'vitest';
import { taskPriorities, taskStatuses } from '../../../src/tasks/model/tasks.schema.ts';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createRandom } from '../../support/random.ts';
import { createProject, createTask, createWorld, type Person, type World } from '../../support/world.ts';

interface TaskModel {
  id: number;
  project: number;
  assignee: number;
  status: number;
  priority: number;
  archived: number;
  name: string;
  followers: number[];
}

describe('GET /tasks', () => {
  let world: World;
  let projects: { id: number; members: number[] }[];
  let tasks: TaskModel[];
  const random = createRandom(20_261_120);

  beforeAll(async () => {
    world = await createWorld({ cell: 1 });
    const { owner, lead, member, client } = world.people;
    const more = [
      await createProject(world, { owner: member, members: [lead] }),
      await createProject(world, { owner: client }),
      await createProject(world, { owner }),
    ];
    projects = (
      await getCell(1).prepare('SELECT id FROM projects WHERE ws = ?').bind(world.no).all<{ id: number }>()
    ).results.map(({ id }) => ({ id, members: [] }));
    expect(projects).toHaveLength(more.length + 2);
    for (const project of projects) {
      const found = await getCell(1)
        .prepare('SELECT member FROM project_members WHERE project = ?')
        .bind(project.id)
        .all<{ member: number }>();
      project.members = found.results.map((each) => each.member);
    }
    const people: Person[] = Object.values(world.people);
    for (let made = 0; made < 160; made += 1) {
      const creator = random.pick([owner, lead, member]);
      const assignee = random.pick([...people, null]);
      const task = await createTask(creator, random.pick(projects).id, {
        name: random.pick(['Alpha draft', 'beta DRAFT', 'Größe prüfen', 'Ünïcode', 'x']),
        status: random.pick(taskStatuses),
        priority: random.pick(taskPriorities),
        ...(assignee && { assigneeId: assignee.userId }),
      });
      if (random.chance(0.15)) await api(owner.token).post(`/tasks/${task.id}/comments`, { content: 'c' });
      if (random.chance(0.2)) await api(owner.token).post(`/tasks/${task.id}/archive`);
    }
    const found = await getCell(1)
      .prepare(
        `SELECT t.id, t.project, t.assignee, t.status, t.priority, t.archived, t.name,
          (SELECT json_group_array(f.member) FROM followers f WHERE f.task = t.id) AS followers
         FROM tasks t WHERE t.ws = ? ORDER BY t.id DESC`,
      )
      .bind(world.no)
      .all<TaskModel & { followers: string }>();
    tasks = found.results.map((each) => ({ ...each, followers: JSON.parse(each.followers) }));
  });

  function findExpected(caller: Person, query: Record<string, string>): number[] {
    const joinedProjects = projects
      .filter((each) => each.members.includes(caller.member))
      .map((each) => each.id);
    const isMine = (task: TaskModel) =>
      joinedProjects.includes(task.project) || task.followers.includes(caller.member);
    const scope = query.scope ?? (query.mine === undefined ? 'mine' : query.mine === 'true' ? 'mine' : 'all');
    const assignee = Object.values(world.people).find((each) => each.userId === query.assigneeId);
    return tasks
      .filter((task) => (caller.role === 'client' ? isMine(task) : true))
      .filter((task) => scope === 'all' || query.projectId !== undefined || isMine(task))
      .filter((task) => task.archived === (query.isArchived === 'true' ? 1 : 0))
      .filter((task) => !query.status || taskStatuses[task.status] === query.status)
      .filter((task) => !query.priority || taskPriorities[task.priority] === query.priority)
      .filter((task) => !query.projectId || task.project === Number(query.projectId))
      .filter((task) => !query.assigneeId || task.assignee === assignee?.member)
      .filter((task) => !query.search || task.name.toLowerCase().includes(query.search.toLowerCase()))
      .map((task) => task.id);
  }

  it('returns the same items and totals as a plain loop over the rows for 400 random requests', async () => {
    const people = Object.values(world.people);
    for (let round = 0; round < 400; round += 1) {
      const caller = random.pick(people);
      const query: Record<string, string> = {};
      const maybeSet = (name: string, values: readonly string[], chance: number) => {
        if (random.chance(chance)) query[name] = random.pick(values);
      };
      maybeSet('status', taskStatuses, 0.3);
      maybeSet('priority', taskPriorities, 0.3);
      maybeSet(
        'projectId',
        projects.map((each) => String(each.id)),
        0.3,
      );
      maybeSet(
        'assigneeId',
        people.map((each) => each.userId),
        0.3,
      );
      maybeSet('isArchived', ['true', 'false'], 0.3);
      maybeSet('scope', ['mine', 'all'], 0.4);
      maybeSet('mine', ['true', 'false'], 0.3);
      maybeSet('search', ['draft', 'DRAFT', 'größe', 'x', 'ü', 'al', 'zzz', '"', 'a OR b', '%'], 0.3);
      const limit = random.integer(1, 30);
      const offset = random.chance(0.4) ? random.integer(0, 40) : 0;
      const search = new URLSearchParams({ ...query, limit: String(limit), offset: String(offset) });
      const { status, body, cost } = await api(caller.token).get(`/tasks?${search}`);
      const all = findExpected(caller, query);
      expect(status, String(search)).toBe(200);
      expect(
        [body.meta.total, body.data.map((task: { id: number }) => task.id)],
        `${caller.role} ${search}`,
      ).toEqual([all.length, all.slice(offset, offset + limit)]);
      expect(body.meta.hasMore).toBe(offset + body.data.length < all.length);
      expect(cost.trips).toBeLessThanOrEqual(2);
    }
  });

  it("returns comments with expand=comments, even if the fields parameter doesn't contain them", async () => {
    const { body } = await api(world.people.owner.token).get(
      '/tasks?scope=all&fields=id,name&expand=comments&limit=100',
    );
    const commented = body.data.filter((task: { comments: unknown[] }) => task.comments.length > 0);
    expect(commented.length).toBeGreaterThan(3);
    for (const task of body.data) expect(Object.keys(task).sort()).toEqual(['comments', 'id', 'name']);
  });

  it('rejects invalid parameters with the reason, and suggests the nearest valid name', async () => {
    const me = api(world.people.owner.token);
    const getErrorMessage = async (query: string) => {
      const { status, body } = await me.get(`/tasks?${query}`);
      expect(status, query).toBe(400);
      return body.error.message as string;
    };
    expect(await getErrorMessage('limit=101')).toContain('limit must be at most 100; got 101');
    expect(await getErrorMessage('limit=0')).toContain('limit must be at least 1');
    expect(await getErrorMessage('limit=ten')).toContain("got 'ten'");
    expect(await getErrorMessage('offset=-1')).toContain('offset');
    expect(await getErrorMessage('limit=1.5')).toContain('limit');
    expect(await getErrorMessage('statsu=todo')).toContain("did you mean 'status'?");
    expect(await getErrorMessage('fields=id,nmae')).toContain("did you mean 'name'?");
    expect(await getErrorMessage('expand=coments')).toContain("did you mean 'comments'?");
    expect(await getErrorMessage('status=done')).toContain(
      'todo, in_progress, internal_review, client_review, completed',
    );
    expect(await getErrorMessage('limit=5&limit=6')).toBe('limit was sent twice; send it once');
    expect(await getErrorMessage('limit=5&limit=6&limit=7')).toBe('limit was sent 3 times; send it once');
    expect(await getErrorMessage('isArchived=1')).toContain('isArchived');
  });
});
