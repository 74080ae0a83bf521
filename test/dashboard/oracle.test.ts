import { beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../src/kernel/access/roles.ts';
import { taskPriorities, taskStatuses } from '../../src/tasks/model/tasks.schema.ts';
import { api } from '../support/api.ts';
import { findCounterDrift } from '../support/counters.ts';
import { moveCutoffs } from '../support/cutoffs.ts';
import { getCell } from '../support/env.ts';
import { createRandom } from '../support/random.ts';
import { isLong } from '../support/tier.ts';
import {
  createProject,
  createTask,
  createTeam,
  createWorkspace,
  type Person,
  type Workspace,
} from '../support/world.ts';
import {
  computeList,
  computeStats,
  computeWorkload,
  type Member,
  type Model,
  type Query,
  readModel,
} from './model.ts';

const COMBINATIONS = isLong ? 400 : 80;
const random = createRandom(4_242);

const shiftDate = (date: string, days: number) =>
  new Date(Date.parse(`${date}T12:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
const today = new Date().toISOString().slice(0, 10);

describe('the dashboard', () => {
  let world: Workspace<string>;
  let people: Person[];
  let model: Model;
  const teamIds: number[] = [];

  beforeAll(async () => {
    const roles: Role[] = ['owner', 'admin', 'lead', 'lead', 'lead', 'client', 'client', 'client'];
    const members = Object.fromEntries(
      Array.from({ length: 20 }, (_, index): [string, Role] => [`person${index}`, roles[index] ?? 'member']),
    );
    world = await createWorkspace<string>({ cell: 1, members });
    people = Object.values(world.people);
    const pickSome = (count: number) => people.filter(() => random.chance(count / people.length));
    const projects: number[] = [];
    for (const status of [
      'active',
      'active',
      'in-progress',
      'planned',
      'on-hold',
      'completed',
      'active',
      'in-progress',
    ]) {
      const owner = random.pick(people);
      const joined = pickSome(6).filter((person) => person !== owner);
      projects.push((await createProject(world, { owner, members: joined, status })).id);
    }
    for (const parent of [-1, 0, 1, -1, 3, -1]) {
      const [lead, ...rest] = pickSome(4);
      teamIds.push(
        await createTeam(world, {
          ...(lead && { lead }),
          members: rest,
          ...(parent >= 0 && { parent: teamIds[parent] as number }),
        }),
      );
    }
    const [creator] = people as [Person];
    await getCell(1)
      .prepare('UPDATE task_types SET default_estimated_hours = 1.25 WHERE id = ?')
      .bind(world.categories[0].typeId)
      .run();
    for (let made = 0; made < 520; made += 1) {
      const assignee = random.pick([null, ...people]);
      const category = random.pick([null, ...world.categories]);
      const task = await createTask(creator, random.pick(projects), {
        name: random.pick(['Alpha draft', 'beta', 'Gamma DRAFT', 'delta', 'äpfel', 'Zebra', '10 items']),
        status: random.pick(taskStatuses),
        priority: random.pick(taskPriorities),
        ...(random.chance(0.3) && { description: '<p>needle in hay</p>' }),
        ...(assignee && { assigneeId: assignee.userId }),
        ...(random.chance(0.85) && { deadline: shiftDate(today, random.integer(-25, 25)) }),
        ...(random.chance(0.4) && { customEstimatedHours: random.pick(['0.5', '3', '7.25']) }),
        ...(category && { categoryId: category.id, ...(random.chance(0.5) && { typeId: category.typeId }) }),
      });
      if (random.chance(0.1)) await api(creator.token).post(`/tasks/${task.id}/archive`);
      if (random.chance(0.1)) await api(creator.token).patch(`/tasks/${task.id}`, { status: 'completed' });
    }
    model = await readModel(world);
  });

  const findMember = (person: Person) => model.members.find((each) => each.no === person.member) as Member;

  function createRandomQuery(): Query {
    const query: Query = { localDate: random.chance(0.5) ? today : shiftDate(today, random.integer(-8, 8)) };
    if (random.chance(0.15)) query.search = random.pick(['draft', 'needle', 'p', 'be', 'zzz']);
    if (random.chance(0.2)) query.from = shiftDate(today, random.integer(-30, 20));
    if (random.chance(0.2)) query.to = shiftDate(today, random.integer(-20, 30));
    if (random.chance(0.25))
      query.teamId = [random.pick([...teamIds, 1])].concat(random.chance(0.3) ? [random.pick(teamIds)] : []);
    if (random.chance(0.25)) {
      query.assigneeId = [random.pick(people).userId].concat(
        random.chance(0.5) ? [random.pick(people).userId] : [],
      );
    }
    if (random.chance(0.05)) query.taskId = random.pick(model.tasks).id;
    if (random.chance(0.2)) query.projectId = random.pick(model.projects).id;
    if (random.chance(0.2))
      query.projectStatus = random.pick(['active', 'in-progress', 'completed', 'nonsense']);
    if (random.chance(0.25)) query.status = random.pick([...taskStatuses, 'in-progress', 'client-review']);
    return query;
  }

  const toSearch = (query: Partial<Query> & Record<string, unknown>) =>
    new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    );

  it(`returns the same stats as a recount of the raw rows for ${COMBINATIONS} random requests`, async () => {
    for (let round = 0; round < COMBINATIONS; round += 1) {
      if (round === COMBINATIONS / 4) await moveCutoffs(world, shiftDate(today, -10));
      if (round === COMBINATIONS / 2) await moveCutoffs(world, today);
      if (round === (3 * COMBINATIONS) / 4) await moveCutoffs(world, shiftDate(today, 6));
      const caller = random.pick(people);
      const query = createRandomQuery();
      const { body, cost, text } = await api(caller.token).get(`/dashboard/stats?${toSearch({ ...query })}`);
      expect(body, `${caller.role} ${JSON.stringify(query)} ${text}`).toEqual(
        computeStats(model, findMember(caller), query),
      );
      expect(cost.trips).toBeLessThanOrEqual(2);
    }
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it(`returns the same tasks as a plain loop over the raw rows for ${COMBINATIONS} random requests`, async () => {
    for (let round = 0; round < COMBINATIONS; round += 1) {
      const caller = random.pick(people);
      const query = { ...createRandomQuery(), sort: random.pick(['due', 'created', 'name', 'status']) };
      const [limit, offset] = [random.integer(1, 40), random.chance(0.5) ? 0 : random.integer(0, 60)];
      const { body } = await api(caller.token).get(
        `/dashboard/tasks?${toSearch({ ...query, limit, offset })}`,
      );
      const expected = computeList(model, findMember(caller), query);
      expect(
        [body.meta.total, body.data.map((task: { id: number }) => task.id)],
        `${caller.role} ${JSON.stringify(query)} ${limit} ${offset}`,
      ).toEqual([expected.length, expected.slice(offset, offset + limit)]);
    }
  });

  it(`returns the same workload as a recount of the raw rows for ${COMBINATIONS / 2} random requests`, async () => {
    for (let round = 0; round < COMBINATIONS / 2; round += 1) {
      const caller = random.pick(people);
      const { teamId, assigneeId, projectId, projectStatus } = createRandomQuery();
      const query = { teamId, assigneeId, projectId, projectStatus };
      const named = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
      const mode = random.pick(['daily', 'monthly']);
      const from = random.chance(0.5) ? shiftDate(today, random.integer(-15, 15)) : undefined;
      const to = from && random.chance(0.5) ? shiftDate(from, random.integer(0, 20)) : undefined;
      const { body } = await api(caller.token).get(
        `/dashboard/workload?${toSearch({ ...named, mode, ...(from && { from }), ...(to && { to }) })}`,
      );
      const month = { from: `${today.slice(0, 7)}-01`, to: getLastDayOfMonth(today) };
      const window = from
        ? { from, to: to ?? from }
        : mode === 'monthly'
          ? month
          : { from: today, to: today };
      const expected = computeWorkload(
        model,
        findMember(caller),
        { ...named, localDate: today },
        window,
        8 * countWeekdays(window),
      );
      expect([body.from, body.to]).toEqual([window.from, window.to]);
      const found = body.workloads.map((each: (typeof body.workloads)[number]) => ({
        id: each.user.id,
        capacityHours: each.capacityHours,
        plannedHours: each.plannedHours,
        utilization: each.utilization,
        activeTasks: each.activeTasks,
        breakdown: each.breakdown.map((row: { count: number; estimatedHours: number }) => [
          row.count,
          row.estimatedHours,
        ]),
      }));
      const compareIds = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id);
      expect(found.sort(compareIds), `${caller.role} ${JSON.stringify(named)}`).toEqual(
        expected.sort(compareIds),
      );
    }
  });
});

function getLastDayOfMonth(date: string): string {
  const [year = 0, month = 0] = date.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

function countWeekdays({ from, to }: { from: string; to: string }): number {
  let count = 0;
  for (let day = from; day <= to; day = shiftDate(day, 1)) {
    const weekday = new Date(`${day}T12:00:00Z`).getUTCDay();
    if (weekday !== 0 && weekday !== 6) count += 1;
  }
  return count;
}
