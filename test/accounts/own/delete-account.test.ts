// This file is long because each test compares the contents of all databases before and after a deletion.
import { expect, it } from 'vitest';
import { changeName } from '../../../src/accounts/own/change-profile.ts';
import { deleteAccount } from '../../../src/accounts/own/delete-account.ts';
import { setPicture } from '../../../src/accounts/own/picture.ts';
import { invitePeople } from '../../../src/workspaces/invitations/invite.ts';
import { handOverWorkspace } from '../../../src/workspaces/people/change-role.ts';
import { runObjectDeletion } from '../../files/attachments/object-deletion.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import {
  BATCH_STEP,
  BATCHES_MAX,
  createFaultyD1,
  failNthBatch,
  testedFaults,
} from '../../suites/faults/faulty-d1.ts';
import { runForAccount, signIn } from '../../support/accounts.ts';
import { api, meteredEnv, send } from '../../support/api.ts';
import { runCron } from '../../support/cron.ts';
import { env, getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { createEmailAddress, logIn, PASSWORD, setPassword } from '../../support/people.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import {
  addMember,
  createApiKey,
  createMeeting,
  createProject,
  createTask,
  createWorld,
  type Person,
} from '../../support/world.ts';

const getDatabase = (name: string) =>
  (meteredEnv as unknown as Record<string, D1Database>)[name] as D1Database;

/**
 * Creates a person who belongs to two workspaces in different cells, with a picture, a project, a task, a comment, a
 * meeting, a running timer, an invitation and an API key.
 */
async function createAccountWithData() {
  const home = await createWorld({ cell: 0 });
  const abroad = await createWorld({ cell: 1 });
  const me = home.people.lead;
  const there = await addMember(abroad, me, 'member');
  const named = {
    name: `Zebedee ${me.userId.slice(-6)}`,
    email: `zebedee.${me.userId.slice(-6)}@example.com`.toLowerCase(),
  };
  await env.DIRECTORY.prepare('UPDATE users SET name = ?, email = ?, email_key = ? WHERE id = ?')
    .bind(named.name, named.email, named.email, me.userId)
    .run();
  const bytes = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1]);
  await runForAccount(await signIn(me.userId), setPicture, { bytes });
  await runCron('* * * * *');
  await setPassword(me.userId);
  const { owner } = home.people;
  const project = await createProject(home, { owner: me, members: [owner] });
  const task = await createTask(owner, project.id, { assigneeId: me.userId });
  await api(owner.token).patch(`/tasks/${task.id}`, { assigneeId: null });
  await api(owner.token).patch(`/tasks/${task.id}`, { assigneeId: me.userId });
  await api(me.token).post(`/tasks/${task.id}/comments`, { content: 'A remark' });
  await createMeeting(me, project.id);
  await api(me.token).post('/timer/start', { taskId: task.id });
  await runForm(me.token, invitePeople, {
    email: createEmailAddress(),
    role: 'member',
    projectIds: [project.id],
  });
  const key = await createApiKey(me);
  return { home, abroad, me, there, named, project: project.id, task: task.id, key };
}

async function listTables(words: readonly string[]): Promise<string[]> {
  const stored = await readAllContents();
  const containsWord = (row: string) => words.some((word) => row.toLowerCase().includes(word.toLowerCase()));
  return Object.entries(stored).flatMap(([table, rows]) => (rows.some(containsWord) ? [table] : []));
}

const buildDeletionInput = (email: string) => ({ email, password: PASSWORD });

it("deleting an account removes the person's name and email address from every table, and ends all access", async () => {
  const { home, me, there, named, task, project, key } = await createAccountWithData();
  const browser = await signIn(me.userId);
  const { image } = (await api(there.token).get('/me')).body;
  const picture = image.split('/').at(-1);
  const stored = await listTables([picture]);
  expect(stored).toEqual(expect.arrayContaining(['directory.users', 'cell 0.members', 'cell 1.members']));
  expect((await runForAccount(browser, deleteAccount, buildDeletionInput(named.email))).status).toBe(200);
  for (const token of [me.token, there.token, key]) expect((await api(token).get('/me')).status).toBe(401);
  expect((await runForAccount(browser, deleteAccount, buildDeletionInput(named.email))).status).toBe(401);
  expect((await logIn(named.email)).status).toBe(401);
  await runCron('* * * * *');
  await runCron('* * * * *');
  await env.DIRECTORY.prepare('UPDATE pictures SET created_at = 1').run();
  await runObjectDeletion();
  expect((await send(new Request(image))).status).toBe(404);
  // Responses to requests with an idempotency key are stored for a day, so this test sends no keys.
  expect(await listTables([named.name, named.email, picture])).toEqual([]);
  const owner = api(home.people.owner.token);
  const seen = (await owner.get(`/tasks/${task}`)).body;
  const former = { id: me.userId, name: 'Former member', email: expect.stringMatching(/@deleted\.invalid$/) };
  expect(seen.comments[0].author).toEqual(former);
  expect(seen.assignee).toBeNull();
  expect((await owner.get(`/projects/${project}`)).body.owner.id).toBe(home.people.owner.userId);
  const history = (await owner.get(`/tasks/${task}/activities`)).body.data;
  expect(history.some((each: { to: string }) => each.to === me.userId)).toBe(true);
  expect(await findInconsistencies()).toEqual([]);
});

it('deleting an account requires its email address and password', async () => {
  const { me, named } = await createAccountWithData();
  const browser = await signIn(me.userId);
  const before = await readAllContents(['browser_sessions']);
  for (const wrong of [
    { ...buildDeletionInput(named.email), password: 'wrong password' },
    buildDeletionInput('other@example.com'),
    { email: named.email },
  ]) {
    expect((await runForAccount(browser, deleteAccount, wrong)).status).toBe(400);
  }
  expect(await readAllContents(['browser_sessions'])).toEqual(before);
});

it("an account can't be deleted while it is the only owner of a workspace", async () => {
  const { people } = await createWorld();
  const { owner, admin } = people;
  await setPassword(owner.userId);
  const browser = await signIn(owner.userId);
  expect((await runForAccount(browser, deleteAccount, buildDeletionInput(owner.email))).status).toBe(400);
  expect((await api(owner.token).get('/me')).status).toBe(200);
  await runForm(owner.token, handOverWorkspace, { userId: admin.userId });
  expect((await runForAccount(browser, deleteAccount, buildDeletionInput(owner.email))).status).toBe(200);
  expect((await api(admin.token).get('/me')).body.role).toBe('owner');
  expect(await findInconsistencies()).toEqual([]);
});

it('a workspace keeps an owner, even if it is transferred to an account that is being deleted', async () => {
  const { people, no } = await createWorld();
  const { owner, member } = people;
  await setPassword(member.userId);
  const leaving = runForAccount(await signIn(member.userId), deleteAccount, buildDeletionInput(member.email));
  await Promise.all([leaving, runForm(owner.token, handOverWorkspace, { userId: member.userId })]);
  await runCron('* * * * *');
  const owners = await getCell(0)
    .prepare("SELECT count(*) AS n FROM active_members WHERE ws = ? AND role = 'owner'")
    .bind(no)
    .first('n');
  expect(owners).toBe(1);
  expect(await findInconsistencies()).toEqual([]);
});

it('people in many workspaces can change and delete their account with 50 statements, and the rest run after the response', async () => {
  const home = await createWorld({ cell: 0 });
  const me = home.people.member;
  const others: Person[] = [];
  for (const cell of [0, 1, 0, 1, 0, 1, 0, 1] as const) {
    others.push(await addMember(await createWorld({ cell }), me, 'member'));
  }
  const tokens = [me, ...others].map(({ token }) => token);
  await setPassword(me.userId);
  const listNames = () =>
    Promise.all(tokens.map(async (token) => (await api(token).get('/me')).body.name as string));
  const renamed = await runForAccount(await signIn(me.userId), changeName, { name: 'Renamed' });
  expect(renamed.status).toBe(200);
  await runCron('* * * * *');
  expect(new Set(await listNames())).toEqual(new Set(['Renamed']));
  const browser = await signIn(me.userId);
  expect((await runForAccount(browser, deleteAccount, buildDeletionInput(me.email))).status).toBe(200);
  for (const token of tokens) expect((await api(token).get('/me')).status).toBe(401);
  expect(await listTables([me.email])).toEqual([]);
  for (const cell of [0, 1]) {
    const active = await getCell(cell)
      .prepare('SELECT count(*) AS n FROM active_members WHERE user_id = ?')
      .bind(me.userId)
      .first('n');
    expect(active).toBe(0);
  }
  expect(await findInconsistencies()).toEqual([]);
});

/** Runs the cron jobs before the first batch that ends a membership, the only kind with so many statements. */
function runCronBeforeMembershipEnds(database: D1Database): D1Database {
  let hasRun = false;
  const batch = async (statements: D1PreparedStatement[]) => {
    if (statements.length > 12 && !hasRun) {
      hasRun = true;
      await runCron('* * * * *');
    }
    return database.batch(statements);
  };
  return new Proxy(database, {
    get(target, key) {
      const value = key === 'batch' ? batch : Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

it('a membership is ended once, even if a cron job ends it at the same moment', async () => {
  const home = await createWorld({ cell: 0 });
  const me = home.people.member;
  const worlds = [home, await createWorld({ cell: 0 }), await createWorld({ cell: 0 })];
  for (const each of worlds.slice(1)) await addMember(each, me, 'member');
  await setPassword(me.userId);
  const deletion = await runForAccount(await signIn(me.userId), deleteAccount, buildDeletionInput(me.email), {
    CELL_0: runCronBeforeMembershipEnds(getDatabase('CELL_0')),
  });
  expect(deletion.status).toBe(200);
  await runCron('* * * * *');
  for (const { no } of worlds) {
    const count = (statement: string) => getCell(0).prepare(statement).bind(no).first('n');
    expect(await count("SELECT count(*) AS n FROM events WHERE ws = ? AND type = 'member.removed'")).toBe(1);
    expect(await count("SELECT count(*) AS n FROM audit_entries WHERE ws = ? AND type = 'member.left'")).toBe(
      1,
    );
  }
  expect(await findInconsistencies()).toEqual([]);
});

it.each(testedFaults)(
  'an account is deleted everywhere or nowhere if a database batch fails (fault: %s)',
  async (fault) => {
    let injected = 0;
    for (const database of ['DIRECTORY', 'CELL_0', 'CELL_1'] as const) {
      for (let batch = 1; batch <= BATCHES_MAX; batch += BATCH_STEP) {
        const home = await createWorld({ cell: 0 });
        const abroad = await createWorld({ cell: 1 });
        const me: Person = home.people.member;
        const there = await addMember(abroad, me, 'member');
        await env.DIRECTORY.prepare('UPDATE users SET password_hash = NULL WHERE id = ?')
          .bind(me.userId)
          .run();
        const faulty = createFaultyD1(getDatabase(database), failNthBatch(batch, fault));
        const where = `${database} ${batch}`;
        const answer = await runForAccount(
          await signIn(me.userId),
          deleteAccount,
          { email: me.email },
          { [database]: faulty.d1 },
        ).catch(() => null);
        await runCron('* * * * *');
        await runCron('* * * * *');
        const isGone = (await api(me.token).get('/me')).status === 401;
        expect((await api(there.token).get('/me')).status === 401, where).toBe(isGone);
        if (answer?.status === 200) expect(isGone, where).toBe(true);
        expect((await listTables([me.email])).length === 0, where).toBe(isGone);
        expect(await findInconsistencies(), where).toEqual([]);
        if (faulty.failed === 0) break;
        injected += 1;
      }
    }
    expect(injected * BATCH_STEP).toBeGreaterThanOrEqual(20);
  },
);
