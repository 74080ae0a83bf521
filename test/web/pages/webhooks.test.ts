import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from '../../support/api.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import {
  createWebhook,
  deliverAll,
  openReceiver,
  openReceivers,
  readWebhook,
  verifySignature,
} from '../../webhooks/delivery/receivers.ts';
import { readHiddenFields, WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;
let member: WorkspaceBrowser;
let owner: WorkspaceBrowser;

beforeAll(async () => {
  world = await createWorld({ cell: 1 });
  const { people } = world;
  [member, owner] = await Promise.all([
    WorkspaceBrowser.signIn(world, people.member),
    WorkspaceBrowser.signIn(world, people.owner),
  ]);
});
beforeEach(() => void openReceivers());
afterEach(() => vi.restoreAllMocks());

const readSecret = (html: string) => /<textarea id="key"[^>]*>([^<]+)</.exec(html)?.[1] ?? '';
const countWebhooks = async () => (await api(world.people.member.token).get('/webhooks')).body.meta.total;

it('a webhook form creates one webhook and shows its secret once, however often the form is submitted', async () => {
  const receiver = openReceiver();
  const { html } = await member.open('/webhooks');
  const form = {
    ...readHiddenFields(html, `${member.base}/webhooks`),
    url: receiver.url,
    description: 'Mirror',
    projectId: '',
    types: 'task.created',
    batch: 'true',
  };
  const made = await member.post('/webhooks', form);
  expect([made.status, made.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
  const secret = readSecret(made.html);
  expect(secret).toMatch(/^whsec_/);
  const total = await countWebhooks();
  const again = await member.post('/webhooks', form);
  expect(again.status).toBe(400);
  expect(again.html).toContain('the new secret is shown only once');
  expect(again.html).not.toContain(secret);
  expect((await member.open('/webhooks')).html).not.toContain(secret);
  expect(await countWebhooks()).toBe(total);

  const [webhook] = (await api(world.people.member.token).get('/webhooks')).body.data;
  expect(webhook).toMatchObject({ types: ['task.created'], batch: true, project: null, madeWith: 'session' });
  await createTask(world.people.owner, world.projects.joined.id);
  await deliverAll(world);
  expect(() => verifySignature(secret, receiver.messages[0] as never)).not.toThrow();
  const { html: page } = await member.open(`/webhooks/${webhook.id}`);
  expect(page).toMatch(/200 <small>\d+ ms<\/small>/);
});

it('a webhook form shows an error next to an invalid URL, and keeps the typed values', async () => {
  const answer = await member.send('/webhooks', '/webhooks', {
    url: 'http://10.0.0.1/hook',
    description: 'Not "there"',
  });
  expect(answer.status).toBe(400);
  expect(answer.html).toContain('id="url-problem">The URL must begin with https://');
  expect(answer.html).toContain('value="http://10.0.0.1/hook"');
  expect(answer.html).toContain('value="Not &quot;there&quot;"');
  expect(answer.html).not.toContain('class="alert"');
});

describe('a webhook', () => {
  let id: number;
  let page: string;
  const receiver = openReceiver();
  beforeAll(async () => {
    openReceivers();
    ({ id } = await createWebhook(world.people.member.token, receiver.url));
    page = `/webhooks/${id}`;
  });
  const readCurrent = () => readWebhook(world.people.member, id);

  it('can be paused and resumed', async () => {
    expect((await member.send(page, page, { status: 'paused' })).status).toBe(303);
    expect((await readCurrent()).status).toBe('paused');
    expect((await member.open(page)).html).toContain('Paused');
    expect((await member.send(page, page, { status: 'active' })).status).toBe(303);
    expect((await readCurrent()).status).toBe('active');
  });

  it('can be changed, and receives all events if no event type is selected', async () => {
    const changeWebhook = async (fields: Record<string, string>) => {
      const { html } = await member.open(page);
      const form = readHiddenFields(html, member.base + page, { url: '' });
      return member.post(page, { ...form, url: receiver.url, ...fields });
    };
    expect((await changeWebhook({ types: 'task.updated', description: 'Changed' })).status).toBe(303);
    expect(await readCurrent()).toMatchObject({ types: ['task.updated'], description: 'Changed' });
    expect((await changeWebhook({ description: '' })).status).toBe(303);
    expect(await readCurrent()).toMatchObject({ types: null, description: null, batch: false });
  });

  it("can be tested, and its page shows the receiver's response to an owner, but not to a member", async () => {
    receiver.answer = () => new Response('<b>no</b>', { status: 503 });
    expect((await member.send(page, `${page}/test`)).status).toBe(303);
    expect(receiver.messages.at(-1)?.body.type).toBe('webhook.test');
    const { html } = await member.open(page);
    expect(html).toContain('class="result failed"');
    expect(html).not.toContain('&lt;b&gt;no');
    expect((await owner.open(page)).html).toContain('&lt;b&gt;no&lt;/b&gt;</pre>');
    receiver.answer = () => new Response('ok');
  });

  it('can resend events, starting at the selected one', async () => {
    await createTask(world.people.owner, world.projects.joined.id);
    await deliverAll(world);
    const first = receiver.events().find(({ type }) => type === 'task.created');
    const { length } = receiver.events();
    const again = await member.send(page, `${page}/replay`, { after: String((first?.seq ?? 0) - 1) });
    expect(again.status).toBe(303);
    await deliverAll(world);
    expect(receiver.events().slice(length)[0]?.seq).toBe(first?.seq);
    const rejected = await member.send(page, `${page}/replay`, { after: '999999' });
    expect(rejected.status).toBe(400);
    expect(rejected.html).toContain('id="after-problem">The number must be at most');
  });

  it('can be given a new secret, which is displayed once', async () => {
    const { html, status } = await member.send(page, `${page}/secret`);
    expect(status).toBe(200);
    expect(readSecret(html)).toMatch(/^whsec_/);
    expect(html).toContain('valid until');
    expect((await member.open(page)).html).not.toContain('whsec_');
  });

  it("can be paused and deleted, but not changed, by an owner who didn't create it", async () => {
    const { html } = await owner.open(page);
    const actions = [...html.matchAll(/action="([^"]+)"/g)].map(([, action]) => action);
    expect(actions.filter((action) => action?.startsWith(`${owner.base}${page}`)).sort()).toEqual([
      `${owner.base}${page}`,
      `${owner.base}${page}/remove`,
    ]);
    const form = readHiddenFields(html, `${owner.base}${page}`);
    expect((await owner.post(`${page}/secret`, { ...form, status: '' })).status).not.toBe(200);
    const lead = await WorkspaceBrowser.signIn(world, world.people.lead);
    expect((await lead.open(page)).status).toBe(404);
  });

  it('can be deleted, which leads back to the list of webhooks', async () => {
    const answer = await member.send(page, `${page}/remove`);
    expect([answer.status, answer.location]).toEqual([303, `${member.base}/webhooks`]);
    expect((await member.open(page)).status).toBe(404);
  });
});

it("clients see no form and no tab for webhooks, and can't submit the forms", async () => {
  const client = await WorkspaceBrowser.signIn(world, world.people.client);
  const { html } = await client.open('/webhooks');
  expect(html).not.toContain(`action="${client.base}/webhooks"`);
  expect((await client.open('/settings')).html).not.toContain(`${client.base}/webhooks"`);
  const { csrf = '' } = readHiddenFields(html, '/sign-out');
  const before = await countWebhooks();
  const answer = await client.post('/webhooks', { csrf, url: openReceiver().url });
  expect(answer.status).toBe(403);
  expect(await countWebhooks()).toBe(before);
});
