import { beforeAll, describe, expect, it } from 'vitest';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { readHiddenFields, WorkspaceBrowser } from './workspace-browser.ts';

let world: World;
let lead: WorkspaceBrowser;

beforeAll(async () => {
  world = await createWorld({ cell: 1 });
  lead = await WorkspaceBrowser.signIn(world, world.people.lead);
});

async function openMenu(screens: WorkspaceBrowser, path = ''): Promise<string> {
  const { html } = await screens.open(path);
  return html.split('<nav aria-label="Workspace">')[1]?.split('</nav>')[0] ?? '';
}

const listLabels = (menu: string) => [...menu.matchAll(/class="label">([^<]+)/g)].map(([, label]) => label);

describe('the sidebar', () => {
  it('highlights the section of the current page', async () => {
    const { id, name } = world.projects.joined;
    const board = `/projects/${id}`;
    const task = await createTask(world.people.lead, id, { name: 'Anything' });
    const readCurrentItem = async (path: string) => {
      const menu = await openMenu(lead, path);
      return [...menu.matchAll(/aria-current="(\w+)".*?class="label">([^<]+)/g)].map(
        ([, how, label]) => `${label} ${how}`,
      );
    };
    expect(await readCurrentItem('')).toEqual(['My work page']);
    expect(await readCurrentItem('/projects')).toEqual(['All projects page']);
    expect(await readCurrentItem(board)).toEqual([`${name} page`]);
    expect(await readCurrentItem(`${board}/settings`)).toEqual([`${name} true`]);
    expect(await readCurrentItem(`/projects/${world.projects.other.id}`)).toEqual(['All projects true']);
    expect(await readCurrentItem(`/tasks?project=${id}&status=open`)).toEqual([`${name} true`]);
    expect(await readCurrentItem('/tasks?status=open')).toEqual(['All tasks page']);
    expect(await readCurrentItem(`/tasks/${task.id}`)).toEqual(['All tasks true']);
    expect(await readCurrentItem('/meetings/new')).toEqual(['Calendar true']);
    expect(await readCurrentItem('/inbox/mail')).toEqual(['Inbox true']);
    for (const path of ['/categories', '/webhooks', '/audit', '/settings']) {
      const { html } = await lead.open(path);
      expect(html).toMatch(/href="[^"]+\/settings" aria-current="(true|page)"/);
    }
  });

  it('lists joined projects, starting with visible projects that the browser remembers', async () => {
    const { joined, other } = world.projects;
    expect(listLabels(await openMenu(lead))).not.toContain(other.name);
    lead.browser.cookies.set('recent', `${other.id}.999999999`);
    const labels = listLabels(await openMenu(lead));
    expect(labels.slice(4, 7)).toEqual([other.name, joined.name, 'All projects']);
    const client = await WorkspaceBrowser.signIn(world, world.people.client);
    client.browser.cookies.set('recent', String(other.id));
    expect(listLabels(await openMenu(client))).not.toContain(other.name);
    lead.browser.cookies.delete('recent');
  });

  it.each(['', '0', '.', '1.', 'x', '1..2', '9'.repeat(400), `${'7.'.repeat(200)}7`])(
    'ignores an invalid list of remembered projects: %j',
    async (cookie) => {
      lead.browser.cookies.set('recent', cookie);
      expect((await lead.open('')).status).toBe(200);
      lead.browser.cookies.delete('recent');
    },
  );

  it("lists the person's saved filters, but not other people's private filters, and marks the open filter", async () => {
    const member = await WorkspaceBrowser.signIn(world, world.people.member);
    await member.send('/tasks?priority=high', '/filters', { name: 'Urgent & mine' });
    const filter = /href="[^"]+(\/board\?priority=high&amp;filter=\d+)"/.exec(await openMenu(member))?.[1];
    expect(filter).toBeDefined();
    const menu = await openMenu(member, filter?.replace('&amp;', '&'));
    expect(menu).toMatch(/aria-current="page">.*?class="label">Urgent &amp; mine/);
    expect(listLabels(await openMenu(lead))).not.toContain('Urgent &amp; mine');
  });
});

describe('the appearance setting', () => {
  const submitSettings = async (screens: WorkspaceBrowser, fields: Record<string, string>) => {
    const { html } = await screens.open('/inbox');
    const answer = await screens.browser.post('/appearance', {
      ...readHiddenFields(html, '/appearance'),
      ...fields,
    });
    return [answer.status, answer.headers.get('Location')];
  };

  it('is remembered by the browser, on workspace pages and on all other pages', async () => {
    const member = await WorkspaceBrowser.signIn(world, world.people.member);
    expect((await member.open('')).html).toContain('<html lang="en">');
    const inbox = `${member.base}/inbox`;
    expect(await submitSettings(member, { theme: 'dark' })).toEqual([303, inbox]);
    expect(await submitSettings(member, { sidebar: 'narrow' })).toEqual([303, inbox]);
    const { html } = await member.open('');
    expect(html).toContain('<html lang="en" class="dark narrow">');
    expect(html).toMatch(/value="dark" aria-pressed="true"/);
    expect(await (await member.browser.get('/account')).text()).toContain('class="dark narrow"');
    await submitSettings(member, { theme: 'system' });
    await submitSettings(member, { sidebar: 'wide' });
    expect((await member.open('')).html).toContain('<html lang="en">');
  });

  it('stays unchanged if the form sends an unknown value or comes from another site', async () => {
    const member = await WorkspaceBrowser.signIn(world, world.people.member);
    await submitSettings(member, { theme: '"><script>', sidebar: 'x' });
    const { html } = await member.open('');
    expect(html).toContain('<html lang="en">');
    const fields = { ...readHiddenFields(html, '/appearance'), theme: 'dark' };
    const rejected = await member.browser.post('/appearance', fields, { Origin: 'https://evil.example' });
    expect(rejected.status).toBe(403);
    expect((await submitSettings(member, { back: '//evil.example' }))[1]).toBe('/app');
  });
});
