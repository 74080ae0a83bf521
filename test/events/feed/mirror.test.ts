import { describe, expect, it } from 'vitest';
import { Mirror, type Task } from '../../../docs/examples/mirror.mjs';
import type { AnyOperation } from '../../../src/kernel/operation/operation.ts';
import { deleteProject } from '../../../src/projects/deletion/delete-project.ts';
import { updateProject } from '../../../src/projects/operations/change-projects.ts';
import { addProjectMembers, removeProjectMember } from '../../../src/projects/operations/project-people.ts';
import { changeRole } from '../../../src/workspaces/people/change-role.ts';
import { api, ORIGIN, send } from '../../support/api.ts';
import { runForm } from '../../support/forms.ts';
import { createRandom } from '../../support/random.ts';
import { createTask, createWorld, type Person } from '../../support/world.ts';

const WRITERS = 12;
const WRITES = 25;

it('a copy built from events matches the task lists after 12 writers have made changes in parallel', async () => {
  const world = await createWorld();
  const { owner, admin, lead, member } = world.people;
  const staff = [owner, admin, lead, member];
  const random = createRandom(20_261_122);
  const ids: number[] = [];
  const mirror = new Mirror(ORIGIN, owner.token, (url, init) => send(new Request(url, init)));
  for (let made = 0; made < 5; made += 1) ids.push((await createTask(lead, world.projects.joined.id)).id);
  await mirror.start();

  const writeTask = async (person: Person) => {
    const id = random.pick(ids);
    const task = api(person.token);
    const deadline = random.pick([null, '2026-12-01', '2027-01-15']);
    const choices = [
      async () => ids.push((await createTask(person, world.projects.joined.id, { deadline })).id),
      () => task.post(`/tasks/${id}/duplicate`),
      () => task.patch(`/tasks/${id}`, { name: `Name ${random.integer(1, 1000)}`, deadline }),
      () => task.patch(`/tasks/${id}`, { status: random.pick(['todo', 'in_progress', 'completed']) }),
      () =>
        task.patch(`/tasks/${id}`, { assigneeId: random.pick([null, ...staff.map((each) => each.userId)]) }),
      () => task.patch(`/tasks/${id}`, { priority: random.pick(['low', 'medium', 'high']) }),
      () => task.post(`/tasks/${id}/comments`, { content: 'Hello' }),
      () => task.post(`/tasks/${id}/${random.pick(['archive', 'unarchive'])}`),
    ];
    await random.pick(choices)();
  };
  let isWriting = true;
  const following = (async () => {
    while (isWriting) await mirror.follow(1);
  })();
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, index) => {
      for (let done = 0; done < WRITES; done += 1) await writeTask(staff[index % staff.length] as Person);
    }),
  );
  isWriting = false;
  await following;
  while (await mirror.follow(0));

  const listed = new Map<number, unknown>();
  for (const isArchived of [false, true]) {
    for (let offset = 0, more = true; more; offset += 100) {
      const { body } = await api(owner.token).get(
        `/tasks?scope=all&isArchived=${isArchived}&limit=100&offset=${offset}`,
      );
      for (const task of body.data) listed.set(task.id, omitJoinedFields(task));
      more = body.meta.hasMore;
    }
  }
  expect(listed.size).toBeGreaterThan(20);
  const copied = [...mirror.tasks].map(([id, task]) => [id, omitJoinedFields(task)] as const);
  expect(new Map(copied.toSorted(([one], [other]) => one - other))).toEqual(
    new Map([...listed].toSorted(([one], [other]) => one - other)),
  );
});

/** Omits project names and email addresses, which a copy reads from other lists. */
function omitJoinedFields(task: Task) {
  const { project, assignee, ...fields } = task;
  return { ...fields, project: project.id, assignee: assignee && { id: assignee.id, name: assignee.name } };
}

describe('a copy built from events', () => {
  /** Creates a copy. The changes in `between` run in order, each after the next request whose URL matches `after`. */
  async function openMirror(person: Person) {
    const between: { after: RegExp; run: () => Promise<unknown> }[] = [];
    const mirror = new Mirror(ORIGIN, person.token, async (url, init) => {
      const response = await send(new Request(url, init));
      const [next] = between;
      if (next?.after.test(url)) {
        between.shift();
        await next.run();
      }
      return response;
    });
    return { mirror, between };
  }

  async function expectSame(mirror: Mirror, person: Person) {
    while (await mirror.follow(0));
    const listed: [number, unknown][] = [];
    for (const isArchived of [false, true]) {
      for (let offset = 0, more = true; more; offset += 100) {
        const query = `scope=all&isArchived=${isArchived}&limit=100&offset=${offset}`;
        const { body } = await api(person.token).get(`/tasks?${query}`);
        for (const task of body.data) listed.push([task.id, task]);
        more = body.meta.hasMore;
      }
    }
    expect([...mirror.tasks].toSorted(([one], [other]) => one - other)).toEqual(
      listed.toSorted(([one], [other]) => one - other),
    );
  }

  it("stays correct when a client is assigned a task in a project they can't see", async () => {
    const { people, projects } = await createWorld();
    const { id } = await createTask(people.owner, projects.other.id, { name: 'Yours now', priority: 'high' });
    const { mirror } = await openMirror(people.client);
    await mirror.start();
    expect(mirror.tasks.has(id)).toBe(false);
    await api(people.owner.token).patch(`/tasks/${id}`, { assigneeId: people.client.userId });
    await expectSame(mirror, people.client);
    expect(mirror.tasks.get(id)).toMatchObject({ name: 'Yours now', priority: 'high' });
  });

  it('stays correct when tasks are archived while the list is being read', async () => {
    const { people, projects } = await createWorld();
    const tasks = Array.from({ length: 60 }, (_, n) => ({
      projectId: projects.joined.id,
      name: `Task ${n}`,
    }));
    const ids: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      const { body } = await api(people.lead.token).post('/tasks/bulk', { tasks });
      ids.push(...body.data.map(({ task }: { task: { id: number } }) => task.id));
    }
    const { mirror, between } = await openMirror(people.owner);
    // These tasks are on the first page. With paging by offset, archiving them would skip 50 tasks on the second page.
    const newest = ids.toReversed().slice(0, 50);
    between.push({
      after: /isArchived=false/,
      run: () => api(people.lead.token).post('/tasks/bulk/archive', { ids: newest }),
    });
    await mirror.start();
    expect(between).toEqual([]);
    expect(mirror.tasks.size).toBe(240);
    await expectSame(mirror, people.owner);
  });

  it('stays correct when a task is restored while the lists of active and archived tasks are being read', async () => {
    const { people, projects } = await createWorld();
    const { id } = await createTask(people.lead, projects.joined.id, { name: 'Back again' });
    await api(people.lead.token).post(`/tasks/${id}/archive`);
    const { mirror, between } = await openMirror(people.owner);
    between.push({
      after: /isArchived=false/,
      run: () => api(people.lead.token).post(`/tasks/${id}/unarchive`),
    });
    await mirror.start();
    expect([between.length, mirror.tasks.has(id)]).toEqual([0, false]);
    await expectSame(mirror, people.owner);
    expect(mirror.tasks.get(id)).toMatchObject({ name: 'Back again', isArchived: false });
  });

  it('stays correct when the person who reads the events joins or leaves a project, or gets another role', async () => {
    const world = await createWorld();
    const { owner, client } = world.people;
    const { other } = world.projects;
    const { id } = await createTask(owner, other.id);
    const followed = await createTask(owner, other.id, { assigneeId: client.userId });
    const { mirror } = await openMirror(client);
    await mirror.start();
    const runOwnerForm = (operation: AnyOperation, input: Record<string, unknown>) =>
      runForm(owner.token, operation, input);
    await runOwnerForm(addProjectMembers, { id: other.id, userIds: [client.userId] });
    await expectSame(mirror, client);
    expect(mirror.tasks.has(id)).toBe(true);
    await runOwnerForm(removeProjectMember, { id: other.id, userId: client.userId });
    await expectSame(mirror, client);
    expect([mirror.tasks.has(id), mirror.tasks.has(followed.id)]).toEqual([false, true]);
    await runOwnerForm(changeRole, { userId: client.userId, role: 'member' });
    await expectSame(mirror, client);
    expect(mirror.tasks.has(id)).toBe(true);
  });

  it('stays correct when a project is renamed or deleted', async () => {
    const world = await createWorld();
    const { owner, member } = world.people;
    const { joined, other } = world.projects;
    for (const project of [joined, other]) await createTask(owner, project.id, { assigneeId: member.userId });
    const { mirror } = await openMirror(owner);
    await mirror.start();
    await runForm(owner.token, updateProject, { id: joined.id, name: 'Renamed' });
    await expectSame(mirror, owner);
    await runForm(owner.token, deleteProject, { id: other.id, name: 'Other' });
    await expectSame(mirror, owner);
    expect(mirror.tasks.size).toBe(1);
  });
});
