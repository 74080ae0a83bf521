import { beforeAll, expect, it, vi } from 'vitest';
import { readFormFields, TestBrowser } from '../../oauth/flow.ts';
import { env } from '../../support/env.ts';
import { createEmailAddress, PASSWORD, setPassword } from '../../support/people.ts';
import { createWorkspace, type Workspace } from '../../support/world.ts';
import { WorkspaceBrowser } from '../server/workspace-browser.ts';

let workspace: Workspace;
let owner: WorkspaceBrowser;

beforeAll(async () => {
  workspace = await createWorkspace({ cell: 1 });
  owner = await WorkspaceBrowser.signIn(workspace, workspace.people.owner);
});

async function findMailedLink(email: string): Promise<string> {
  const mail = await env.DIRECTORY.prepare('SELECT text FROM outbox WHERE recipient = ? ORDER BY id DESC')
    .bind(email)
    .first<{ text: string }>();
  const { pathname, search } = new URL(/https?:\/\/\S+/.exec(mail?.text ?? '')?.[0] ?? '');
  return pathname + search;
}

async function submitForm(browser: TestBrowser, page: string, fields: Record<string, string>) {
  const { pathname } = new URL(page, 'https://edgework.test');
  const form = readFormFields(await (await browser.get(page)).text(), pathname);
  return browser.post(pathname, { ...form, ...fields });
}

it('an emailed link resets the password once and signs out every browser', async () => {
  const { member } = workspace.people;
  await setPassword(member.userId);
  const old = await WorkspaceBrowser.signIn(workspace, member);
  const browser = new TestBrowser();
  const asked = await submitForm(browser, '/forgot-password', { email: member.email });
  const unknown = await submitForm(browser, '/forgot-password', { email: createEmailAddress() });
  expect([asked.status, await asked.text()]).toEqual([unknown.status, await unknown.text()]);
  const link = await findMailedLink(member.email);
  const short = await submitForm(browser, link, { password: 'short' });
  expect([short.status, await short.text()]).toEqual([
    400,
    expect.stringContaining('Use at least 10 characters.'),
  ]);
  expect((await submitForm(browser, link, { password: 'another long password' })).status).toBe(200);
  expect((await browser.get(link)).status).toBe(404);
  expect((await old.open('')).status).toBe(303);
  const signInWith = (password: string) =>
    submitForm(new TestBrowser(), '/sign-in', { email: member.email, password });
  expect((await signInWith(PASSWORD)).status).toBe(400);
  expect((await signInWith('another long password')).status).toBe(303);
});

it('a reset link stays valid if the reset fails because too many passwords are being hashed', async () => {
  const { lead } = workspace.people;
  const browser = new TestBrowser();
  await submitForm(browser, '/forgot-password', { email: lead.email });
  const link = await findMailedLink(lead.email);
  const form = readFormFields(await (await browser.get(link)).text(), '/reset-password');
  // With the clock set back, the queue for hashing passwords seems to be hours long.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3 * 60 * 60_000 });
  const busy = await browser.post('/reset-password', { ...form, password: 'a password to come' });
  vi.useRealTimers();
  expect([busy.status, busy.headers.get('Retry-After')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  expect(await busy.text()).toContain('<h1>Choose a new password</h1>');
  expect((await submitForm(browser, link, { password: 'a password to come' })).status).toBe(200);
});

async function inviteAndFindLink(email: string): Promise<string> {
  const sent = await owner.send('/people', '/people/invitations', { email, role: 'member', projectIds: '' });
  expect(sent.status).toBe(303);
  return findMailedLink(email);
}

it('accepting an invitation creates an account that belongs only to the inviting workspace, and signs the person in', async () => {
  const link = await inviteAndFindLink(createEmailAddress());
  const browser = new TestBrowser();
  expect(await (await browser.get(link)).text()).toContain(workspace.people.owner.name);
  const wrong = await submitForm(browser, link, { name: 'New Here', password: 'short' });
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('value="New Here"')]);
  const joined = await submitForm(browser, link, { name: 'New Here', password: PASSWORD });
  expect([joined.status, joined.headers.get('Location')]).toEqual([303, owner.base]);
  expect((await browser.get(owner.base)).status).toBe(200);
  expect((await browser.get('/app')).headers.get('Location')).toBe(owner.base);
  expect((await new TestBrowser().get(link)).status).toBe(404);
});

it('a person with an account can accept an invitation', async () => {
  const { people } = await createWorkspace({ cell: 0 });
  const link = await inviteAndFindLink(people.lead.email);
  const visitor = new TestBrowser();
  expect(await (await visitor.get(link)).text()).toContain('Sign in to join');
  const stranger = new TestBrowser();
  await stranger.signIn(people.admin);
  const page = await (await stranger.get(link)).text();
  expect(page).not.toContain('action="/invitation"');
  const leave = readFormFields(page, '/sign-out');
  const token = new URL(link, 'https://edgework.test').searchParams.get('token') ?? '';
  const rejected = await stranger.post('/invitation', { ...leave, token });
  expect([rejected.status, await rejected.text()]).toEqual([403, expect.stringContaining(people.lead.email)]);
  expect((await stranger.post('/sign-out', leave)).status).toBe(303);
  expect(await (await stranger.get(link)).text()).toContain('Sign in to join');
  await visitor.signIn(people.lead);
  const joined = await submitForm(visitor, link, {});
  expect([joined.status, joined.headers.get('Location')]).toEqual([303, owner.base]);
  expect((await visitor.get(owner.base)).status).toBe(200);
});
