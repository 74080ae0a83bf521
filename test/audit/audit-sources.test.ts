// This file is long because the tests for all sources of audit entries share one setup.
import { beforeEach, describe, expect, it } from 'vitest';
import { cleanBrowserSessions } from '../../src/accounts/browser-sessions/end-sessions.ts';
import { signOutBrowserById, signOutOtherBrowsers } from '../../src/accounts/own/browsers.ts';
import { changePassword, confirmEmail, requestEmailChange } from '../../src/accounts/own/change-profile.ts';
import { copyChangedPeople } from '../../src/accounts/own/copy-people.ts';
import { deleteAccount } from '../../src/accounts/own/delete-account.ts';
import { requestPasswordReset, resetPassword } from '../../src/accounts/own/password-reset.ts';
import type { AnyOperation } from '../../src/kernel/operation/operation.ts';
import { hashSecret } from '../../src/kernel/secrets/tokens.ts';
import { unlimitedAllowance } from '../../src/kernel/sql/budget.ts';
import { CostMeter } from '../../src/kernel/sql/cost.ts';
import { Database } from '../../src/kernel/sql/database.ts';
import { endCalendarFeed, renewCalendarFeed } from '../../src/meetings/calendar-feed/calendar-feed.ts';
import { deleteProject } from '../../src/projects/deletion/delete-project.ts';
import { revokeAccess } from '../../src/upkeep/incidents/revoke.ts';
import { acceptInvitation, registerByInvitation } from '../../src/workspaces/invitations/accept.ts';
import {
  invitePeople,
  resendInvitation,
  withdrawInvitation,
} from '../../src/workspaces/invitations/invite.ts';
import { deleteWorkspace } from '../../src/workspaces/settings/delete-workspace.ts';
import { obtainToken, postOAuth, startFlow, TestBrowser } from '../oauth/flow.ts';
import { createFaultyD1 } from '../suites/faults/faulty-d1.ts';
import { runForAccount, runPublic, signIn } from '../support/accounts.ts';
import { api } from '../support/api.ts';
import { runCron } from '../support/cron.ts';
import { env, getCell } from '../support/env.ts';
import { runForm } from '../support/forms.ts';
import { createEmailAddress, logIn, PASSWORD, readMailedToken, setPassword } from '../support/people.ts';
import { openScope } from '../support/scope.ts';
import { addMember, createApiKey, createWorld, type Person, type World } from '../support/world.ts';
import { readAuditEntries, readAuditTypes, readLastAuditId } from './audit-entries.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; rv:142.0) Gecko/20100101 Firefox/142.0';
const browserHeaders = { 'CF-Connecting-IP': '203.0.113.7', 'User-Agent': FIREFOX };

let world: World;
let member: Person;
beforeEach(async () => {
  world = await createWorld();
  ({ member } = world.people);
});

const runOwnerForm = async (operation: AnyOperation, input: Record<string, unknown>) => {
  const { status } = await runForm(world.people.owner.token, operation, input);
  expect(status).toBe(200);
};

describe('audit entries for sign-ins', () => {
  it('are recorded once per browser, when the browser first opens the workspace', async () => {
    const browser = new TestBrowser();
    await browser.signInAs(member);
    expect(await readAuditTypes(world)).toEqual([]);
    const open = () => browser.request(`/app/${world.id}/tasks`, { headers: browserHeaders });
    expect([(await open()).status, (await open()).status]).toEqual([200, 200]);
    expect(await readAuditEntries(world)).toMatchObject([
      {
        type: 'sign_in.succeeded',
        actor: member.member,
        credential_kind: 'browser',
        ip: '203.0.113.7',
        user_agent: 'Firefox on Windows',
      },
    ]);
  });

  it("are recorded in the session token's workspace, and in every workspace that the person switches to", async () => {
    const other = await createWorld({ cell: 1 });
    await addMember(other, member, 'member');
    await setPassword(member.userId);
    const { body } = await logIn(member.email);
    expect(await readAuditEntries(world)).toMatchObject([
      { type: 'sign_in.succeeded', actor: member.member, credential_kind: 'session_token' },
    ]);
    expect(await readAuditTypes(other)).toEqual([]);
    expect((await api(body.token).post(`/workspaces/${other.id}/switch`)).status).toBe(200);
    expect(await readAuditTypes(other)).toEqual(['sign_in.succeeded']);
  });

  it("are also recorded for failed attempts, at most 20 times per day in each of the person's workspaces", async () => {
    const other = await createWorld({ cell: 1 });
    await addMember(other, member, 'member');
    await setPassword(member.userId);
    const failToLogIn = () => logIn(member.email, 'a wrong password');
    expect((await failToLogIn()).status).toBe(401);
    for (const place of [world, other]) {
      expect(await readAuditEntries(place)).toMatchObject([{ type: 'sign_in.failed', user_agent: null }]);
    }
    await getCell(0)
      .prepare(
        `INSERT INTO audit_entries (ws, type, actor, credential_kind, occurred_at)
          SELECT ws, e.type, actor, credential_kind, occurred_at FROM audit_entries e, json_each(?) WHERE ws = ?`,
      )
      .bind(JSON.stringify(Array(19).fill(0)), world.no)
      .run();
    await failToLogIn();
    expect(await readAuditTypes(world)).toHaveLength(20);
    expect(await readAuditTypes(other)).toHaveLength(2);
  });

  it("aren't recorded for unknown email addresses", async () => {
    await logIn(createEmailAddress(), 'a wrong password');
    expect(await readAuditTypes(world)).toEqual([]);
  });
});

describe('audit entries for ended sessions', () => {
  async function openBrowser() {
    const browser = new TestBrowser();
    await browser.signInAs(member);
    expect((await browser.get(`/app/${world.id}/tasks`)).status).toBe(200);
    return { browser, session: { userId: member.userId, session: hashSecret(browser.session ?? '') } };
  }

  it('are recorded in every workspace that the browser has opened', async () => {
    const first = await openBrowser();
    const second = await openBrowser();
    const stranger = await createWorld();
    await addMember(stranger, member, 'member');
    const before = await readLastAuditId(world);
    await runForAccount(first.session, signOutBrowserById, { id: second.session.session.slice(0, 16) });
    await openBrowser();
    await runForAccount(first.session, signOutOtherBrowsers, {});
    const ended = (await readAuditEntries(world, before)).filter(({ type }) => type === 'session.ended');
    expect(ended).toMatchObject([
      { actor: member.member, credential_kind: 'browser', details: '{"sessions":"1"}' },
      { actor: member.member, credential_kind: 'browser', details: '{"sessions":"1"}' },
    ]);
    expect(await readAuditTypes(stranger)).toEqual([]);
  });

  it('are recorded by the cron job if the cell was unavailable', async () => {
    const { session } = await openBrowser();
    const before = await readLastAuditId(world);
    const CELL_0 = createFaultyD1(env.CELL_0, () => 'overloaded').d1;
    const other = await signIn(member.userId);
    await runForAccount(other, signOutBrowserById, { id: session.session.slice(0, 16) }, { CELL_0 });
    expect(await readAuditTypes(world, before)).toEqual([]);
    await cleanBrowserSessions.run(openScope(), unlimitedAllowance);
    expect(await readAuditEntries(world, before)).toMatchObject([
      { type: 'session.ended', actor: member.member, credential_kind: 'service', ip: null },
    ]);
  });

  it("aren't recorded if the session has expired", async () => {
    await openBrowser();
    const before = await readLastAuditId(world);
    await getCell(0)
      .prepare('UPDATE workspace_sessions SET expires_at = 1 WHERE ws = ?')
      .bind(world.no)
      .run();
    await env.DIRECTORY.prepare('UPDATE browser_sessions SET expires_at = 1 WHERE user_id = ?')
      .bind(member.userId)
      .run();
    await cleanBrowserSessions.run(openScope(), unlimitedAllowance);
    expect(await readAuditTypes(world, before)).toEqual([]);
  });
});

describe('audit entries for account changes', () => {
  it("are recorded in each of the person's workspaces, with the IP address", async () => {
    const other = await createWorld({ cell: 1 });
    await addMember(other, member, 'member');
    await setPassword(member.userId);
    const email = createEmailAddress();
    const browser = await signIn(member.userId);
    const newPassword = 'another good password';
    const inputs = { password: PASSWORD, newPassword, endAccess: false };
    expect((await runForAccount(browser, changePassword, inputs)).status).toBe(200);
    await runForAccount(browser, requestEmailChange, { email, password: newPassword });
    await runPublic(confirmEmail, { token: await readMailedToken(email, 'confirm-email') });
    await runPublic(requestPasswordReset, { email });
    const token = await readMailedToken(email, 'reset-password');
    await runPublic(resetPassword, { token, password: PASSWORD, endAccess: true });
    for (const place of [world, other]) {
      const entries = await readAuditEntries(place);
      expect(entries).toMatchObject([
        { type: 'password.changed', details: '{"method":"changed","endedAccess":"false"}' },
        { type: 'email.changed', details: '{}' },
        { type: 'password.changed', details: '{"method":"reset","endedAccess":"true"}' },
      ]);
      for (const { ip } of entries) expect(ip).toMatch(/^10\./);
    }
    expect(await env.DIRECTORY.prepare('SELECT count(*) AS n FROM account_acts').first('n')).toBe(0);
  });

  it('are recorded once, even if a cell was unavailable and the change is copied again', async () => {
    const other = await createWorld({ cell: 1 });
    await addMember(other, member, 'member');
    await setPassword(member.userId);
    const CELL_1 = createFaultyD1(env.CELL_1, () => 'overloaded').d1;
    const input = { password: PASSWORD, newPassword: 'another good password', endAccess: false };
    const browser = await signIn(member.userId);
    expect((await runForAccount(browser, changePassword, input, { CELL_1 } as Partial<Env>)).status).toBe(
      200,
    );
    expect([await readAuditTypes(world), await readAuditTypes(other)]).toEqual([['password.changed'], []]);
    await copyChangedPeople.run(openScope(), unlimitedAllowance);
    await copyChangedPeople.run(openScope(), unlimitedAllowance);
    expect([await readAuditTypes(world), await readAuditTypes(other)]).toEqual([
      ['password.changed'],
      ['password.changed'],
    ]);
  });

  it("record an account deletion as the person leaving, and no longer contain the person's IP addresses", async () => {
    const browser = new TestBrowser();
    await browser.signInAs(member);
    await browser.request(`/app/${world.id}/tasks`, { headers: browserHeaders });
    await setPassword(member.userId);
    const account = await signIn(member.userId);
    await runForAccount(account, deleteAccount, { email: member.email, password: PASSWORD });
    const entries = await readAuditEntries(world);
    expect(entries.map(({ type }) => type)).toEqual(['sign_in.succeeded', 'session.ended', 'member.left']);
    expect(entries.at(-1)).toMatchObject({ details: '{"reason":"account deleted"}' });
    await runCron('* * * * *');
    for (const entry of await readAuditEntries(world))
      expect(entry).toMatchObject({ ip: null, user_agent: null });
  });
});

describe('audit entries for invitations and memberships', () => {
  it('are recorded when an invitation is sent, resent, withdrawn or accepted', async () => {
    const stranger = (await createWorld()).people.member;
    const newcomer = createEmailAddress();
    const withdrawn = createEmailAddress();
    for (const email of [stranger.email, newcomer, withdrawn])
      await runOwnerForm(invitePeople, { email, role: 'member' });
    const { results } = await getCell(0)
      .prepare('SELECT id FROM invitations WHERE ws = ? ORDER BY id')
      .bind(world.no)
      .all<{ id: number }>();
    await runOwnerForm(resendInvitation, { id: results[2]?.id });
    await runOwnerForm(withdrawInvitation, { id: results[2]?.id });
    await runForAccount(await signIn(stranger.userId), acceptInvitation, {
      token: await readMailedToken(stranger.email, 'invitation'),
    });
    await runPublic(registerByInvitation, {
      token: await readMailedToken(newcomer, 'invitation'),
      name: 'New',
      password: PASSWORD,
    });
    const { owner } = world.people;
    expect(await readAuditEntries(world)).toMatchObject([
      { type: 'invitation.sent', actor: owner.member, subject_name: stranger.email },
      { type: 'invitation.sent', subject_name: newcomer },
      { type: 'invitation.sent', subject_name: withdrawn, details: '{"role":"member"}' },
      { type: 'invitation.resent', subject_name: withdrawn },
      { type: 'invitation.withdrawn', subject_name: withdrawn },
      { type: 'member.joined', credential_kind: 'browser', details: '{"role":"member"}' },
      { type: 'member.joined' },
    ]);
  });
});

describe('audit entries for deletions and calendar links', () => {
  it('contain the name of a deleted project, and record the deletion of a calendar link only once', async () => {
    const { id, name } = world.projects.joined;
    await runOwnerForm(deleteProject, { id, name });
    await runOwnerForm(renewCalendarFeed, {});
    await runOwnerForm(endCalendarFeed, {});
    await runOwnerForm(endCalendarFeed, {});
    expect(await readAuditEntries(world)).toMatchObject([
      { type: 'project.deleted', subject_name: name },
      { type: 'calendar_link.created' },
      { type: 'calendar_link.deleted' },
    ]);
  });

  it('are kept until the last rows of a deleted workspace are gone', async () => {
    const { body } = await api(world.people.owner.token).get('/me');
    await runOwnerForm(deleteWorkspace, { name: body.workspace.name });
    expect(await readAuditTypes(world)).toEqual(['workspace.deleted']);
    for (let turn = 0; turn < 4; turn += 1) await runCron('* * * * *');
    expect(await readAuditTypes(world)).toEqual([]);
  });
});

describe('audit entries for credentials', () => {
  it('are recorded when an API key is created, used for an audited change, or revoked', async () => {
    const key = await createApiKey(world.people.owner, 'Nightly report');
    const made = await api(key).post('/webhooks', { url: 'https://hooks.example.com/' });
    const { body } = await api(world.people.owner.token).get('/connected-apps');
    await api(world.people.owner.token).delete(`/connected-apps/${body.data[0].id}`);
    await api(world.people.owner.token).delete(`/connected-apps/${body.data[0].id}`);
    expect(made.status).toBe(201);
    expect(await readAuditEntries(world)).toMatchObject([
      { type: 'api_key.created', subject_name: 'Nightly report', details: '{"scopes":"all"}' },
      { type: 'webhook.created', credential_kind: 'api_key', credential_name: 'Nightly report' },
      { type: 'api_key.revoked', credential_kind: 'session_token', subject_name: 'Nightly report' },
    ]);
  });

  it('show the IP address from which a person authorized an app, and that the app revoked its token', async () => {
    const { workspace, browser, clientId } = await startFlow();
    const token = await obtainToken(browser, clientId, 'tasks:read');
    await postOAuth('revoke', { token, client_id: clientId });
    await postOAuth('revoke', { token, client_id: clientId });
    const entries = await readAuditEntries(workspace);
    expect(entries).toMatchObject([
      { type: 'app.authorized', credential_kind: 'browser', details: '{"scopes":"tasks:read"}' },
      { type: 'app.disconnected', credential_kind: 'oauth' },
    ]);
    expect(entries[0]?.ip).toMatch(/^10\./);
    expect(entries[0]?.actor).toBe(workspace.people.member.member);
  });

  it('have no actor if the operator revokes a credential', async () => {
    await createApiKey(member, 'Leaked');
    const open = (d1: D1Database) => new Database(d1, new CostMeter());
    const cells = new Map([0, 1].map((no) => [no, open(getCell(no))]));
    const before = await readLastAuditId(world);
    await revokeAccess({ directory: open(env.DIRECTORY), cells }, member.userId, Date.now());
    expect(await readAuditEntries(world, before)).toMatchObject([
      { type: 'access.revoked', actor: null, member: member.member, details: '{"kind":"sessions"}' },
      { type: 'access.revoked', member: member.member, subject_name: 'Leaked' },
    ]);
  });
});

it('the audit log records a CSV download with its file name', async () => {
  const browser = new TestBrowser();
  await browser.signInAs(world.people.owner);
  const answer = await browser.request(`/app/${world.id}/tasks.csv`, { headers: browserHeaders });
  expect(answer.status).toBe(200);
  await answer.text();
  const entry = (await readAuditEntries(world)).find(({ type }) => type === 'export.downloaded');
  expect(entry).toMatchObject({
    actor: world.people.owner.member,
    credential_kind: 'browser',
    subject_name: 'tasks.csv',
    ip: '203.0.113.7',
  });
});
