// This file is long because one table lists the tested forms and prepares the data for each.
import { expect, it } from 'vitest';
import { createSubscriptionFields } from '../../notifications/push/stored-subscription.ts';
import { readFormFields, TestBrowser } from '../../oauth/flow.ts';
import { createForm } from '../../sharing/share.ts';
import { api, meteredEnv } from '../../support/api.ts';
import { runCron as runTick } from '../../support/cron.ts';
import { getCell } from '../../support/env.ts';
import { createEmailAddress, readMailedToken } from '../../support/people.ts';
import { isLong, pickEveryNth } from '../../support/tier.ts';
import {
  addPerson,
  createProject,
  createTask,
  createWorld,
  type Person,
  type World,
} from '../../support/world.ts';
import { createProjectTemplate, createTemplate } from '../../templates/create-template.ts';
import { emptyDatabases, findInconsistencies } from './databases.ts';
import { BATCH_STEP, createFaultyD1, type Fault, failNthBatch } from './faulty-d1.ts';

const BATCHES_MAX = 30;
const TICKS_MAX = 20;
const faults: readonly Fault[] = isLong
  ? ['lost before it runs', 'lost after it ran']
  : ['lost after it ran'];

interface FilledForm {
  readonly browser: TestBrowser;
  readonly action: string;
  readonly fields: Record<string, string> | URLSearchParams;
}

let world: World;

/** Creates new data for each run, so that all runs are the same. */
type PrepareForm = (world: World) => Promise<FilledForm>;

async function fillForm(
  person: Pick<Person, 'userId'> | null,
  page: string,
  action: string,
  fields: Record<string, string> = {},
): Promise<FilledForm> {
  const browser = new TestBrowser();
  if (person) await browser.signInAs(person);
  const form = readFormFields(await (await browser.get(page)).text(), action);
  return { browser, action, fields: { once: crypto.randomUUID(), ...form, ...fields } };
}

const prepareWorkspaceForm =
  (
    path: string,
    fields: (world: World) => Promise<Record<string, string>> | Record<string, string> = () => ({}),
  ) =>
  async (world: World) => {
    const values = await fields(world);
    const filled = await fillForm(world.people.owner, '/sign-out', '/sign-out', values);
    return {
      ...filled,
      action: `/app/${world.id}${path.replace(/:(\w+)/, (_all, name) => values[name] ?? '')}`,
    };
  };

const addWorker = async (world: World) => {
  const person = await addPerson(world, 'worker', 'member');
  await createTask(person, world.projects.joined.id, { assigneeId: person.userId });
  return person;
};

async function archiveTasks({ people: { owner }, projects }: World, count: number) {
  const since = Date.now();
  const made = Array.from({ length: count }, () =>
    createTask(owner, projects.joined.id, { deadline: '2026-05-05', assigneeId: owner.userId }),
  );
  const ids = (await Promise.all(made)).map(({ id }) => id);
  expect((await api(owner.token).post('/tasks/bulk/archive', { ids })).status).toBe(200);
  return { ids: ids.join(','), since: String(since) };
}

/** Forms that write to several rows or several databases. */
const formCases: Record<string, PrepareForm> = {
  invite: prepareWorkspaceForm('/people/invitations', ({ projects }) => ({
    email: createEmailAddress(),
    role: 'member',
    projectIds: String(projects.joined.id),
  })),
  'save a template of a project': prepareWorkspaceForm('/projects/:id/template', ({ projects }) => ({
    id: String(projects.joined.id),
  })),
  'create a task from a template': prepareWorkspaceForm('/templates/:templateId/tasks', async (world) => ({
    templateId: String(await createTemplate(world.people.owner, world.projects.joined.id)),
    projectId: String(world.projects.joined.id),
  })),
  'create a project from a template': prepareWorkspaceForm(
    '/templates/:templateId/projects',
    async (world) => ({
      templateId: String(await createProjectTemplate(world)),
      name: 'From a template',
    }),
  ),
  'send an intake form': async (world) => {
    const { lead, member } = world.people;
    const { id } = await createProject(world, { owner: lead, members: [member] });
    const settings = { tag: 'Intake', assigneeId: member.userId };
    const path = new URL((await createForm(lead, id, settings)).address).pathname;
    return fillForm(null, path, path, { name: 'A request', description: 'Details' });
  },
  'accept an invitation': async (world) => {
    const { email, userId } = (await createWorld({ cell: 1 })).people.lead;
    await createInvitation(world, email);
    const link = `/invitation?token=${await readMailedToken(email, 'invitation')}`;
    return fillForm({ userId }, link, '/invitation');
  },
  'create another workspace': async (world) =>
    fillForm(await addPerson(world, 'founder', 'member'), '/account', '/account/workspaces', {
      name: 'Another',
    }),
  'change a name': async (world) =>
    fillForm(await addPerson(world, 'renamed', 'member'), '/account', '/account/name', { name: 'Renamed' }),
  'change a role': async (world) => {
    const { userId } = await addPerson(world, 'promoted', 'member');
    return prepareWorkspaceForm(`/people/${userId}/role`, () => ({ role: 'lead' }))(world);
  },
  'remove a person': async (world) =>
    prepareWorkspaceForm(`/people/${(await addWorker(world)).userId}/remove`)(world),
  leave: async (world) => {
    const filled = await fillForm(await addWorker(world), '/sign-out', '/sign-out');
    return { ...filled, action: `/app/${world.id}/leave` };
  },
  'transfer a workspace': async (world) => {
    const heir = await addPerson(world, 'heir', 'member');
    const owner = await addPerson(world, 'founder', 'owner');
    const filled = await fillForm(owner, '/sign-out', '/sign-out');
    return { ...filled, action: `/app/${world.id}/people/${heir.userId}/owner` };
  },
  'create a project': prepareWorkspaceForm('/projects', () => ({ name: 'Made' })),
  'transfer a project': async (world) => {
    const { id } = await createProject(world, { owner: world.people.lead });
    return prepareWorkspaceForm(`/projects/${id}/owner`, ({ people }) => ({ userId: people.member.userId }))(
      world,
    );
  },
  'delete a project': async (world) => {
    const { id, name } = await createProject(world, { owner: world.people.lead });
    await createTask(world.people.lead, id);
    return prepareWorkspaceForm(`/projects/${id}/remove`, () => ({ name }))(world);
  },
  'delete a workspace': async () => {
    const world = await createWorld();
    await createTask(world.people.lead, world.projects.joined.id);
    const name = await getCell(0)
      .prepare('SELECT name FROM workspaces WHERE id = ?')
      .bind(world.id)
      .first<string>('name');
    return prepareWorkspaceForm('/settings/remove', () => ({ name: String(name) }))(world);
  },
  'restore a task': async (world) =>
    prepareWorkspaceForm(`/tasks/${(await archiveTasks(world, 1)).ids}/restore`)(world),
  'undo a move': async (world) => {
    const { owner } = world.people;
    const parent = await createTask(owner, world.projects.joined.id);
    const { id } = await createTask(owner, world.projects.joined.id, { parentId: parent.id });
    await api(owner.token).post(`/tasks/${id}/move`, { projectId: world.projects.other.id });
    return prepareWorkspaceForm('/tasks/bulk/move/undo', () => ({ ids: String(id), since: '0' }))(world);
  },
  'restore several deleted tasks': async (world) => {
    const { owner } = world.people;
    const parent = await createTask(owner, world.projects.joined.id);
    const { id } = await createTask(owner, world.projects.joined.id, { parentId: parent.id });
    const other = await createTask(owner, world.projects.other.id);
    const ids = [id, other.id];
    await api(owner.token).post('/tasks/bulk/delete', { ids });
    return prepareWorkspaceForm('/trash/restore', () => ({ ids: ids.join(',') }))(world);
  },
  'restore several tasks': async (world) => {
    const { ids } = await archiveTasks(world, 3);
    const filled = await prepareWorkspaceForm('/tasks/bulk/restore')(world);
    const ticked = ids.split(',').map((id) => ['ids', id]);
    return { ...filled, fields: new URLSearchParams([...Object.entries(filled.fields), ...ticked]) };
  },
  'undo the archiving of a task': prepareWorkspaceForm('/undo', (world) => archiveTasks(world, 1)),
  'undo the archiving of several tasks': prepareWorkspaceForm('/undo', (world) => archiveTasks(world, 3)),
  'turn on push notifications': async (world) => {
    const person = await addPerson(world, 'subscriber', 'member');
    const filled = await fillForm(person, '/sign-out', '/sign-out', await createSubscriptionFields());
    return { ...filled, action: `/app/${world.id}/inbox/push` };
  },
  'delete an account': async (world) => {
    const person = await addWorker(world);
    return fillForm(person, '/account', '/account/remove', { email: person.email });
  },
};

async function createInvitation(world: World, email: string) {
  const filled = await prepareWorkspaceForm('/people/invitations', () => ({
    email,
    role: 'member',
    projectIds: '',
  }))(world);
  expect((await postForm(filled)).status).toBe(303);
  await runMinuteTick();
}

function postForm({ browser, action, fields }: FilledForm, variables: Partial<Env> = {}): Promise<Response> {
  return browser.post(action, fields, {}, variables);
}

/** Runs the jobs of every minute, which complete work that a fault interrupted. */
const runMinuteTick = () => runTick('* * * * *', meteredEnv as Env);

async function countRows(): Promise<Record<string, number>> {
  const buildCountQuery = (tables: readonly string[]) =>
    `SELECT ${tables.map((each) => `(SELECT count(*) FROM ${each}) AS "${each}"`)}`;
  const inDirectory = [
    'users',
    'users WHERE deleted_at IS NOT NULL',
    'memberships',
    'workspaces',
    // After a fault, an email may be sent twice but must not be lost.
    '(SELECT DISTINCT recipient FROM outbox)',
    'push_subscriptions',
    'sent_forms',
  ];
  const inCells = [
    'members',
    'members WHERE ended_at IS NOT NULL',
    'members WHERE is_settled = 0',
    "members WHERE role = 'owner'",
    "members WHERE role = 'lead'",
    'projects',
    'invitations',
    'invitations WHERE ended_at IS NOT NULL',
    // Tasks of a deleted project are hidden at once and deleted later, in slices.
    'tasks WHERE archived = 1 AND project > 0',
    'tasks WHERE archived = 0 AND project > 0',
    'tasks WHERE assignee IN (SELECT no FROM members WHERE ended_at IS NOT NULL)',
  ];
  const found = await Promise.all([
    meteredEnv.DIRECTORY.prepare(
      buildCountQuery(['memberships WHERE ended_at IS NOT NULL', ...inDirectory]),
    ).first<RowCounts>(),
    getCell(0).prepare(buildCountQuery(inCells)).first<RowCounts>(),
    getCell(1).prepare(buildCountQuery(inCells)).first<RowCounts>(),
  ]);
  const [directory, first, second] = found.map((each) => each ?? {}) as [RowCounts, RowCounts, RowCounts];
  const inAll = inCells.map((name) => [name, (first[name] ?? 0) + (second[name] ?? 0)]);
  return { ...directory, ...Object.fromEntries(inAll) };
}
type RowCounts = Record<string, number>;

async function sendUntilSaved(
  prepare: PrepareForm,
  where: string,
  variables: Partial<Env> = {},
): Promise<void> {
  const filled = await prepare(world);
  const { status } = await postForm(filled, variables);
  expect([303, 500], where).toContain(status);
  if (status === 303) return;
  // If the first attempt made the person leave or deleted the workspace, the second attempt returns 404.
  expect(
    where.startsWith('leave') || where.startsWith('delete a workspace') ? [303, 404] : [303],
    where,
  ).toContain((await postForm(filled)).status);
}

/** Returns how `work`, and the cron runs that complete it, change the row counts. */
async function countChanges(work: () => Promise<void>): Promise<RowCounts> {
  const before = await countRows();
  await work();
  // Backdates the invitations, because the cron job doesn't send invitations younger than a minute.
  for (const cell of [getCell(0), getCell(1)])
    await cell.prepare('UPDATE invitations SET created_at = created_at - 120000 WHERE sent_at IS NULL').run();
  const isEmptying = () =>
    getCell(0).prepare('SELECT 1 FROM projects WHERE ws IN (SELECT ws FROM workspace_deletions)').first();
  for (let ticks = 0; ticks < 3 || (ticks < TICKS_MAX && (await isEmptying())); ticks += 1)
    await runMinuteTick();
  const after = await countRows();
  return Object.fromEntries(
    Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]),
  );
}

/** Fails the batch with this number. Batches to all databases are counted together. */
function createFailingDatabases(batch: number, fault: Fault) {
  let asked = 0;
  const decideFault = () => {
    asked += 1;
    return failNthBatch(batch, fault)(asked);
  };
  const [directory, first, second] = [
    createFaultyD1(meteredEnv.DIRECTORY, decideFault),
    createFaultyD1(meteredEnv.CELL_0, decideFault),
    createFaultyD1(getCell(1), decideFault),
  ] as const;
  return {
    bindings: { DIRECTORY: directory.d1, CELL_0: first.d1, CELL_1: second.d1 } as Partial<Env>,
    hasFailed: () => [directory, first, second].some(({ failed }) => failed > 0),
  };
}

it.each(pickEveryNth(3, Object.entries(formCases)))(
  'a form that is resubmitted after a failed database batch takes effect exactly once (%s)',
  async (name, prepare) => {
    await emptyDatabases();
    world = await createWorld();
    const once = await countChanges(() => sendUntilSaved(prepare, name));
    let runs = 0;
    const changed = await countChanges(async () => {
      for (const fault of faults) {
        for (let batch = 1; ; batch += BATCH_STEP) {
          expect(batch, `${name} sends no more batches`).toBeLessThan(BATCHES_MAX);
          const plan = createFailingDatabases(batch, fault);
          await sendUntilSaved(prepare, `${name}, batch ${batch} ${fault}`, plan.bindings);
          runs += 1;
          if (!plan.hasFailed()) break;
        }
      }
    });
    expect(runs * BATCH_STEP).toBeGreaterThan(4);
    expect(changed).toEqual(
      Object.fromEntries(Object.entries(once).map(([of, count]) => [of, count * runs])),
    );
    expect(await findInconsistencies(), name).toEqual([]);
  },
);
