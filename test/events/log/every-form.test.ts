import { expect, it } from 'vitest';
import type { AnyOperation } from '../../../src/kernel/operation/operation.ts';
import { acceptInvitation, registerByInvitation } from '../../../src/workspaces/invitations/accept.ts';
import { invitePeople } from '../../../src/workspaces/invitations/invite.ts';
import { runForAccount, runPublic, signIn } from '../../support/accounts.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { formOperations } from '../../support/operations.ts';
import { createEmailAddress, PASSWORD, readMailedToken, setPassword } from '../../support/people.ts';
import { createWorld, type World } from '../../support/world.ts';
import { formEvents } from './form-cases.ts';

/**
 * Forms that `formEvents` doesn't contain, each with the place of its test or the reason why the form logs no event.
 */
const formsTestedElsewhere: Record<string, string> = {
  deleteProject: 'logged when its last slice is deleted; test/projects/deletion',
  deleteWorkspace: 'no one can read the events of a deleted workspace',
  invitePeople: 'no one has joined yet',
  resendInvitation: 'no one has joined yet',
  withdrawInvitation: 'no one has joined yet',
  acceptInvitation: 'below',
  registerByInvitation: 'below',
  changeName: 'below',
  setPicture: 'below',
  removePicture: 'below',
  deleteAccount: 'below',
  recordExport: 'nothing changes, and the audit log records it',
  createWorkspace: 'its creator is the only reader',
  requestPasswordReset: 'credentials of one person',
  resetPassword: 'credentials of one person',
  changePassword: 'credentials of one person',
  requestEmailChange: 'credentials of one person',
  confirmEmail: 'below',
  renewCalendarFeed: 'credentials of one person',
  endCalendarFeed: 'credentials of one person',
  createPublicLink: 'access for visitors; the audit log records it',
  updatePublicLink: 'access for visitors; the audit log records it',
  revokePublicLink: 'access for visitors; the audit log records it',
  createIntakeForm: 'access for visitors; the audit log records it',
  updateIntakeForm: 'access for visitors; the audit log records it',
  deleteIntakeForm: 'access for visitors; the audit log records it',
  submitIntakeForm: 'test/sharing/intake',
  restoreNotification: 'the inbox of one person',
  setMailPreferences: 'the mail of one person',
  setPushTypes: 'the push notifications of one person',
  subscribeToPush: 'the push notifications of one person',
  unsubscribeFromPush: 'the push notifications of one person',
  testPush: 'changes nothing',
  rejectChangeSet: 'changes that were never made',
  saveFilter: 'changes a view, not the data (docs/adr/0031)',
  renameSavedFilter: 'changes a view, not the data',
  replaceSavedFilter: 'changes a view, not the data',
  deleteSavedFilter: 'changes a view, not the data',
  signOutBrowserById: 'credentials of one person',
  createOwnApp: 'belongs to a person, not to a workspace',
  updateOwnApp: 'belongs to a person, not to a workspace',
  deleteOwnApp: 'belongs to a person, not to a workspace',
  signOutOtherBrowsers: 'credentials of one person',
  createBotKey: 'credentials of one bot',
  revokeBotKey: 'credentials of one bot',
};

const readNewestSeq = async ({ cell, no }: World) =>
  (
    await getCell(cell)
      .prepare('SELECT max(seq) AS seq FROM events WHERE ws = ?')
      .bind(no)
      .first<{ seq: number | null }>()
  )?.seq ?? 0;
const listTypesAfter = async ({ cell, no }: World, seq: number) =>
  (
    await getCell(cell)
      .prepare('SELECT type FROM events WHERE ws = ? AND seq > ? ORDER BY seq')
      .bind(no, seq)
      .all<{ type: string }>()
  ).results.map(({ type }) => type);
const findForm = (name: string) => formOperations.find((each) => each.name === name) as AnyOperation;

it('every form that writes has a test of its events, or a reason to log none', () => {
  const writing = formOperations.filter(({ effect }) => effect === 'write').map(({ name }) => name);
  expect(writing.sort()).toEqual([...Object.keys(formEvents), ...Object.keys(formsTestedElsewhere)].sort());
});

for (const [name, { logs, input, by = 'owner' }] of Object.entries(formEvents)) {
  it(`${name} logs ${logs.join(', ')}`, async () => {
    const world = await createWorld();
    const given = await input(world);
    const before = await readNewestSeq(world);
    expect((await runForm(world.people[by].token, findForm(name), given)).status).toBe(200);
    expect(await listTypesAfter(world, before)).toEqual(logs);
  });
}

it('joining with an existing or a new account logs an event', async () => {
  const world = await createWorld();
  const stranger = (await createWorld()).people.member;
  const newcomer = createEmailAddress();
  for (const email of [stranger.email, newcomer]) {
    await runForm(world.people.owner.token, invitePeople, { email, role: 'member' });
  }
  const before = await readNewestSeq(world);
  const accepted = await runForAccount(await signIn(stranger.userId), acceptInvitation, {
    token: await readMailedToken(stranger.email, 'invitation'),
  });
  expect([accepted.status, await listTypesAfter(world, before)]).toEqual([200, ['member.joined']]);
  const registered = await runPublic(registerByInvitation, {
    token: await readMailedToken(newcomer, 'invitation'),
    name: 'New',
    password: PASSWORD,
  });
  expect([registered.status, await listTypesAfter(world, before)]).toEqual([
    200,
    ['member.joined', 'member.joined'],
  ]);
});

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]);

it("a change to a person is logged without the person's name, picture or email address", async () => {
  const world = await createWorld();
  const { member } = world.people;
  await setPassword(member.userId);
  const browser = await signIn(member.userId);
  const started = await readNewestSeq(world);
  const email = createEmailAddress();
  for (const [name, input] of [
    ['changeName', { name: 'Another Name' }],
    ['setPicture', { bytes: PNG }],
    ['removePicture', {}],
    ['requestEmailChange', { email, password: PASSWORD }],
  ] as const) {
    expect([name, (await runForAccount(browser, findForm(name), input)).status]).toEqual([name, 200]);
  }
  const confirmed = await runPublic(findForm('confirmEmail'), {
    token: await readMailedToken(email, 'confirm-email'),
  });
  expect(confirmed.status).toBe(200);
  const formEvents = await getCell(world.cell)
    .prepare('SELECT type, entity, changes FROM events WHERE ws = ? AND seq > ? ORDER BY seq')
    .bind(world.no, started)
    .all();
  const buildUpdateEvent = (changes: string) => ({ type: 'member.updated', entity: member.userId, changes });
  expect(formEvents.results).toEqual([
    buildUpdateEvent('{"name":{}}'),
    buildUpdateEvent('{"image":{}}'),
    buildUpdateEvent('{"image":{}}'),
    buildUpdateEvent('{"email":{}}'),
  ]);
});

it('deleting an account logs that the person left', async () => {
  const world = await createWorld();
  const { member } = world.people;
  await setPassword(member.userId);
  const before = await readNewestSeq(world);
  const { status } = await runForAccount(await signIn(member.userId), findForm('deleteAccount'), {
    email: member.email,
    password: PASSWORD,
  });
  expect(status).toBe(200);
  expect(await listTypesAfter(world, before)).toEqual(['member.removed']);
});
