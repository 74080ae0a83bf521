import { beforeAll, expect, it } from 'vitest';
import { isTimeZone } from '../../../src/kernel/dates/time-zone.ts';
import { CostMeter } from '../../../src/kernel/sql/cost.ts';
import { Database } from '../../../src/kernel/sql/database.ts';
import { getWorkspaceSettings, updateWorkspace } from '../../../src/workspaces/settings/change-workspace.ts';
import { deleteWorkspace } from '../../../src/workspaces/settings/delete-workspace.ts';
import { setPlan } from '../../../src/workspaces/settings/set-plan.ts';
import { proposeChange } from '../../change-sets/propose.ts';
import { callTool } from '../../mcp/client.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import {
  BATCH_STEP,
  BATCHES_MAX,
  createFaultyD1,
  failNthBatch,
  testedFaults,
} from '../../suites/faults/faulty-d1.ts';
import { api, meteredEnv } from '../../support/api.ts';
import { runCron } from '../../support/cron.ts';
import { env, getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import {
  createApiKey,
  createMeeting,
  createTask,
  createWorkspace,
  createWorld,
  type World,
} from '../../support/world.ts';
import { createLeaverWorld } from '../directory/leaver-world.ts';

const roles = ['owner', 'admin', 'lead', 'member', 'client'] as const;
let world: World;
beforeAll(async () => {
  world = await createWorld();
});

it.each(roles)(
  'only owners and admins can change a workspace, and only its owner can delete it by entering its name (role: %s)',
  async (role) => {
    const { token } = world.people[role];
    const isAdmin = role === 'owner' || role === 'admin';
    const settings = (await runForm(token, getWorkspaceSettings, {})).body;
    expect(settings).toMatchObject({ id: world.id, mayChange: isAdmin, isOwner: role === 'owner' });
    const before = await readAllContents();
    const name = `Renamed by ${role}`;
    const changed = await runForm(token, updateWorkspace, {
      name,
      timezone: 'Asia/Tokyo',
      dailyCapacityHours: 7.5,
    });
    expect(changed.status).toBe(isAdmin ? 200 : 403);
    if (!isAdmin) expect(await readAllContents()).toEqual(before);
    else expect((await api(token).get('/me')).body.workspace.name).toBe(name);
    const now = await readAllContents();
    const deleted = await runForm(token, deleteWorkspace, { name: 'Something else' });
    expect(deleted.status).toBe(role === 'owner' ? 400 : 403);
    expect(await readAllContents()).toEqual(now);
  },
);

const invalidTimezones = [
  'Mars/Olympus',
  '+05:00',
  '-0330',
  'Factory',
  'GMT+5',
  'EST',
  'CET',
  'Zulu',
  'Etc/Unknown',
  'europe/vienna',
  'Europe',
  '',
];

it.each([
  'UTC',
  'Europe/Vienna',
  'America/Argentina/Buenos_Aires',
  'Asia/Calcutta',
  'Asia/Kolkata',
  'Etc/GMT-3',
  'US/Eastern',
])('a workspace can use the time zone %s', async (timezone) => {
  const { token } = world.people.owner;
  expect((await runForm(token, updateWorkspace, { timezone })).status).toBe(200);
  expect((await runForm(token, getWorkspaceSettings, {})).body.timezone).toBe(timezone);
});

it('every time zone that the settings page offers is valid', () => {
  expect(Intl.supportedValuesOf('timeZone').filter((each) => !isTimeZone(each))).toEqual([]);
});

it('invalid workspace settings are rejected and change nothing', async () => {
  const { token } = world.people.owner;
  const before = await readAllContents();
  for (const wrong of [
    { name: ' ' },
    ...invalidTimezones.map((timezone) => ({ timezone })),
    { dailyCapacityHours: 0 },
    { dailyCapacityHours: 25 },
  ]) {
    expect((await runForm(token, updateWorkspace, wrong)).status).toBe(400);
  }
  expect(await readAllContents()).toEqual(before);
});

it("a new time zone moves the next occurrences of the workspace's meetings", async () => {
  const own = await createWorld();
  const { owner, lead } = own.people;
  const { id } = await createMeeting(lead, own.projects.joined.id, {
    recurrence: 'FREQ=DAILY',
    date: '2030-06-01',
    time: '10:00',
  });
  const readDueTime = async () =>
    getCell(0).prepare('SELECT due_at FROM meetings WHERE id = ?').bind(id).first<number>('due_at');
  expect(await readDueTime()).toBe(Date.parse('2030-06-01T10:00:00Z'));
  await runForm(owner.token, updateWorkspace, { timezone: 'Europe/Vienna' });
  expect(await readDueTime()).toBe(Date.parse('2030-06-01T08:00:00Z'));
});

it('a deleted workspace disappears for everyone immediately, and later from the database', async () => {
  const stay = await createLeaverWorld();
  const { people, id, no } = stay.world;
  const key = await createApiKey(people.owner);
  const name = `Doomed ${no}`;
  await runForm(people.owner.token, updateWorkspace, { name });
  for (const person of Object.values(people))
    await createTask(person, stay.world.projects.joined.id, { name: 'Zyzzyva' });
  const proposed = await proposeChange(stay.world, people.owner);
  await callTool(proposed.token, 'begin_changes', { title: 'Open' });
  await callTool(proposed.token, 'update_task', { updates: [{ id: proposed.task, name: 'Zyzzyva' }] });
  expect((await runForm(people.owner.token, deleteWorkspace, { name })).status).toBe(200);
  for (const { token } of Object.values(people)) expect((await api(token).get('/me')).status).toBe(401);
  expect((await api(key).get('/me')).status).toBe(401);
  const elsewhere = (await api(stay.there.token).get('/workspaces')).body.data;
  expect(elsewhere.map((each: { id: string }) => each.id)).not.toContain(id);
  expect(await findInconsistencies()).toEqual([]);
  // The newest task can't be deleted, so another workspace creates a newer task.
  await createTask(world.people.owner, world.projects.other.id);
  for (let minutes = 0; minutes < 6; minutes += 1) {
    await runCron('* * * * *');
    expect(await findInconsistencies()).toEqual([]);
  }
  const left = await getCell(0).prepare('SELECT count(*) AS n FROM workspace_deletions').first('n');
  expect(left).toBe(0);
  const rows = await readAllContents([
    'idempotency_keys',
    'uploads',
    'notifications',
    'objects_to_delete',
    'storage',
  ]);
  const holding = Object.entries(rows).flatMap(([table, each]) =>
    table.startsWith('cell 0') &&
    each.some((row) => new RegExp(`\\bws=${no}(,|$)`).test(row) || row.includes('Zyzzyva'))
      ? [table]
      : [],
  );
  expect(holding.sort()).toEqual(['cell 0.events', 'cell 0.members']);
  expect(JSON.stringify(rows)).not.toContain(name);
});

it.each(testedFaults)(
  'a workspace is deleted for everyone or for no one if a database batch fails (fault: %s)',
  async (fault) => {
    let injected = 0;
    for (const database of ['CELL_0', 'DIRECTORY'] as const) {
      for (let batch = 1; batch <= BATCHES_MAX; batch += BATCH_STEP) {
        const own = await createWorkspace();
        const { owner, client } = own.people;
        const { name } = (await runForm(owner.token, getWorkspaceSettings, {})).body;
        const faulty = createFaultyD1(meteredEnv[database], failNthBatch(batch, fault));
        const answer = await runForm(owner.token, deleteWorkspace, { name }, { [database]: faulty.d1 }).catch(
          () => null,
        );
        const isGone = (await api(owner.token).get('/me')).status === 401;
        expect((await api(client.token).get('/me')).status === 401).toBe(isGone);
        if (answer?.status === 200) expect(isGone).toBe(true);
        await runCron('* * * * *');
        expect(await findInconsistencies(), `${database} ${batch}`).toEqual([]);
        if (faulty.failed === 0) break;
        injected += 1;
      }
    }
    expect(injected * BATCH_STEP).toBeGreaterThanOrEqual(10);
  },
);

it('an operator can change the plan of a workspace, effective immediately', async () => {
  const { id, people } = await createWorkspace({ plan: 'free', cell: 1 });
  const cells = new Map([0, 1].map((no) => [no, new Database(getCell(no as 0 | 1), new CostMeter())]));
  const databases = { directory: new Database(env.DIRECTORY, new CostMeter()), cells };
  expect((await api(people.owner.token).get('/me')).body.workspace.plan).toBe('free');
  expect(await setPlan(databases, id, 'pro')).toBe('free');
  expect((await api(people.owner.token).get('/me')).body.workspace.plan).toBe('pro');
  expect(await setPlan(databases, id, 'pro')).toBe('pro');
  expect(await setPlan(databases, 'ws_none', 'pro')).toBeNull();
});
