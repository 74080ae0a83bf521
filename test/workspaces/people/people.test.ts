// This file is long because role changes and removals are tested with the same workspace and roles.
import { beforeAll, describe, expect, it } from 'vitest';
import { changeRole, handOverWorkspace } from '../../../src/workspaces/people/change-role.ts';
import { finishDepartures } from '../../../src/workspaces/people/departures.ts';
import { leaveWorkspace, removePerson } from '../../../src/workspaces/people/remove-person.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import {
  BATCH_STEP,
  BATCHES_MAX,
  createFaultyD1,
  failNthBatch,
  testedFaults,
} from '../../suites/faults/faulty-d1.ts';
import { api, meteredEnv } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { runCron } from '../../support/cron.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { openScope } from '../../support/scope.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import {
  addPerson,
  createApiKey,
  createProject,
  createTask,
  createWorld,
  type Person,
  type World,
} from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const roles = ['owner', 'admin', 'lead', 'member', 'client'] as const;
const readRole = async ({ userId }: Person) =>
  (await api(world.people.owner.token).get(`/users/${userId}`)).body.role as string | undefined;

describe.each(roles)('a person with the role %s', (role) => {
  const getPerson = () => world.people[role];
  const rank = roles.indexOf(role);
  const isManager = rank <= 1;

  it("can change other people's roles only if their own role allows it", async () => {
    for (const given of roles.slice(1)) {
      for (const to of roles) {
        const person = await addPerson(world, 'colleague', given);
        const before = await readAllContents();
        const { status } = await runForm(getPerson().token, changeRole, { userId: person.userId, role: to });
        const may = isManager && roles.indexOf(given) >= rank && to !== 'owner';
        const rejected = isManager && to === 'owner' ? 400 : 403;
        expect([given, to, status]).toEqual([given, to, may ? 200 : rejected]);
        if (!may) expect(await readAllContents()).toEqual(before);
        else expect((await api(person.token).get('/me')).body.role).toBe(to);
      }
    }
    const owner = await runForm(getPerson().token, changeRole, {
      userId: world.people.owner.userId,
      role: 'member',
    });
    expect(owner.status).toBe(403);
  });

  it('can remove people and transfer the workspace only if their own role allows it', async () => {
    for (const given of roles) {
      const person = given === 'owner' ? world.people.owner : await addPerson(world, 'leaver', given);
      if (person === getPerson()) continue;
      const before = await readAllContents();
      const { status } = await runForm(getPerson().token, removePerson, { userId: person.userId });
      const may = isManager && given !== 'owner';
      expect([given, status]).toEqual([given, may ? 200 : 403]);
      if (!may) expect(await readAllContents()).toEqual(before);
      else expect((await api(person.token).get('/me')).status).toBe(401);
    }
    const heir = await addPerson(world, 'heir', 'member');
    if (role === 'owner') return;
    const before = await readAllContents();
    expect((await runForm(getPerson().token, handOverWorkspace, { userId: heir.userId })).status).toBe(403);
    expect(await readAllContents()).toEqual(before);
  });

  it('gets 404 for changes to people in another workspace', async () => {
    const stranger = (await createWorld()).people.member;
    const before = await readAllContents();
    for (const [operation, input] of [
      [changeRole, { role: 'lead' }],
      [removePerson, {}],
      [handOverWorkspace, {}],
    ] as const) {
      const found = await runForm(getPerson().token, operation, { userId: stranger.userId, ...input });
      const missing = await runForm(getPerson().token, operation, { userId: 'usr_none', ...input });
      expect([found.status, JSON.stringify(found.body).replace(stranger.userId, 'usr_none')]).toEqual([
        404,
        JSON.stringify(missing.body),
      ]);
    }
    expect(await readAllContents()).toEqual(before);
  });
});

it("projects that a member hasn't joined are hidden once the member becomes a client, even if the member follows tasks in them", async () => {
  const { owner } = world.people;
  const person = await addPerson(world, 'outsider', 'member');
  const [elsewhere, joined] = [
    await createProject(world, { owner, name: 'Salaries' }),
    await createProject(world, { owner, members: [person], name: 'Website' }),
  ];
  const followed = await createTask(person, elsewhere.id);
  const assigned = await createTask(owner, elsewhere.id, { assigneeId: person.userId });
  const inside = await createTask(person, joined.id);
  const mine = api(person.token);
  expect((await mine.get('/tasks?scope=mine')).body.meta.total).toBe(3);
  expect((await runForm(owner.token, changeRole, { userId: person.userId, role: 'client' })).status).toBe(
    200,
  );
  const listed = (await mine.get('/tasks?scope=all')).body;
  expect([listed.meta.total, listed.data.map(({ id }: { id: number }) => id)]).toEqual([
    2,
    [inside.id, assigned.id],
  ]);
  expect((await mine.get(`/tasks/${followed.id}`)).status).toBe(404);
  expect((await api(owner.token).get(`/tasks/${followed.id}`)).body.followers).toEqual([]);
  expect(await findInconsistencies()).toEqual([]);
});

it('a workspace is transferred to only one person if two transfers run in parallel', async () => {
  const { people, no } = await createWorld();
  const { owner, admin, lead, client } = people;
  expect((await runForm(owner.token, handOverWorkspace, { userId: client.userId })).status).toBe(400);
  const both = await Promise.all([
    runForm(owner.token, handOverWorkspace, { userId: admin.userId }),
    runForm(owner.token, handOverWorkspace, { userId: lead.userId }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
  const { results } = await getCell(0)
    .prepare("SELECT user_id FROM members WHERE ws = ? AND role = 'owner'")
    .bind(no)
    .all();
  expect(results).toHaveLength(1);
  expect((await api(owner.token).get('/me')).body.role).toBe('admin');
});

/** Adds a person with open, completed and archived tasks, a project, a key, a webhook and a running timer. */
async function addBusyPerson(of: World, role: 'member' | 'lead' = 'member', tasks = 3) {
  const { lead } = of.people;
  const person = await addPerson(of, 'leaver', role);
  const project = await createProject(of, { name: 'Led', owner: person, members: [lead] });
  const open: number[] = [];
  for (let made = 0; made < tasks; made += 1) {
    open.push((await createTask(lead, of.projects.joined.id, { assigneeId: person.userId })).id);
  }
  const done = await createTask(lead, of.projects.joined.id, {
    assigneeId: person.userId,
    status: 'completed',
  });
  const archived = await createTask(lead, of.projects.joined.id, { assigneeId: person.userId });
  await api(lead.token).post(`/tasks/${archived.id}/archive`);
  await api(person.token).post('/timer/start', { taskId: open[0] as number });
  await api(person.token).post('/webhooks', { url: 'https://hooks.example.com/' });
  return { person, project, open, done: done.id, archived: archived.id, key: await createApiKey(person) };
}

const readAssignee = async (token: string, id: number) =>
  (await api(token).get(`/tasks/${id}`)).body.assignee?.id;

it.each([null, 'admin'] as const)(
  'removing a person reassigns or unassigns their open tasks, and records that in the history (successor: %s)',
  async (to) => {
    const own = await createWorld();
    const { owner, admin } = own.people;
    const { person, project, open, done, archived, key } = await addBusyPerson(own);
    const heirId = to === null ? null : admin.userId;
    expect((await runForm(owner.token, removePerson, { userId: person.userId, heirId })).status).toBe(200);
    for (const token of [person.token, key]) expect((await api(token).get('/me')).status).toBe(401);
    for (const id of open) {
      expect(await readAssignee(owner.token, id)).toBe(heirId ?? undefined);
      const history = (await api(owner.token).get(`/tasks/${id}/activities`)).body.data;
      expect(history.at(0)).toMatchObject({
        type: 'assignee_changed',
        from: person.userId,
        to: heirId,
        actor: { id: owner.userId },
      });
    }
    for (const id of [done, archived]) expect(await readAssignee(owner.token, id)).toBe(person.userId);
    const led = (await api(owner.token).get(`/projects/${project.id}`)).body;
    expect(led.owner.id).toBe(heirId ?? owner.userId);
    const running = await getCell(0)
      .prepare('SELECT count(*) AS n FROM time_entries WHERE member = ? AND ended_at IS NULL')
      .bind(person.member)
      .first('n');
    expect(running).toBe(0);
    const hooks = await getCell(0)
      .prepare('SELECT status, stop_reason FROM webhooks WHERE member = ?')
      .bind(person.member)
      .all();
    expect(hooks.results).toEqual([{ status: 'stopped', stop_reason: 'access_ended' }]);
    expect(await findCounterDrift(own)).toEqual([]);
    expect(await findInconsistencies()).toEqual([]);
  },
);

it('removing a person reassigns more tasks than fit in one batch, and continues after a crash', async () => {
  const own = await createWorld();
  const { owner } = own.people;
  const { person } = await addBusyPerson(own, 'member', 0);
  const db = getCell(0);
  const [first] = [await createTask(owner, own.projects.joined.id, { assigneeId: person.userId })];
  const more = 230;
  for (let made = 0; made < more; made += 1) {
    await api(owner.token).post('/tasks', {
      projectId: own.projects.joined.id,
      name: `T${made}`,
      assigneeId: person.userId,
    });
  }
  const countRemainingTasks = () =>
    db
      .prepare('SELECT count(*) AS n FROM tasks WHERE assignee = ? AND bucket < 12')
      .bind(person.member)
      .first<number>('n');
  expect(await countRemainingTasks()).toBe(more + 1);
  // The work after the response fails, as if the isolate had crashed.
  const faulty = createFaultyD1(meteredEnv.CELL_0, (batch) =>
    batch > 4 ? 'lost before it runs' : undefined,
  );
  expect(
    (await runForm(owner.token, removePerson, { userId: person.userId }, { CELL_0: faulty.d1 })).status,
  ).toBe(200);
  expect(await countRemainingTasks()).toBe(more + 1 - 100);
  expect((await api(person.token).get('/me')).status).toBe(401);
  await finishDepartures.run(openScope(), 0, { left: 41 });
  expect(await countRemainingTasks()).toBe(more + 1 - 200);
  await Promise.all([1, 2].map(() => finishDepartures.run(openScope(), 0, { left: 400 })));
  expect(await countRemainingTasks()).toBe(0);
  expect(await db.prepare('SELECT count(*) AS n FROM departures WHERE ws = ?').bind(own.no).first('n')).toBe(
    0,
  );
  expect(await readAssignee(owner.token, first.id)).toBeUndefined();
  await runCron('* * * * *');
  expect(await findCounterDrift(own)).toEqual([]);
  expect(await findInconsistencies()).toEqual([]);
});

it('everyone except the only owner can leave a workspace', async () => {
  const own = await createWorld();
  const { owner } = own.people;
  const before = await readAllContents();
  expect((await runForm(owner.token, leaveWorkspace, {})).status).toBe(400);
  expect(await readAllContents()).toEqual(before);
  const { person, open, project } = await addBusyPerson(own, 'lead');
  expect((await runForm(person.token, leaveWorkspace, {})).status).toBe(200);
  expect((await api(person.token).get('/me')).status).toBe(401);
  expect(await readAssignee(owner.token, open[0] as number)).toBeUndefined();
  expect((await api(owner.token).get(`/projects/${project.id}`)).body.owner.id).toBe(owner.userId);
  const second = await addPerson(own, 'second', 'owner');
  const both = await Promise.all([
    runForm(owner.token, leaveWorkspace, {}),
    runForm(second.token, leaveWorkspace, {}),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  expect(await findInconsistencies()).toEqual([]);
});

it("a successor is rejected if they aren't a member, or are the person being removed", async () => {
  const { owner, member } = world.people;
  const stranger = (await createWorld()).people.lead;
  const before = await readAllContents();
  for (const heirId of [stranger.userId, 'usr_none', member.userId]) {
    expect((await runForm(owner.token, removePerson, { userId: member.userId, heirId })).status).toBe(400);
  }
  expect((await runForm(owner.token, removePerson, { userId: owner.userId })).status).toBe(400);
  expect(await readAllContents()).toEqual(before);
});

it.each(testedFaults)(
  'removing a person updates both the cell and the directory, or neither, if a database batch fails (fault: %s)',
  async (fault) => {
    const own = await createWorld();
    const { owner } = own.people;
    let injected = 0;
    for (const database of ['CELL_0', 'DIRECTORY'] as const) {
      for (let batch = 1; batch <= BATCHES_MAX; batch += BATCH_STEP) {
        const person = await addPerson(own, 'leaver', 'member');
        const task = await createTask(owner, own.projects.joined.id, { assigneeId: person.userId });
        const faulty = createFaultyD1(meteredEnv[database], failNthBatch(batch, fault));
        const answer = await runForm(
          owner.token,
          removePerson,
          { userId: person.userId },
          { [database]: faulty.d1 },
        ).catch(() => null);
        const isOut = (await api(person.token).get('/me')).status === 401;
        expect(isOut).toBe(answer?.status === 200 || faulty.hasCommitted);
        expect(await readAssignee(owner.token, task.id)).toBe(isOut ? undefined : person.userId);
        await runCron('* * * * *');
        expect(await findInconsistencies(), `${database} ${batch}`).toEqual([]);
        if (faulty.failed === 0) break;
        injected += 1;
      }
    }
    expect(injected * BATCH_STEP).toBeGreaterThanOrEqual(5);
  },
);

it("a person who leads a project can't be made a client", async () => {
  const { owner, lead } = world.people;
  expect((await runForm(owner.token, changeRole, { userId: lead.userId, role: 'client' })).status).toBe(400);
  expect(await readRole(lead)).toBe('lead');
});
