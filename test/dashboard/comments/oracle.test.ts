import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Role } from '../../../src/kernel/access/roles.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createRandom } from '../../support/random.ts';
import {
  createApiKey,
  createProject,
  createTask,
  createTeam,
  createWorkspace,
  type Person,
  type Workspace,
} from '../../support/world.ts';
import type { Member, Query } from '../model.ts';
import { type CommentModel, computeComments, readCommentModel } from './model.ts';

const TIMEZONE = 'America/New_York';
const START = Date.parse('2026-01-26T03:00:00Z');
const HOUR_MS = 3_600_000;
const STEPS = 80;
const CALLERS = 4;
const FILTER_COMBINATIONS = 300;
const random = createRandom(9_119);

const words = [
  'Ärger',
  'ärgere',
  'needle in hay',
  'aaaa aaab',
  '10%_',
  'x',
  '🚀 up',
  'ÉCOLE',
  'say "no"',
  "it's",
];
const searches = [
  'a',
  'aa',
  'aaa',
  'aaaa',
  'aaab',
  'needle',
  'ÄR',
  'ä',
  '%',
  '🚀',
  '"',
  "t's",
  'zz',
  'le in h',
  'q',
];

describe('the dashboard comments after parallel changes to comments and tasks', () => {
  let world: Workspace<string>;
  let people: Person[];
  let keys: string[];
  let model: CommentModel;
  const taskIds: number[] = [];
  const teamIds: number[] = [];
  const projects: number[] = [];

  beforeAll(async () => {
    const roles: Role[] = ['owner', 'admin', 'lead', 'lead', 'client'];
    const members = Object.fromEntries(
      Array.from({ length: 12 }, (_, index): [string, Role] => [`person${index}`, roles[index] ?? 'member']),
    );
    world = await createWorkspace<string>({ cell: 1, members });
    people = Object.values(world.people);
    await getCell(1)
      .prepare('UPDATE workspaces SET timezone = ? WHERE no = ?')
      .bind(TIMEZONE, world.no)
      .run();
    const pickSome = (count: number) => people.filter(() => random.chance(count / people.length));
    for (const status of ['active', 'active', 'planned', 'completed', 'active']) {
      const owner = random.pick(people);
      const joined = pickSome(3).filter((person) => person !== owner);
      projects.push((await createProject(world, { owner, members: joined, status })).id);
    }
    for (const parent of [-1, 0, -1]) {
      const [lead, ...rest] = [people[2 + (teamIds.length % 2)] as Person, ...pickSome(3)];
      teamIds.push(
        await createTeam(world, {
          lead,
          members: rest.filter((person) => person !== lead),
          ...(parent >= 0 && { parent: teamIds[parent] as number }),
        }),
      );
    }
    const [creator] = people as [Person];
    for (let made = 0; made < 30; made += 1) {
      const assignee = random.pick([null, ...people]);
      const task = await createTask(creator, random.pick(projects), {
        ...(assignee && { assigneeId: assignee.userId }),
      });
      taskIds.push(task.id);
    }
    // Uses API keys, because sessions would expire within the simulated six weeks.
    keys = await Promise.all([0, 0, 1, 1].map((who) => createApiKey(people[who] as Person)));
    await createComments();
    model = await readCommentModel(world, TIMEZONE);
  });

  afterAll(() => {
    vi.useRealTimers();
  });

  /**
   * In each round, four requests change one or two tasks at once, so that they collide. The clock advances by 13 hours
   * between rounds.
   */
  async function createComments() {
    const statuses = new Set<number>();
    for (let step = 0; step < STEPS; step += 1) {
      vi.useFakeTimers({ toFake: ['Date'], now: START + step * 13 * HOUR_MS });
      const shared = [random.pick(taskIds), random.pick(taskIds)];
      const all = Array.from({ length: CALLERS }, (_, index) =>
        runAction(keys[index] as string, random.pick(shared)),
      );
      for (const status of await Promise.all(all)) statuses.add(status);
    }
    vi.useRealTimers();
    // Some requests are rejected, because the comment is deleted or someone else's, or the task is archived.
    expect([...statuses].filter((status) => ![200, 201, 400, 403, 404].includes(status))).toEqual([]);
    expect(statuses.has(200) && statuses.has(201) && statuses.has(404)).toBe(true);
  }

  async function runAction(key: string, id: number): Promise<number> {
    const me = api(key);
    const content = `${random.pick(words)} ${random.pick(words)}`;
    const dice = random.integer(1, 100);
    if (dice <= 45) return (await me.post(`/tasks/${id}/comments`, { content })).status;
    if (dice <= 65) {
      const { body } = await me.get(`/tasks/${id}/comments`);
      const some = body.data.length > 0 ? (random.pick(body.data) as { id: number }).id : 900_000_000;
      const path = `/tasks/${id}/comments/${some}`;
      return (dice <= 55 ? await me.patch(path, { content }) : await me.delete(path)).status;
    }
    if (dice <= 80) {
      const assigneeId = random.pick([null, ...people.map((person) => person.userId)]);
      return (await me.patch(`/tasks/${id}`, { assigneeId })).status;
    }
    if (dice <= 90)
      return (await me.patch(`/tasks/${id}`, { status: random.pick(['todo', 'completed']) })).status;
    return (await me.post(`/tasks/${id}/${random.pick(['archive', 'unarchive', 'unarchive'])}`)).status;
  }

  function createRandomQuery(): Omit<Query, 'localDate'> {
    const query: Omit<Query, 'localDate'> = {};
    const pickDay = () => new Date(START + random.integer(-5, 48) * 24 * HOUR_MS).toISOString().slice(0, 10);
    if (random.chance(0.3)) query.search = random.pick(searches);
    if (random.chance(0.3)) query.from = pickDay();
    if (random.chance(0.3)) query.to = random.chance(0.3) && query.from ? query.from : pickDay();
    if (random.chance(0.2)) query.teamId = [random.pick(teamIds), random.pick(teamIds)];
    if (random.chance(0.3))
      query.assigneeId = [random.pick(people), random.pick(people)].map((person) => person.userId);
    if (random.chance(0.2)) query.projectId = random.pick(projects);
    if (random.chance(0.2)) query.projectStatus = random.pick(['active', 'planned', 'nonsense']);
    return query;
  }

  it('match every counter, copied field and index, and are ordered by creation time', async () => {
    expect(await findInconsistencies([1])).toEqual([]);
    expect(model.comments.length).toBeGreaterThan(50);
    const drift = model.comments.filter(
      (each, index) => index > 0 && each.created_at < (model.comments[index - 1]?.created_at ?? 0),
    );
    expect(drift).toEqual([]);
  });

  it(`match the raw rows for ${FILTER_COMBINATIONS} random callers, filters and pages`, async () => {
    for (let round = 0; round < FILTER_COMBINATIONS; round += 1) {
      const caller = random.pick(people);
      const query = createRandomQuery();
      const [limit, offset] = [random.integer(1, 30), random.chance(0.5) ? 0 : random.integer(0, 20)];
      const named = Object.entries({ ...query, limit }).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]);
      const path = `/dashboard/comments?${new URLSearchParams(named)}`;
      const expected = computeComments(
        model,
        model.members.find((each) => each.no === caller.member) as Member,
        query,
      );
      const first = await api(caller.token).get(`${path}&offset=${offset}`);
      const readIds = ({ body }: typeof first) => body.data.map((each: { id: number }) => each.id);
      const note = `${caller.role} ${JSON.stringify(query)} ${limit} ${offset}`;
      expect([first.body.meta.total, readIds(first)], note).toEqual([
        expected.length,
        expected.slice(offset, offset + limit),
      ]);
      const cursor = /cursor=([^&>]+)/.exec(first.headers.get('Link') ?? '')?.[1];
      expect(cursor !== undefined, note).toBe(expected.length > offset + limit);
      if (cursor === undefined) continue;
      const next = await api(caller.token).get(`${path}&cursor=${cursor}`);
      expect(readIds(next), note).toEqual(expected.slice(offset + limit, offset + 2 * limit));
    }
  });
});
