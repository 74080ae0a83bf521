import { beforeAll, describe, expect, it } from 'vitest';
import { starterProject } from '../../src/workspaces/defaults.ts';
import { cellOf } from '../support/env.ts';
import { freshAddress } from '../support/people.ts';
import { createApiKey, createProject, createWorkspace, createWorld } from '../support/world.ts';
import { Screens } from './screens.ts';

/** The owner of a workspace where nothing was done yet. */
let alone: Screens;
/** Somebody of a client of another. */
let client: Screens;
let project: number;

beforeAll(async () => {
  const [workspace, world] = await Promise.all([
    createWorkspace({ cell: 1, members: { owner: 'owner' } }),
    createWorld({ cell: 1 }),
  ]);
  [alone, client] = await Promise.all([
    Screens.of(workspace, workspace.people.owner),
    Screens.of(world, world.people.client),
  ]);
  project = world.projects.joined.id;
});

describe('a page where nothing is yet', () => {
  it('says so, and blames neither a role nor a filter that is not there', async () => {
    const dashboard = await alone.open('/dashboard');
    expect(dashboard.html).toContain('Once tasks are given to people');
    expect(dashboard.html).not.toContain('Your role');
    const list = await alone.open('/tasks');
    expect(list.html).toContain('Every task that you may see comes here.');
    expect(list.html).not.toContain('filter away');
    expect((await alone.open('/search')).html).toContain('Finds tasks by what');
  });

  it('names the role or the filter where that is why', async () => {
    expect((await client.open('/dashboard')).html).toContain('Your role does not show the hours of people.');
    expect((await alone.open('/tasks?status=open')).html).toContain('Take a filter away');
    expect((await alone.open('/search?q=%3Cnothing%3E')).html).toContain(
      'Nothing is found for “&lt;nothing&gt;”',
    );
  });

  it('stops asking for people once somebody is invited', async () => {
    expect((await alone.open('/people')).html).toContain('You are alone here.');
    const fields = { email: freshAddress(), role: 'member' };
    expect((await alone.send('/people', '/people/invitations', fields)).status).toBe(303);
    expect((await alone.open('/people')).html).not.toContain('You are alone here.');
  });
});

it('clearing the filters of a project stays in the project, and is offered where there are some', async () => {
  const list = `/tasks?project=${project}`;
  expect((await client.open(list)).html).not.toContain('>Clear</a>');
  const { html } = await client.open(`${list}&status=open&cols=status&q=fence`);
  expect(html).toContain(`href="${client.base}${list}&amp;cols=status">Clear</a>`);
});

it('a client finds no form for a new project, but whom to ask', async () => {
  const { status, html } = await client.open('/projects/new');
  expect(status).toBe(200);
  expect(html).toContain('Ask somebody of the team');
  expect(html).not.toContain(`action="${client.base}/projects"`);
});

it('the first steps are those that the role may take', async () => {
  const steps = async (screens: Screens) => {
    const { html } = await screens.open('');
    return ['Make a project', 'Invite people', 'Set your time zone', 'Make an API key'].filter((label) =>
      html.includes(label),
    );
  };
  expect(await steps(alone)).toEqual([
    'Make a project',
    'Invite people',
    'Set your time zone',
    'Make an API key',
  ]);
  expect(await steps(client)).toEqual(['Make an API key']);
});

it('the first steps tell which were taken, and go once all are', async () => {
  const workspace = await createWorkspace({ cell: 1, members: { owner: 'owner' } });
  const { owner } = workspace.people;
  await createProject(workspace, { name: starterProject.name, owner });
  const screens = await Screens.of(workspace, owner);
  const left = async () => {
    const { html } = await screens.open('');
    const [, list = ''] = html.split('id="first-steps"');
    return [...(list.split('</ul>')[0] ?? '').matchAll(/<li([^>]*)>.*?<a [^>]*>([^<]+)</g)]
      .filter(([, attributes]) => !attributes?.includes('done'))
      .map(([, , label]) => label);
  };
  const all = [
    'Make a project',
    'Invite people',
    'Set your time zone',
    'Connect an agent',
    'Make an API key',
  ];
  expect(await left()).toEqual(all);
  await screens.send('/projects/new', '/projects', { name: 'First' });
  expect(await left()).toEqual(all.slice(1));
  await screens.send('/people', '/people/invitations', { email: freshAddress(), role: 'member' });
  expect(await left()).toEqual(all.slice(2));
  const settings = { name: 'Studio', timezone: 'Europe/Vienna', dailyCapacityHours: '8' };
  await screens.send('/settings', '/settings', settings);
  expect(await left()).toEqual(all.slice(3));
  await createApiKey(owner);
  expect(await left()).toEqual(['Connect an agent']);
  await cellOf(1)
    .prepare(
      "INSERT INTO credentials (hash, ws, member, kind, name, prefix, scopes, created_at) VALUES (?, ?, ?, 'oauth', '', '', '', 1)",
    )
    .bind(crypto.randomUUID(), workspace.no, owner.member)
    .run();
  expect(await left()).toEqual([]);
  expect((await screens.open('')).html.includes('First steps')).toBe(false);
});

it('a board whose filter names somebody who is not in the workspace says so, and what to do', async () => {
  const { status, html } = await client.open(`/projects/${project}?assignee=usr_nobody`);
  expect([status, html.includes('class="column"')]).toEqual([200, false]);
  expect(html).toContain('The person in this filter is not in this workspace. Choose another');
});
