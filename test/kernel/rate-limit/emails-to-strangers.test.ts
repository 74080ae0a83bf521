import { expect, it } from 'vitest';
import { requestEmailChange } from '../../../src/accounts/own/change-profile.ts';
import { invitePeople, resendInvitation } from '../../../src/workspaces/invitations/invite.ts';
import { runForAccount, signIn } from '../../support/accounts.ts';
import { env, getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { createEmailAddress } from '../../support/people.ts';
import { createWorkspace } from '../../support/world.ts';

const countEmailsTo = (email: string) =>
  env.DIRECTORY.prepare('SELECT count(*) AS n FROM outbox WHERE recipient = ?').bind(email).first('n');

/** Creates a workspace whose owner has no password, so that requests don't have to contain it. */
async function createOwnerWithoutPassword() {
  const workspace = await createWorkspace({ members: { owner: 'owner' } });
  return { ...workspace.people.owner, workspace };
}

async function repeatRequest(count: number, ask: () => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = [];
  for (let each = 0; each < count; each += 1) statuses.push((await ask()).status);
  return statuses;
}

it('an account can send ten requests an hour to change its email address, at most five for the same address', async () => {
  const { userId } = await createOwnerWithoutPassword();
  const browser = await signIn(userId);
  const victim = createEmailAddress();
  const requestChange = (email: string) => runForAccount(browser, requestEmailChange, { email });
  expect(await repeatRequest(7, () => requestChange(victim))).toEqual([200, 200, 200, 200, 200, 429, 429]);
  expect(await countEmailsTo(victim)).toBe(5);
  expect(await repeatRequest(4, () => requestChange(createEmailAddress()))).toEqual([200, 200, 200, 429]);
});

it('a workspace can send five invitations an hour to the same address, including resent invitations', async () => {
  const { token, workspace } = await createOwnerWithoutPassword();
  const victim = createEmailAddress();
  const invite = (email = victim) => runForm(token, invitePeople, { email, role: 'member' });
  expect(await repeatRequest(3, invite)).toEqual([200, 200, 200]);
  const id = await getCell(workspace.cell)
    .prepare('SELECT max(id) AS id FROM invitations WHERE ws = ?')
    .bind(workspace.no)
    .first('id');
  expect(await repeatRequest(3, () => runForm(token, resendInvitation, { id }))).toEqual([200, 200, 429]);
  expect((await invite(victim.toUpperCase())).status).toBe(429);
  expect(await countEmailsTo(victim)).toBe(5);
  expect((await invite(createEmailAddress())).status).toBe(200);
});

it('all senders together can send twenty emails an hour to the same address', async () => {
  const victim = createEmailAddress();
  const statuses: number[] = [];
  for (let each = 0; each < 6; each += 1) {
    const { token } = await createOwnerWithoutPassword();
    statuses.push(
      ...(await repeatRequest(4, () => runForm(token, invitePeople, { email: victim, role: 'member' }))),
    );
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(20);
  expect(await countEmailsTo(victim)).toBe(20);
});

it('an invitation to several addresses counts once per address, and is rejected if one address is at its limit', async () => {
  const { token } = await createOwnerWithoutPassword();
  const victim = createEmailAddress();
  const invite = (emails: readonly string[]) =>
    runForm(token, invitePeople, { email: emails.join(' '), role: 'member' });
  const createAddresses = (count: number) => Array.from({ length: count }, createEmailAddress);
  expect(await repeatRequest(5, () => invite([...createAddresses(8), victim]))).toEqual([
    200, 200, 200, 200, 200,
  ]);
  const unsent = createEmailAddress();
  expect((await invite([unsent, victim])).status).toBe(429);
  expect(await countEmailsTo(unsent)).toBe(0);
  // 45 of the 60 emails that a workspace may send per hour have been counted.
  expect(await repeatRequest(2, () => invite(createAddresses(10)))).toEqual([200, 429]);
});

it('an invitation rejected because of one address returns that address in the error, and counts toward no limit', async () => {
  const { token } = await createOwnerWithoutPassword();
  const [victim, other] = [createEmailAddress(), createEmailAddress()];
  const invite = (emails: readonly string[]) =>
    runForm(token, invitePeople, { email: emails.join(' '), role: 'member' });
  const createAddresses = (count: number) => Array.from({ length: count }, createEmailAddress);
  expect(await repeatRequest(5, () => invite([victim]))).toEqual([200, 200, 200, 200, 200]);
  for (let each = 0; each < 6; each += 1) {
    const { status, body } = await invite([other, victim]);
    expect(status).toBe(429);
    expect(body.error.message).toMatch(
      new RegExp(`^Too many emails to ${victim}\\. Try again in (\\d+ minutes|1 hour)\\.$`),
    );
  }
  expect(await repeatRequest(5, () => invite([other]))).toEqual([200, 200, 200, 200, 200]);
  expect(await repeatRequest(4, () => invite(createAddresses(10)))).toEqual([200, 200, 200, 200]);
  // 50 of the 60 emails that a workspace may send per hour have been counted.
  expect(await repeatRequest(2, () => invite(createAddresses(6)))).toEqual([200, 429]);
  expect((await invite(createAddresses(4))).status).toBe(200);
});
