// This file is long because its tests share the functions that invite people and find the emailed links.
import { beforeAll, describe, expect, it } from 'vitest';
import {
  acceptInvitation,
  registerByInvitation,
  showInvitation,
} from '../../../src/workspaces/invitations/accept.ts';
import {
  invitePeople,
  listInvitations,
  resendInvitation,
  withdrawInvitation,
} from '../../../src/workspaces/invitations/invite.ts';
import { changeRole } from '../../../src/workspaces/people/change-role.ts';
import { removePerson } from '../../../src/workspaces/people/remove-person.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { createFaultyD1, failNthBatch, testedFaults } from '../../suites/faults/faulty-d1.ts';
import { runForAccount, runPublic, signIn } from '../../support/accounts.ts';
import { api, meteredEnv } from '../../support/api.ts';
import { runCron } from '../../support/cron.ts';
import { env, getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import {
  createEmailAddress,
  logIn,
  PASSWORD,
  readMailedToken,
  registerAccount,
} from '../../support/people.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import {
  addPerson,
  createProject,
  createSessionToken,
  createTask,
  createWorkspace,
  createWorld,
  type World,
} from '../../support/world.ts';

const roles = ['owner', 'admin', 'lead', 'member', 'client'] as const;
let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const findLinkTo = (email: string) => readMailedToken(email, 'invitation');

const inviteAs = (role: (typeof roles)[number], input: Record<string, unknown>) =>
  runForm(world.people[role].token, invitePeople, { email: createEmailAddress(), role: 'member', ...input });

/** Invites a new email address, and returns it with the token from the emailed link. */
async function createInvitation(input: Record<string, unknown> = {}) {
  const email = createEmailAddress();
  const answer = await inviteAs('owner', { email, ...input });
  expect([answer.status, answer.body]).toEqual([200, { success: true }]);
  return { email, token: await findLinkTo(email) };
}

async function createOutsider() {
  const elsewhere = await createWorkspace({ cell: 1, members: { boss: 'owner' } });
  return { ...elsewhere.people.boss, elsewhere };
}

describe.each(roles)('a person with the role %s', (role) => {
  it('can invite people only with roles and projects that they can grant', async () => {
    const { joined, other } = world.projects;
    for (const to of ['admin', 'lead', 'member', 'client', 'owner'] as const) {
      for (const projectIds of [[], [joined.id], [joined.id, other.id]]) {
        const before = await readAllContents();
        const { status } = await inviteAs(role, { role: to, projectIds });
        const led = role === 'lead' && projectIds.length === 1 && (to === 'member' || to === 'client');
        const may = role === 'owner' || role === 'admin' || led;
        expect([to, projectIds.length, status]).toEqual([
          to,
          projectIds.length,
          to === 'owner' ? 400 : may ? 200 : 403,
        ]);
        if (status !== 200) expect(await readAllContents()).toEqual(before);
      }
    }
  });

  it("can see, resend and withdraw other people's invitations only if the role allows it", async () => {
    const { email } = await createInvitation({ role: 'client' });
    const all = await runForm(world.people.owner.token, listInvitations, {});
    const { id } = all.body.invitations.find((each: { email: string }) => each.email === email);
    const isManager = role === 'owner' || role === 'admin';
    const mine = await runForm(world.people[role].token, listInvitations, {});
    expect(mine.status).toBe(role === 'member' || role === 'client' ? 403 : 200);
    if (mine.status === 200) {
      const seen = mine.body.invitations.some((each: { id: number }) => each.id === id);
      expect(seen).toBe(isManager);
    }
    for (const operation of [resendInvitation, withdrawInvitation]) {
      const before = await readAllContents();
      const { status } = await runForm(world.people[role].token, operation, { id });
      expect(status).toBe(isManager ? 200 : role === 'lead' ? 404 : 403);
      if (!isManager) expect(await readAllContents()).toEqual(before);
    }
  });
});

it('a person with an account joins once, with the role and projects of the invitation', async () => {
  const { joined, other } = world.projects;
  const person = await createOutsider();
  await inviteAs('admin', {
    email: person.email.toUpperCase(),
    role: 'client',
    projectIds: [joined.id, other.id],
  });
  const token = await findLinkTo(person.email.toUpperCase());
  expect((await runPublic(showInvitation, { token })).body).toMatchObject({
    role: 'client',
    hasAccount: true,
  });
  const browser = await signIn(person.userId);
  const accepted = await Promise.all([1, 2].map(() => runForAccount(browser, acceptInvitation, { token })));
  for (const each of accepted) expect(each.status === 200 || each.status === 404).toBe(true);
  expect(accepted.some(({ status }) => status === 200)).toBe(true);
  expect((await runForAccount(browser, acceptInvitation, { token })).body.workspaceId).toBe(world.id);
  const switched = await api(person.token).post(`/workspaces/${world.id}/switch`);
  const me = api(switched.body.token);
  expect((await me.get('/me')).body).toMatchObject({ role: 'client', email: person.email });
  const projects = (await me.get('/projects')).body.data.map(({ id }: { id: number }) => id);
  expect(projects.sort()).toEqual([joined.id, other.id].sort());
  const rows = await getCell(1)
    .prepare('SELECT cells FROM members WHERE user_id = ?')
    .bind(person.userId)
    .first();
  expect(rows).toEqual({ cells: '[0,1]' });
  expect((await runPublic(showInvitation, { token })).status).toBe(404);
  expect(await findInconsistencies()).toEqual([]);
});

it('a person without an account can register with the invited email address, and joins only that workspace', async () => {
  const { email, token } = await createInvitation({ role: 'lead' });
  expect((await runPublic(showInvitation, { token })).body).toMatchObject({ email, hasAccount: false });
  const made = await runPublic(registerByInvitation, { token, name: 'New Person', password: PASSWORD });
  expect(made.body).toEqual({ workspaceId: world.id, userId: expect.any(String) });
  const session = await logIn(email);
  expect(session.body.user).toMatchObject({ name: 'New Person', role: 'lead', workspace: { id: world.id } });
  expect((await api(session.body.token).get('/workspaces')).body.meta.total).toBe(1);
  expect((await runPublic(registerByInvitation, { token, name: 'Again', password: PASSWORD })).status).toBe(
    404,
  );
  expect(await findInconsistencies()).toEqual([]);
});

it('registering with an invitation replaces an unverified account with the same email address', async () => {
  const { email, token } = await createInvitation();
  await registerAccount(email);
  expect((await runPublic(showInvitation, { token })).body.hasAccount).toBe(false);
  const other = 'another password';
  expect((await runPublic(registerByInvitation, { token, name: 'Right', password: other })).status).toBe(200);
  expect((await logIn(email)).status).toBe(401);
  expect((await logIn(email, other)).body.user).toMatchObject({ name: 'Right', workspace: { id: world.id } });
});

it('an invitation link is accepted only from an account with the invited email address', async () => {
  const { token } = await createInvitation();
  const stranger = await createOutsider();
  const before = await readAllContents(['browser_sessions']);
  const answer = await runForAccount(await signIn(stranger.userId), acceptInvitation, { token });
  expect(answer.status).toBe(403);
  expect(await readAllContents(['browser_sessions'])).toEqual(before);
});

it('old links to replaced, resent and expired invitations return the same error as invalid links', async () => {
  const { email, token: first } = await createInvitation();
  await inviteAs('owner', { email });
  const second = await findLinkTo(email);
  const { body } = await runForm(world.people.owner.token, listInvitations, {});
  const { id } = body.invitations.find((each: { email: string }) => each.email === email);
  await runForm(world.people.owner.token, resendInvitation, { id });
  const third = await findLinkTo(email);
  expect((await runPublic(showInvitation, { token: third })).status).toBe(200);
  await getCell(0).prepare('UPDATE invitations SET expires_at = ? WHERE id = ?').bind(Date.now(), id).run();
  const answers = [];
  for (const token of [first, second, third, 'ew_inv_nonsense', `${third.slice(0, -1)}x`]) {
    answers.push(await runPublic(showInvitation, { token }));
    const made = await runPublic(registerByInvitation, { token, name: 'N', password: PASSWORD });
    expect(made.status).toBe(404);
  }
  expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1);
  expect(answers[0]?.status).toBe(404);
});

it('demoting or removing a person withdraws their invitations', async () => {
  for (const end of ['demoted', 'removed'] as const) {
    const admin = await addPerson(world, 'inviter', 'admin');
    const email = createEmailAddress();
    await runForm(admin.token, invitePeople, { email, role: 'admin' });
    const token = await findLinkTo(email);
    const { owner } = world.people;
    await (end === 'demoted'
      ? runForm(owner.token, changeRole, { userId: admin.userId, role: 'member' })
      : runForm(owner.token, removePerson, { userId: admin.userId }));
    expect((await runPublic(showInvitation, { token })).status).toBe(404);
    expect((await runPublic(registerByInvitation, { token, name: 'N', password: PASSWORD })).status).toBe(
      404,
    );
  }
});

it('a former member who returns as a client joins only the projects in the invitation', async () => {
  const { owner } = world.people;
  const person = await addPerson(world, 'returning', 'member');
  const [before, now] = [
    await createProject(world, { owner, members: [person], name: 'Salaries' }),
    await createProject(world, { owner, members: [person], name: 'Website' }),
  ];
  const [secret, open] = [await createTask(person, before.id), await createTask(person, now.id)];
  const mine = await createTask(owner, before.id, { assigneeId: person.userId, status: 'completed' });
  await runForm(owner.token, removePerson, { userId: person.userId });
  await inviteAs('owner', { email: person.email, role: 'client', projectIds: [now.id] });
  const token = await findLinkTo(person.email);
  expect((await runForAccount(await signIn(person.userId), acceptInvitation, { token })).status).toBe(200);

  const client = api(await createSessionToken(world, person.userId, Date.now() + 1));
  const projects = (await client.get('/projects')).body.data.map(({ id }: { id: number }) => id);
  expect(projects).toEqual([now.id]);
  const tasks = (await client.get('/tasks?scope=all')).body;
  expect([tasks.meta.total, tasks.data.map(({ id }: { id: number }) => id).sort()]).toEqual([
    2,
    [open.id, mine.id].sort(),
  ]);
  expect((await client.get(`/tasks/${secret.id}`)).status).toBe(404);
  expect(await findInconsistencies()).toEqual([]);
});

it('inviting a member is rejected, and inviting a former member restores the membership', async () => {
  const { owner } = world.people;
  const person = await addPerson(world, 'former', 'member');
  expect((await inviteAs('owner', { email: person.email })).status).toBe(400);
  await runForm(owner.token, removePerson, { userId: person.userId });
  expect((await inviteAs('owner', { email: person.email, role: 'lead' })).status).toBe(200);
  const answer = await runForAccount(await signIn(person.userId), acceptInvitation, {
    token: await findLinkTo(person.email),
  });
  expect(answer.status).toBe(200);
  const again = await createSessionToken(world, person.userId, Date.now() + 1);
  expect((await api(again).get('/me')).body).toMatchObject({ id: person.userId, role: 'lead' });
  const row = await getCell(0)
    .prepare('SELECT no FROM members WHERE ws = ? AND user_id = ?')
    .bind(world.no, person.userId)
    .first('no');
  expect(row).toBe(person.member);
  expect(await findInconsistencies()).toEqual([]);
});

it("an invitation doesn't grant access to deleted projects, and its email omits names that look like links", async () => {
  const project = await createProject(world, { owner: world.people.owner });
  const { token } = await createInvitation({ projectIds: [project.id] });
  await getCell(0).batch([
    getCell(0).prepare('DELETE FROM project_members WHERE project = ?').bind(project.id),
    getCell(0).prepare('DELETE FROM projects WHERE id = ?').bind(project.id),
  ]);
  expect((await runPublic(registerByInvitation, { token, name: 'N', password: PASSWORD })).status).toBe(200);
  const spam = await createWorkspace({ name: 'Win at https://evil.example', members: { boss: 'owner' } });
  const email = createEmailAddress();
  await runForm(spam.people.boss.token, invitePeople, { email, role: 'member' });
  const mail = await env.DIRECTORY.prepare('SELECT subject, text, html FROM outbox WHERE recipient = ?')
    .bind(email)
    .first();
  expect(JSON.stringify(mail)).not.toContain('evil');
  expect(await findInconsistencies()).toEqual([]);
});

it('resending or withdrawing an invitation of another workspace returns 404', async () => {
  const { email } = await createInvitation();
  const { body } = await runForm(world.people.owner.token, listInvitations, {});
  const { id } = body.invitations.find((each: { email: string }) => each.email === email);
  const neighbor = (await createWorld()).people.owner;
  const before = await readAllContents();
  for (const operation of [resendInvitation, withdrawInvitation]) {
    expect((await runForm(neighbor.token, operation, { id })).status).toBe(404);
  }
  expect((await runForm(neighbor.token, listInvitations, {})).body.invitations).toEqual([]);
  const foreign = { email: createEmailAddress(), role: 'member', projectIds: [world.projects.joined.id] };
  expect((await runForm(neighbor.token, invitePeople, foreign)).status).toBe(400);
  expect(await readAllContents()).toEqual(before);
});

const countEmails = (email: string) =>
  env.DIRECTORY.prepare('SELECT count(*) AS n FROM outbox WHERE recipient = ?')
    .bind(email)
    .first<number>('n');

it.each(testedFaults)(
  'once an invitation is stored, its email is sent and the person can join, even if a database batch fails (fault: %s)',
  async (fault) => {
    for (const database of ['CELL_0', 'DIRECTORY'] as const) {
      for (const batch of [1, 2, 3]) {
        const where = `${database} ${batch}`;
        const email = createEmailAddress();
        const inviting = createFaultyD1(meteredEnv[database], failNthBatch(batch, fault));
        const { owner } = world.people;
        const input = { email, role: 'member', projectIds: [world.projects.joined.id] };
        const sent = await runForm(owner.token, invitePeople, input, { [database]: inviting.d1 }).catch(
          () => null,
        );
        const open = await getCell(0)
          .prepare('SELECT id FROM invitations WHERE email = ?')
          .bind(email)
          .first('id');
        expect(open !== null, where).toBe(
          sent?.status === 200 || (database === 'CELL_0' && inviting.hasCommitted),
        );
        await getCell(0).prepare('UPDATE invitations SET created_at = created_at - 120000').run();
        await runCron('* * * * *');
        if (open === null) {
          expect(await countEmails(email), where).toBe(0);
          continue;
        }
        expect(await countEmails(email), where).toBeGreaterThan(0);
        const token = await findLinkTo(email);
        const joining = createFaultyD1(meteredEnv[database], failNthBatch(batch, fault));
        const person = { token, name: 'Fault', password: PASSWORD };
        await runPublic(registerByInvitation, person, { [database]: joining.d1 }).catch(() => null);
        await runCron('* * * * *');
        expect(await findInconsistencies(), where).toEqual([]);
        // If the first attempt created the account, the person signs in and accepts the invitation instead.
        const again = await runPublic(registerByInvitation, person);
        const user = await env.DIRECTORY.prepare('SELECT id FROM users WHERE email = ?')
          .bind(email)
          .first<string>('id');
        if (again.status === 400) {
          const answer = await runForAccount(await signIn(String(user)), acceptInvitation, { token });
          expect(answer.status, where).toBe(200);
        }
        expect((await logIn(email)).body.user, where).toMatchObject({
          role: 'member',
          workspace: { id: world.id },
        });
        expect(await findInconsistencies(), where).toEqual([]);
      }
    }
  },
);
