// Accepting an invitation grants only the access that its sender can still grant, and nothing to a current member.
import { beforeAll, describe, expect, it } from 'vitest';
import { handOverProject } from '../../../src/projects/operations/change-projects.ts';
import { acceptInvitation, registerByInvitation } from '../../../src/workspaces/invitations/accept.ts';
import {
  invitePeople,
  listInvitations,
  resendInvitation,
} from '../../../src/workspaces/invitations/invite.ts';
import { changeRole } from '../../../src/workspaces/people/change-role.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { runForAccount, runPublic, signIn } from '../../support/accounts.ts';
import { api } from '../../support/api.ts';
import { runCron } from '../../support/cron.ts';
import { env, getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { createEmailAddress, logIn, PASSWORD, readMailedToken } from '../../support/people.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import {
  addPerson,
  createProject,
  createWorkspace,
  createWorld,
  type Person,
  type World,
} from '../../support/world.ts';
import { readLog } from '../../webhooks/delivery/receivers.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

async function inviteAsLead(role: 'member' | 'client' = 'client') {
  const lead = await addPerson(world, 'inviting', 'lead');
  const projects = [await createProject(world, { owner: lead }), await createProject(world, { owner: lead })];
  const email = createEmailAddress();
  const ids = projects.map(({ id }) => id);
  const sent = await runForm(lead.token, invitePeople, { email, role, projectIds: ids });
  expect(sent.status).toBe(200);
  const listed = await runForm(world.people.owner.token, listInvitations, {});
  const { id } = listed.body.invitations.find((each: { email: string }) => each.email === email);
  return { lead, email, id: id as number, ids };
}

async function changeProjectLead(project: number, to: Person) {
  const { owner } = world.people;
  const answer = await runForm(owner.token, handOverProject, { id: project, userId: to.userId });
  expect(answer.status).toBe(200);
}

async function registerAccount(email: string) {
  const token = await readMailedToken(email, 'invitation');
  const answer = await runPublic(registerByInvitation, { token, name: 'New', password: PASSWORD });
  expect(answer.status).toBe(200);
  const session = await logIn(email);
  const { body } = await api(session.body.token).get('/projects');
  return { role: session.body.user.role, projects: body.data.map(({ id }: { id: number }) => id).sort() };
}

describe('an invitation from a lead', () => {
  it('grants only the projects that the lead still leads', async () => {
    const { email, ids } = await inviteAsLead();
    await changeProjectLead(ids[0] ?? 0, world.people.member);
    expect(await registerAccount(email)).toEqual({ role: 'client', projects: [ids[1]] });
    expect(await findInconsistencies()).toEqual([]);
  });

  it('adds the person to none of its projects if the lead no longer leads them', async () => {
    const { email, ids } = await inviteAsLead();
    for (const id of ids) await changeProjectLead(id, world.people.member);
    expect(await registerAccount(email)).toEqual({ role: 'client', projects: [] });
    expect(await findInconsistencies()).toEqual([]);
  });

  it('removes a returning client from projects that the lead can no longer grant', async () => {
    const { owner } = world.people;
    const returning = await addPerson(world, 'returning', 'client');
    const lead = await addPerson(world, 'inviting again', 'lead');
    const [mine, other] = [
      await createProject(world, { owner: lead, members: [returning] }),
      await createProject(world, { owner: lead, members: [returning] }),
    ];
    await getCell(0).prepare('UPDATE members SET ended_at = 1 WHERE no = ?').bind(returning.member).run();
    const projectIds = [mine.id, other.id];
    await runForm(lead.token, invitePeople, { email: returning.email, role: 'client', projectIds });
    const answer = await runForm(owner.token, handOverProject, { id: other.id, userId: owner.userId });
    expect(answer.status).toBe(200);
    const token = await readMailedToken(returning.email, 'invitation');
    const browser = await signIn(returning.userId);
    expect((await runForAccount(browser, acceptInvitation, { token })).status).toBe(200);
    const { results } = await getCell(0)
      .prepare('SELECT project FROM project_members WHERE member = ?')
      .bind(returning.member)
      .all<{ project: number }>();
    expect(results.map(({ project }) => project)).toEqual([mine.id]);
  });

  it('grants all its projects if the lead has since become an admin', async () => {
    const { lead, email, ids } = await inviteAsLead();
    await changeProjectLead(ids[0] ?? 0, world.people.member);
    await runForm(world.people.owner.token, changeRole, { userId: lead.userId, role: 'admin' });
    expect(await registerAccount(email)).toEqual({ role: 'client', projects: [...ids].sort() });
  });

  it('can be resent by a lead only while they lead all its projects, and by an admin at any time', async () => {
    const { lead, email, id, ids } = await inviteAsLead();
    expect((await runForm(lead.token, resendInvitation, { id })).status).toBe(200);
    await changeProjectLead(ids[0] ?? 0, world.people.member);
    const before = await readAllContents();
    expect((await runForm(lead.token, resendInvitation, { id })).status).toBe(403);
    expect(await readAllContents()).toEqual(before);
    expect((await runForm(world.people.admin.token, resendInvitation, { id })).status).toBe(200);
    expect(await registerAccount(email)).toEqual({ role: 'client', projects: [...ids].sort() });
  });
});

describe('a second invitation for a member', () => {
  it("changes nothing and logs no event when it is accepted, and can't be used again", async () => {
    const { owner } = world.people;
    const elsewhere = await createWorkspace({ cell: 1, members: { boss: 'owner' } });
    const { userId } = elsewhere.people.boss;
    const project = await createProject(world, { owner });
    const [first, second] = [createEmailAddress(), createEmailAddress()];
    await runForm(owner.token, invitePeople, { email: first, role: 'client', projectIds: [] });
    await runForm(owner.token, invitePeople, { email: second, role: 'admin', projectIds: [project.id] });
    const acceptAs = async (email: string) => {
      await env.DIRECTORY.prepare('UPDATE users SET email = ?1, email_key = ?1 WHERE id = ?2')
        .bind(email, userId)
        .run();
      const token = await readMailedToken(email, 'invitation');
      return runForAccount(await signIn(userId), acceptInvitation, { token });
    };
    expect((await acceptAs(first)).status).toBe(200);
    const log = await readLog(world);
    // Excludes the table `users`, because the test itself changes the account's address.
    const readInvitationRows = () => readAllContents(['browser_sessions', 'invitations', 'users']);
    const before = await readInvitationRows();
    const again = await acceptAs(second);
    expect([again.status, again.body]).toEqual([200, { workspaceId: world.id, userId }]);
    expect(await readLog(world)).toEqual(log);
    expect(await readInvitationRows()).toEqual(before);
    const { body } = await runForm(owner.token, listInvitations, {});
    expect(body.invitations.filter(({ email }: { email: string }) => email === second)).toEqual([]);
    await runCron('* * * * *');
    expect(await findInconsistencies()).toEqual([]);
  });
});
