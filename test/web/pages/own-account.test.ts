import { beforeEach, describe, expect, it } from 'vitest';
import { readFormFields, TestBrowser } from '../../oauth/flow.ts';
import { api, ORIGIN } from '../../support/api.ts';
import { env } from '../../support/env.ts';
import { createEmailAddress, PASSWORD, setPassword } from '../../support/people.ts';
import { createWorkspace, type Person, type Workspace } from '../../support/world.ts';
import { WorkspaceBrowser } from '../server/workspace-browser.ts';

let workspace: Workspace;
let me: Person;
let browser: TestBrowser;

beforeEach(async () => {
  workspace = await createWorkspace({ cell: 1 });
  me = workspace.people.member;
  browser = new TestBrowser();
  await browser.signIn(me);
});

const openPage = async (path = '/account') => (await browser.get(path)).text();

async function submitForm(action: string, fields: Record<string, string>, from = browser, page = '/account') {
  const answer = await from.post(action, {
    ...readFormFields(await (await from.get(page)).text(), action),
    ...fields,
  });
  return { status: answer.status, location: answer.headers.get('Location'), html: await answer.text() };
}

const readProfile = async (person: Person) =>
  env.DIRECTORY.prepare('SELECT name, email, image FROM users WHERE id = ?').bind(person.userId).first();

async function findMailTo(email: string): Promise<string> {
  const mail = await env.DIRECTORY.prepare('SELECT text FROM outbox WHERE recipient = ? ORDER BY id DESC')
    .bind(email)
    .first<{ text: string }>();
  return mail?.text ?? '';
}

describe('the account page', () => {
  it('redirects a signed-out person to sign in', async () => {
    const stranger = new TestBrowser();
    const answer = await stranger.get('/account');
    expect(answer.headers.get('Location')).toBe('/sign-in?next=%2Faccount');
  });

  it('changes the name in every workspace, and shows a confirmation', async () => {
    const answer = await submitForm('/account/name', { name: 'Ada "New"' });
    expect([answer.status, answer.location]).toEqual([303, '/account?done=name']);
    expect(await openPage(answer.location ?? '')).toContain('Name updated');
    expect((await readProfile(me))?.name).toBe('Ada "New"');
    expect((await api(workspace.people.owner.token).get(`/users/${me.userId}`)).body.name).toBe('Ada "New"');
    const blank = await submitForm('/account/name', { name: ' ' });
    expect(blank.status).toBe(400);
    expect(blank.html).toContain('id="name-problem"');
    expect(blank.html.match(/aria-invalid/g)).toHaveLength(1);
  });

  it('ignores unknown messages in its URL', async () => {
    expect(await openPage('/account?done=constructor')).not.toContain('role="status"');
    expect(await openPage('/account?done=<b>')).not.toContain('<b>');
  });

  it('changes the email address with a link sent to the new address', async () => {
    const email = createEmailAddress();
    const wrong = await submitForm('/account/email', { email, password: 'not it at all' });
    expect(wrong.status).toBe(400);
    expect(wrong.html).toContain('id="email-password-problem">The password isn&#39;t your current password');
    expect(wrong.html).toContain(`value="${email}"`);
    expect((await submitForm('/account/email', { email, password: PASSWORD })).location).toBe(
      '/account?done=mail',
    );
    const [, link = ''] = /(\/confirm-email\?token=\S+)/.exec(await findMailTo(email)) ?? [];
    const visitor = new TestBrowser();
    expect((await visitor.get(link)).status).toBe(200);
    expect((await readProfile(me))?.email).toBe(me.email);
    const confirmed = await submitForm('/confirm-email', {}, visitor, link);
    expect(confirmed.status).toBe(200);
    expect((await readProfile(me))?.email).toBe(email);
    expect(await findMailTo(me.email)).toContain('now has a different email address');
    const again = await submitForm('/confirm-email', {}, visitor, link);
    expect([again.status, again.html]).toEqual([404, expect.stringContaining('no longer works')]);
  });

  it('changes the password, and signs out other browsers', async () => {
    const other = new TestBrowser();
    await other.signIn(me);
    const short = await submitForm('/account/password', { password: PASSWORD, newPassword: 'short' });
    expect(short.html).toContain('id="newPassword-problem"');
    expect(short.html).not.toContain(PASSWORD);
    const answer = await submitForm('/account/password', {
      password: PASSWORD,
      newPassword: 'one to remember',
    });
    expect(answer.location).toBe('/account?done=password');
    expect((await other.get('/account')).status).toBe(303);
    expect((await browser.get('/account')).status).toBe(200);
    await setPassword(me.userId);
  });

  it('lists signed-in browsers, and can sign one of them out', async () => {
    const other = new TestBrowser();
    await other.signIn(me);
    const html = await openPage();
    expect(html.match(/This browser/g)).toHaveLength(1);
    expect((await submitForm('/account/browsers/sign-out', {})).status).toBe(303);
    expect((await other.get('/account')).status).toBe(303);
    expect((await browser.get('/account')).status).toBe(200);
  });

  it("downloads the account's data, without secrets, and only for the signed-in person", async () => {
    const answer = await browser.get('/account/data.json');
    expect(answer.headers.get('Content-Disposition')).toContain('attachment');
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({
      account: { id: me.userId, email: me.email, name: me.name },
      browsers: [{ signedInAt: expect.any(String) }],
      workspaces: [{ id: workspace.id, role: 'member' }],
      apps: [],
    });
    expect(text).not.toMatch(/hash|token|secret/i);
    const stranger = await new TestBrowser().get('/account/data.json');
    expect([stranger.status, stranger.headers.get('Location')]).toEqual([
      303,
      '/sign-in?next=%2Faccount%2Fdata.json',
    ]);
  });

  it('creates a second workspace, and opens it', async () => {
    const answer = await submitForm('/account/workspaces', { name: 'Garden club' });
    expect(answer.location).toMatch(/^\/app\/ws_/);
    expect(await openPage(answer.location ?? '')).toContain('Garden club');
    expect(await openPage()).toContain('Garden club');
    expect((await submitForm('/account/workspaces', { name: '' })).html).toContain(
      'id="workspace-name-problem"',
    );
  });
});

describe('a profile picture', () => {
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
  const postForm = async (bytes: Uint8Array, csrf?: string, headers: Record<string, string> = {}) => {
    const form = new FormData();
    const given = readFormFields(await openPage(), '/account/picture');
    form.set('csrf', csrf ?? given.csrf ?? '');
    form.set('once', given.once ?? '');
    form.set('bytes', new File([bytes], 'me.png', { type: 'image/png' }));
    const { body, headers: own } = new Request(ORIGIN, { method: 'POST', body: form });
    const type = { 'Content-Type': own.get('Content-Type') ?? '' };
    return browser.request('/account/picture', { method: 'POST', body, headers: { ...type, ...headers } });
  };

  it('is displayed after the upload, and can be removed', async () => {
    expect((await postForm(png)).headers.get('Location')).toBe('/account?done=picture');
    const [, address = ''] = /<img class="portrait" src="([^"]+)"/.exec(await openPage()) ?? [];
    expect((await browser.get(new URL(address).pathname)).headers.get('Content-Type')).toBe('image/png');
    expect((await submitForm('/account/picture/remove', {})).location).toBe('/account?done=picture');
    expect((await readProfile(me))?.image).toBeNull();
  });

  it('is rejected if it has the wrong type, is too large, or comes from another origin', async () => {
    const text = await postForm(new TextEncoder().encode('<svg/>'));
    expect([text.status, await text.text()]).toEqual([400, expect.stringContaining('id="bytes-problem"')]);
    expect((await postForm(new Uint8Array(2 * 1024 * 1024 + 1))).status).toBe(400);
    expect((await postForm(png, 'x'.repeat(43))).status).toBe(403);
    expect((await postForm(png, undefined, { Origin: 'https://evil.example' })).status).toBe(403);
    expect((await readProfile(me))?.image).toBeNull();
  });
});

it('a form from an older version of the account page is rejected with a message', async () => {
  const answer = await submitForm('/account/name', { name: 'Somebody', nickname: 'S' });
  expect([answer.status, answer.html]).toEqual([
    400,
    expect.stringContaining('This form is out of date. Reload the page and try again.'),
  ]);
});

describe('deleting an account', () => {
  it('requires the email address and password, and ends all access', async () => {
    const wrong = await submitForm('/account/remove', { email: 'other@example.com', password: PASSWORD });
    expect([wrong.status, wrong.html]).toEqual([400, expect.stringContaining('id="typed-email-problem"')]);
    expect(wrong.html).toContain('<details class="confirmation" open="">');
    const answer = await submitForm('/account/remove', { email: me.email, password: PASSWORD });
    expect([answer.status, answer.location]).toEqual([303, '/']);
    expect((await browser.get('/account')).status).toBe(303);
    expect((await readProfile(me))?.name).toBe('Former member');
  });

  it('is rejected while the person is the only owner of a workspace', async () => {
    const { owner } = workspace.people;
    const visitor = new TestBrowser();
    await visitor.signIn(owner);
    const answer = await submitForm('/account/remove', { email: owner.email, password: PASSWORD }, visitor);
    expect([answer.status, answer.html]).toEqual([400, expect.stringContaining('You are the only owner of')]);
    expect((await readProfile(owner))?.email).toBe(owner.email);
  });
});

it('a person who has left their last workspace can open the account page and create a new workspace', async () => {
  const screens = await WorkspaceBrowser.signIn(workspace, me);
  expect((await screens.send('/people', '/leave')).status).toBe(303);
  const visitor = new TestBrowser();
  await visitor.signIn(me);
  const html = await (await visitor.get('/app')).text();
  expect(html).toContain('not in a workspace');
  expect((await visitor.get('/account')).status).toBe(200);
  const made = await submitForm('/account/workspaces', { name: 'A new start' }, visitor, '/app');
  expect(await (await visitor.get(made.location ?? '')).text()).toContain('Get started');
});

it.each(['name', 'email', 'password', 'workspaces', 'remove', 'browsers/sign-out-others'])(
  'a form posted to /account/%s is accepted only from the account page',
  async (path) => {
    const fields = readFormFields(await openPage(), '/account/name');
    const postForm = (changes: Record<string, string>, headers = {}) =>
      browser.post(`/account/${path}`, { ...fields, name: 'Stolen', ...changes }, headers);
    expect((await postForm({ csrf: 'x'.repeat(43) })).status).toBe(403);
    expect((await postForm({}, { Origin: 'https://evil.example' })).status).toBe(403);
    expect((await readProfile(me))?.name).toBe(me.name);
  },
);
