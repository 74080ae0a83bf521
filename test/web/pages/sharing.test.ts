import { beforeAll, expect, it } from 'vitest';
import { unescapeHtml } from '../../oauth/flow.ts';
import { createLink, visit } from '../../sharing/share.ts';
import { createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;
let lead: WorkspaceBrowser;

beforeAll(async () => {
  world = await createWorld({ cell: 1 });
  lead = await WorkspaceBrowser.signIn(world, world.people.lead);
});

const getSharingPath = () => `/projects/${world.projects.joined.id}/sharing`;
const readField = (html: string, id: string) =>
  unescapeHtml(new RegExp(`<input id="${id}"[^>]* value="([^"]*)"`).exec(html)?.[1] ?? '');

it("a project's settings link to its public links, which can be created, changed and revoked without JavaScript", async () => {
  const project = `/projects/${world.projects.joined.id}`;
  expect((await lead.open(`${project}/settings`)).html).toContain(`href="${lead.base}${getSharingPath()}"`);
  const empty = await lead.open(getSharingPath());
  expect(empty.status).toBe(200);
  expect(empty.html).toContain('Create public link');
  const created = await lead.send(getSharingPath(), `${project}/links`, {
    showsNames: 'true',
    expiresOn: '',
  });
  expect(created.status).toBe(303);
  const { html } = await lead.open(getSharingPath());
  const [, id = ''] = /id="link-(\d+)"/.exec(html) ?? [];
  const address = readField(html, `link-${id}`);
  expect(html).toContain('Never opened');
  expect(html).toContain('Shows names');
  expect((await visit(address)).status).toBe(200);
  expect((await lead.open(getSharingPath())).html).toContain('Last opened');
  const late = await lead.send(getSharingPath(), `/links/${id}`, {
    expiresOn: '2020-01-01',
    showsNames: 'true',
  });
  expect(late.status).toBe(400);
  expect(late.html).toContain('aria-invalid="true"');
  await lead.send(getSharingPath(), `/links/${id}`, { expiresOn: '2999-01-01', showsNames: 'false' });
  expect((await lead.open(getSharingPath())).html).toMatch(/Works until 1 Jan 2999.*Hides names/s);
  expect((await lead.send(getSharingPath(), `/links/${id}/revoke`)).status).toBe(303);
  expect((await visit(address)).status).toBe(404);
});

it('people turn an intake form on and off, and keep what they typed if the tag is invalid', async () => {
  const action = `/projects/${world.projects.joined.id}/intake`;
  const invalid = await lead.send(getSharingPath(), action, {
    greeting: 'Kept text',
    tag: 'a,b',
    assigneeId: '',
  });
  expect(invalid.status).toBe(400);
  expect(invalid.html).toContain('Kept text');
  const greeting = 'Tell us what you need.\nWe reply within a day.';
  await lead.send(getSharingPath(), action, {
    greeting,
    tag: 'Intake',
    assigneeId: world.people.member.userId,
  });
  const { html } = await lead.open(getSharingPath());
  expect(html).toContain('No requests yet');
  expect(html).toMatch(/<option value="[^"]+" selected="">Member Test/);
  const page = await visit(readField(html, 'intake-address'));
  expect(page.html).toContain('Tell us what you need.\nWe reply within a day.');
  await lead.send(getSharingPath(), `${action}/end`);
  expect((await lead.open(getSharingPath())).html).toContain('Turn on intake form');
});

it('members and clients see neither the page nor a link to it', async () => {
  for (const role of ['member', 'client'] as const) {
    const browser = await WorkspaceBrowser.signIn(world, world.people[role]);
    expect((await browser.open(getSharingPath())).status).toBe(403);
    const { html } = await browser.open(`/projects/${world.projects.joined.id}/settings`);
    expect(html).not.toContain('/sharing');
  }
});

it('the menu of a shared filter leads owners and admins to its public links', async () => {
  const owner = await WorkspaceBrowser.signIn(world, world.people.owner);
  await owner.send('/tasks?priority=high', '/filters', { name: 'Urgent', isShared: 'true' });
  const { html } = await owner.open('/filters');
  const [, path = ''] = /href="[^"]*(\/filters\/\d+\/sharing)"/.exec(html) ?? [];
  expect((await lead.open('/filters')).html).not.toContain(path);
  expect((await lead.open(path)).status).toBe(403);
  expect((await owner.send(path, path.replace('/sharing', '/links'), { showsNames: 'false' })).status).toBe(
    303,
  );
  const { html: list } = await owner.open(path);
  expect(list).toContain('Never opened');
});

it('a paused project shows why its links are paused', async () => {
  await createLink(world.people.owner, { projectId: world.projects.other.id });
  const owner = await WorkspaceBrowser.signIn(world, world.people.owner);
  const settings = `/projects/${world.projects.other.id}`;
  await owner.send(`${settings}/settings`, settings, { name: 'Other', status: 'completed' });
  const { html } = await owner.open(`${settings}/sharing`);
  expect(html).toContain('its links and form are paused');
  expect(html).not.toContain('Create public link');
});
