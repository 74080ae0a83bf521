import { expect, it } from 'vitest';
import { taskPriorities, taskStatuses } from '../../../src/tasks/model/tasks.schema.ts';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { createRandom } from '../../support/random.ts';
import { isLong } from '../../support/tier.ts';
import { createTask, createWorld, type Person, type World } from '../../support/world.ts';

const CHANGES = isLong ? 2_000 : 500;

it(`all counters equal a recount of the rows after ${CHANGES} random changes to tasks and comments in two cells`, async () => {
  const worlds = [await createWorld({ cell: 0 }), await createWorld({ cell: 1 })];
  const random = createRandom(7);
  const known = new Map<World, number[]>(worlds.map((world) => [world, []]));

  const runStep = async () => {
    const world = random.pick(worlds);
    const ids = known.get(world) ?? [];
    const people: Person[] = Object.values(world.people);
    const actor = random.pick([
      world.people.owner,
      world.people.admin,
      world.people.lead,
      world.people.member,
    ]);
    const me = api(actor.token);
    const assigneeId = random.pick([null, ...people.map((each) => each.userId)]);
    const roll = random.integer(0, 99);
    const deadline = random.pick([
      null,
      '2025-12-31',
      '2026-01-01',
      '2026-06-01',
      '2026-06-02',
      '2027-01-01',
    ]);
    if (ids.length < 5 || roll < 25) {
      const task = await createTask(actor, random.pick([world.projects.joined.id, world.projects.other.id]), {
        status: random.pick(taskStatuses),
        priority: random.pick(taskPriorities),
        assigneeId,
        deadline,
      });
      ids.push(task.id);
      return 201;
    }
    const id = random.pick(ids);
    if (roll < 70) {
      const body = {
        ...(random.chance(0.6) && { status: random.pick(taskStatuses) }),
        ...(random.chance(0.4) && { priority: random.pick(taskPriorities) }),
        ...(random.chance(0.4) && { assigneeId }),
        ...(random.chance(0.4) && { deadline }),
        ...(random.chance(0.3) && { parentId: random.pick([null, ...ids]) }),
      };
      return (await me.patch(`/tasks/${id}`, body)).status;
    }
    if (roll < 78) return (await me.post(`/tasks/${id}/archive`)).status;
    if (roll < 86) return (await me.post(`/tasks/${id}/unarchive`)).status;
    if (roll < 93) return (await me.post(`/tasks/${id}/comments`, { content: 'c' })).status;
    const copy = await me.post(`/tasks/${id}/duplicate${random.pick(['', '?include=subtasks'])}`);
    ids.push(copy.body.id);
    return copy.status;
  };

  const statuses = new Map<number, number>();
  // Four requests run at a time so that changes to the same task race.
  for (let done = 0; done < CHANGES; done += 4) {
    for (const status of await Promise.all([runStep(), runStep(), runStep(), runStep()])) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }
  expect([...statuses.keys()].sort()).toEqual([200, 201, 400]);
  for (const world of worlds) expect(await findCounterDrift(world)).toEqual([]);
});
