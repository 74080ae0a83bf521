import { expect, it } from 'vitest';
import { Mirror, type Task } from '../../docs/examples/mirror.ts';
import { api, ORIGIN, send } from '../support/api.ts';
import { seeded } from '../support/random.ts';
import { createTask, createWorld, type Person } from '../support/world.ts';

const WRITERS = 12;
const WRITES = 25;

it('a copy that follows the events alone equals the lists, field by field, after 12 people wrote at once', async () => {
  const world = await createWorld();
  const { owner, admin, lead, member } = world.people;
  const staff = [owner, admin, lead, member];
  const random = seeded(20_261_122);
  const ids: number[] = [];
  const mirror = new Mirror(ORIGIN, owner.token, (url, init) => send(new Request(url, init)));
  for (let made = 0; made < 5; made += 1) ids.push((await createTask(lead, world.projects.joined.id)).id);
  await mirror.start();

  const write = async (person: Person) => {
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
      for (let done = 0; done < WRITES; done += 1) await write(staff[index % staff.length] as Person);
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
      for (const task of body.data) listed.set(task.id, withoutJoins(task));
      more = body.meta.hasMore;
    }
  }
  expect(listed.size).toBeGreaterThan(20);
  const copied = [...mirror.tasks].map(([id, task]) => [id, withoutJoins(task)] as const);
  expect(new Map(copied.toSorted(([one], [other]) => one - other))).toEqual(
    new Map([...listed].toSorted(([one], [other]) => one - other)),
  );
});

/** Names of projects and addresses of people are theirs, and told by their own lists. */
function withoutJoins(task: Task) {
  const { project, assignee, ...fields } = task;
  return { ...fields, project: project.id, assignee: assignee && { id: assignee.id, name: assignee.name } };
}
