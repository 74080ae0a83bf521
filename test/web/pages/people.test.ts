import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { capabilities, type Reach } from '../../../src/kernel/access/capabilities.ts';
import { api } from '../../support/api.ts';
import { createEmailAddress, readMailedToken } from '../../support/people.ts';
import { createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;
let owner: WorkspaceBrowser;
let lead: WorkspaceBrowser;
let member: WorkspaceBrowser;

beforeAll(async () => {
  world = await createWorld({ cell: 1 });
  const { people } = world;
  [owner, lead, member] = await Promise.all([
    WorkspaceBrowser.signIn(world, people.owner),
    WorkspaceBrowser.signIn(world, people.lead),
    WorkspaceBrowser.signIn(world, people.member),
  ]);
});

const listProjects = async () => (await api(world.people.owner.token).get('/projects?limit=100')).body.data;

describe('the project pages', () => {
  it('create a project, and redirect to its empty board', async () => {
    const answer = await member.send('/projects/new', '/projects', { name: 'Garden', description: '' });
    expect(answer.status).toBe(303);
    const made = (await listProjects()).find((each: { name: string }) => each.name === 'Garden');
    expect(answer.location).toBe(`${member.base}/projects/${made.id}`);
    expect((await member.open(`/projects/${made.id}`)).html).toContain('Add a task to To do');
  });

  it('keep the values in the form if the name is missing', async () => {
    const answer = await member.send('/projects/new', '/projects', { name: '  ', description: 'Beans' });
    expect(answer.status).toBe(400);
    expect(answer.html).toContain('Must not be blank.');
    expect(answer.html).toContain('>Beans</textarea>');
  });

  it('let the project lead change the project and its members', async () => {
    const path = `/projects/${world.projects.joined.id}`;
    const page = `${path}/settings`;
    expect((await lead.send(page, path, { name: 'Joined first' })).status).toBe(303);
    const { userId } = world.people.admin;
    expect((await lead.send(page, `${path}/people`, { userIds: userId })).status).toBe(303);
    expect((await lead.open(page)).html).toContain(`${path}/people/${userId}/remove`);
  });

  it("hide forms that a person can't use, and reject them if they are submitted anyway", async () => {
    const path = `/projects/${world.projects.joined.id}`;
    const { html } = await member.open(`${path}/settings`);
    expect(html).not.toContain(`action="${member.base}${path}"`);
    const { csrf = '' } = Object.fromEntries(
      [...html.matchAll(/name="(csrf)" value="([^"]+)"/g)].map(([, n, v]) => [n, v]),
    );
    const answer = await member.post(path, { csrf, name: 'Stolen', back: `${member.base}${path}/settings` });
    expect(answer.status).toBe(403);
    expect((await listProjects()).map(({ name }: { name: string }) => name)).not.toContain('Stolen');
  });

  it('offer to delete a project only to roles that may delete it, not to every role that may change it', async () => {
    const page = `/projects/${world.projects.joined.id}/settings`;
    const button = 'Delete project…</summary>';
    expect((await owner.open(page)).html).toContain(button);
    const reaches: Record<string, Reach> = capabilities.deleteProjects;
    reaches.owner = 'none';
    onTestFinished(() => {
      reaches.owner = 'all';
    });
    const { html } = await owner.open(page);
    expect(html).toContain(`action="${owner.base}/projects/${world.projects.joined.id}"`);
    expect(html).not.toContain(button);
  });

  it('delete a project only if its name is typed', async () => {
    const path = `/projects/${world.projects.other.id}`;
    const wrong = await owner.send(`${path}/settings`, `${path}/remove`, { name: 'Another' });
    expect(wrong.status).toBe(400);
    expect(wrong.html).toContain('<details class="confirmation group" open="">');
    const answer = await owner.send(`${path}/settings`, `${path}/remove`, {
      name: world.projects.other.name,
    });
    expect([answer.status, answer.location]).toEqual([303, `${owner.base}/projects`]);
    expect((await owner.open(path)).status).toBe(404);
  });
});

describe('the people page', () => {
  it('invites people by email, and lists each invitation until it is withdrawn', async () => {
    const email = createEmailAddress();
    const sent = await owner.send('/people', '/people/invitations', {
      email,
      role: 'member',
      projectIds: '',
    });
    expect([sent.status, sent.location]).toEqual([303, `${owner.base}/people`]);
    const { html } = await owner.open('/people');
    expect(html).toContain(email);
    const [, id] = /people\/invitations\/(\d+)\/withdraw/.exec(html) ?? [];
    expect((await owner.send('/people', `/people/invitations/${id}/withdraw`)).status).toBe(303);
    expect((await owner.open('/people')).html).not.toContain(email);
  });

  it('invites up to ten people at once, or no one if one address belongs to a member', async () => {
    const emails = Array.from({ length: 3 }, createEmailAddress);
    const inviteByForm = (email: string) =>
      owner.send('/people', '/people/invitations', { email, role: 'client', projectIds: '' });
    expect(
      (await inviteByForm(`${emails[0]}, ${emails[1]};\r\n${emails[2]} ${emails[0]?.toUpperCase()}`)).status,
    ).toBe(303);
    const { html } = await owner.open('/people');
    expect(html).toContain('3 invitations sent');
    for (const email of emails) expect(html).toContain(email);
    for (const email of emails) expect(await readMailedToken(email, 'invitation')).toBeTruthy();
    const fresh = createEmailAddress();
    const members = [world.people.lead.email, world.people.member.email];
    const rejected = await inviteByForm([fresh, ...members].join(' '));
    expect(rejected.status).toBe(400);
    expect(rejected.html).toContain(`Already in this workspace: ${members.join(', ')}. Invite only people`);
    const many = await inviteByForm(Array.from({ length: 11 }, createEmailAddress).join(' '));
    expect(many.html).toContain('Must contain at most 10 email addresses');
    expect((await owner.open('/people')).html).not.toContain(fresh);
  });

  it('shows an error next to an invalid email address', async () => {
    const answer = await owner.send('/people', '/people/invitations', {
      email: 'not-an-address',
      role: 'member',
    });
    expect(answer.status).toBe(400);
    expect(answer.html).toContain('id="email-problem"');
    expect(answer.html).toContain('not-an-address</textarea>');
  });

  it('changes roles, but shows members no form to do so', async () => {
    const { userId } = world.people.client;
    expect((await owner.send('/people', `/people/${userId}/role`, { role: 'member' })).status).toBe(303);
    const found = (await api(world.people.owner.token).get(`/users/${userId}`)).body;
    expect(found.role).toBe('member');
    const { html } = await member.open('/people');
    expect(html).not.toContain('/role"');
    expect(html).not.toContain('/people/invitations"');
  });
});

describe('the team, category and workspace settings pages', () => {
  it('create teams and categories, add team members, and change the workspace', async () => {
    expect((await owner.send('/teams', '/teams', { name: 'Design', parentId: '' })).status).toBe(303);
    const [, team = ''] = /teams\/(\d+)\/people/.exec((await owner.open('/teams')).html) ?? [];
    const { userId } = world.people.member;
    expect((await owner.send('/teams', `/teams/${team}/people`, { userId })).status).toBe(303);
    const teams = (await api(world.people.owner.token).get('/teams')).body.data;
    expect(teams).toMatchObject([{ name: 'Design', members: [{ id: userId, role: 'member' }] }]);

    const made = { value: 'Copy', defaultEstimatedHours: '2.5' };
    expect((await owner.send('/categories', '/categories', made)).status).toBe(303);
    const categories = (await api(world.people.owner.token).get('/task-categories')).body.data;
    expect(categories.at(-1)).toMatchObject({ value: 'Copy', defaultEstimatedHours: 2.5 });

    const settings = { name: 'Studio', timezone: 'Europe/Vienna', dailyCapacityHours: '7.5' };
    expect((await owner.send('/settings', '/settings', settings)).status).toBe(303);
    const { html } = await owner.open('/settings');
    expect(html).toContain('<bdi class="label">Studio</bdi>');
    expect(html).toContain('value="7.5"');
  });
});
