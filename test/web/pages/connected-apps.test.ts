import { beforeAll, describe, expect, it } from 'vitest';
import { assets } from '../../../src/web/page-model/assets.ts';
import { readFormFields, TestBrowser, unescapeHtml } from '../../oauth/flow.ts';
import { api } from '../../support/api.ts';
import { addMember, createApiKey, createWorkspace, type Workspace } from '../../support/world.ts';

let workspace: Workspace;
let browser: TestBrowser;

beforeAll(async () => {
  workspace = await createWorkspace({ cell: 1 });
  browser = new TestBrowser();
  await browser.signIn(workspace.people.owner);
});

const openPage = async (query = '') => (await browser.get(`/connected-apps${query}`)).text();
const readKey = (html: string) => /<textarea id="key"[^>]*>([^<]+)</.exec(html)?.[1] ?? '';

async function createKey(name: string, visitor = browser) {
  const form = readFormFields(await (await visitor.get('/connected-apps')).text(), '/connected-apps');
  return visitor.post('/connected-apps', { ...form, name });
}

it('the Connected apps page redirects a signed-out person to the sign-in page, with its own URL as `next`', async () => {
  const answer = await new TestBrowser().get('/connected-apps?workspace=ws_1');
  expect(answer.headers.get('Location')).toBe('/sign-in?next=%2Fconnected-apps%3Fworkspace%3Dws_1');
});

it('a new key works and is displayed once, in a field that can be selected without JavaScript', async () => {
  const answer = await createKey('Nightly <report>');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  expect(answer.headers.get('Content-Security-Policy')).toContain("script-src 'self'");
  const html = await answer.text();
  expect(html).toMatch(/<textarea id="key"[^>]* readonly/);
  expect(html).toContain(`<script type="module" src="${assets.app}"`);
  expect(html).toContain('Nightly &lt;report&gt;');
  const key = readKey(html);
  expect((await api(key).get('/me')).body).toMatchObject({ workspace: { id: workspace.id }, role: 'owner' });
  expect(await openPage()).not.toContain(key);
});

it('a key form submitted twice creates one key, and the second response explains that the key was already shown', async () => {
  const session = api(workspace.people.owner.token);
  const form = { ...readFormFields(await openPage(), '/connected-apps'), name: 'Sent twice' };
  const first = readKey(await (await browser.post('/connected-apps', form)).text());
  const { total } = (await session.get('/connected-apps')).body.meta;
  const again = await browser.post('/connected-apps', form);
  const html = await again.text();
  expect(again.status).toBe(200);
  expect(html).toContain('This key already exists');
  expect(html).not.toContain(first);
  expect((await session.get('/connected-apps')).body.meta.total).toBe(total);
});

it('the key form can create read-only keys, keys with selected scopes, and keys that expire', async () => {
  const submitKeyForm = async (fields: Record<string, string>) => {
    const form = { ...readFormFields(await openPage(), '/connected-apps'), name: 'Narrow', ...fields };
    const html = await (await browser.post('/connected-apps', form)).text();
    return { html, item: (await api(workspace.people.owner.token).get('/connected-apps')).body.data[0] };
  };
  const { html, item } = await submitKeyForm({ may: 'read', expiresOn: '2031-05-06' });
  expect(item.scopes.filter((scope: string) => !scope.endsWith(':read'))).toEqual([]);
  expect(item.expiresAt).toBe('2031-05-06T23:59:59.999Z');
  expect(html).toContain('Read-only');
  expect(html).toContain('6 May 2031');
  expect((await submitKeyForm({ may: 'some', scopes: 'time:read', expiresOn: '' })).item.scopes).toEqual([
    'time:read',
  ]);
  expect((await submitKeyForm({ may: 'all', scopes: 'time:read', expiresOn: '' })).item).not.toHaveProperty(
    'expiresAt',
  );
});

it.each([
  ['a blank name', 'name', { name: '  ' }],
  ['no scope', 'scopes', { may: 'some' }],
  ['an expiry date in the past', 'expiresOn', { expiresOn: '2020-01-01' }],
])('the key form shows an error next to the field for %s', async (_what, field, fields) => {
  const form = {
    ...readFormFields(await openPage(), '/connected-apps'),
    name: 'Of "mine"',
    expiresOn: '',
    ...fields,
  };
  const answer = await browser.post('/connected-apps', form);
  const html = await answer.text();
  expect(answer.status).toBe(400);
  expect(html).toContain(`id="${field}-problem"`);
  expect(html.match(/aria-invalid/g)).toHaveLength(1);
  expect(html).not.toContain('class="alert"');
  expect(unescapeHtml(html)).toContain(`value="${form.name}"`);
});

it('the Connected apps page shows who is signed in', async () => {
  expect(await openPage()).toContain(
    `<strong class="wrap-anywhere">${workspace.people.owner.email}</strong>`,
  );
});

it('a revoked key stops working immediately', async () => {
  const html = await (await createKey('To be revoked')).text();
  const form = readFormFields(html, '/connected-apps/revoke');
  const answer = await browser.post('/connected-apps/revoke', form);
  expect(answer.headers.get('Location')).toBe(`/connected-apps?workspace=${workspace.id}`);
  expect((await api(readKey(html)).get('/me')).status).toBe(401);
  expect(await openPage()).toContain('Revoked or expired');
});

describe('the Connected apps page rejects a form and changes nothing', () => {
  it.each([
    ['a blank name', { name: '  ' }, 400],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 400],
    ['a wrong CSRF token', { csrf: 'x' }, 403],
    ['a workspace that the person is not a member of', { workspace: 'ws_other' }, 404],
    ['no workspace', { workspace: '' }, 404],
  ])('if it has %s', async (_what, changes, status) => {
    const session = api(workspace.people.owner.token);
    const { total } = (await session.get('/connected-apps')).body.meta;
    const form = { ...readFormFields(await openPage(), '/connected-apps'), name: 'Fine', ...changes };
    expect((await browser.post('/connected-apps', form)).status).toBe(status);
    expect((await session.get('/connected-apps')).body.meta.total).toBe(total);
  });

  it("if it revokes another person's key", async () => {
    const key = await createApiKey(workspace.people.admin);
    const [{ id }] = (await api(workspace.people.admin.token).get('/connected-apps')).body.data;
    const form = readFormFields(await openPage(), '/connected-apps');
    const answer = await browser.post('/connected-apps/revoke', { ...form, id: String(id) });
    expect(answer.status).toBe(404);
    expect((await api(key).get('/me')).status).toBe(200);
  });
});

it('the Connected apps page lists the keys of only one workspace at a time', async () => {
  const second = await createWorkspace({ cell: 0, name: 'Second & last' });
  await addMember(second, workspace.people.lead, 'admin');
  const own = new TestBrowser();
  await own.signIn(workspace.people.lead);
  expect((await createKey('First key', own)).status).toBe(200);
  const page = await (await own.get(`/connected-apps?workspace=${second.id}`)).text();
  expect(unescapeHtml(page)).toContain('Second & last');
  expect(page).not.toContain('First key');
  const created = await own.post('/connected-apps', {
    ...readFormFields(page, '/connected-apps'),
    name: 'Second key',
  });
  const key = readKey(await created.text());
  expect((await api(key).get('/me')).body.workspace.id).toBe(second.id);
});
