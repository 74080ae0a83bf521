import { beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../../src/kernel/access/roles.ts';
import { commandGroups } from '../../../src/web/pages/search/commands.ts';
import { navigation } from '../../../src/web/server/navigation.ts';
import { unescapeHtml } from '../../oauth/flow.ts';
import { api } from '../../support/api.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from './workspace-browser.ts';

let world: World;
const screens = {} as Record<Role, WorkspaceBrowser>;

beforeAll(async () => {
  world = await createWorld();
  for (const [role, person] of Object.entries(world.people))
    screens[role as Role] = await WorkspaceBrowser.signIn(world, person);
});

function readRows(html: string, title: string) {
  const [, after = ''] = html.split('id="found"')[1]?.split(`<h2>${title} `) ?? [];
  const rows = (after.split('</ul>')[0] ?? '').split('<li>').slice(1);
  return rows.map((row) => ({
    label: unescapeHtml(row.replace(/<[^>]+>/g, '')).trim(),
    link: /<a [^>]*href="([^"]*)"/.exec(row)?.[1],
    form: /<form method="post" action="([^"]*)"/.exec(row)?.[1],
  }));
}
const findCommands = async (q: string, role: Role = 'owner') =>
  readRows((await screens[role].open(`/search?${new URLSearchParams({ q })}`)).html, 'Commands');
const listLabels = (rows: readonly { label: string }[]) => rows.map(({ label }) => label);
const listCommands = async (role: Role) => {
  const { html } = await screens[role].open('/search');
  return commandGroups.flatMap(([title]) => readRows(html, title));
};

describe('a command search without text', () => {
  it('lists the available commands, including every page of the sidebar', async () => {
    const shown = listLabels(await listCommands('owner'));
    for (const { path, label } of navigation) if (path !== '/search') expect(shown).toContain(label);
    expect(shown).toEqual(
      expect.arrayContaining(['New task', 'New project', 'Invite people', 'Log time', 'Sign out']),
    );
    expect(shown).not.toContain('Stop timer');
    expect(new Set(shown).size).toBe(shown.length);
    expect((await screens.owner.open('/search?q=+')).status).toBe(200);
  });

  it.each([
    ['lead', ['Audit log']],
    ['member', ['Audit log', 'Invite people']],
    ['client', ['Audit log', 'Invite people', 'New project', 'Webhooks']],
  ] as const)('offers a %s all commands except %j', async (role, without) => {
    const own = listLabels(await listCommands(role));
    expect(
      listLabels(await listCommands('owner'))
        .filter((label) => !own.includes(label))
        .sort(),
    ).toEqual(without);
  });

  it('links only to pages that exist for the role', async () => {
    for (const role of ['owner', 'admin', 'lead', 'member', 'client'] as const) {
      for (const { label, link, form } of await listCommands(role)) {
        expect([label, (link === undefined) !== (form === undefined)]).toEqual([label, true]);
        if (!link || link === '/docs') continue;
        const answer = await screens[role].browser.get(unescapeHtml(link).split('#')[0] ?? '');
        expect([role, label, answer.status]).toEqual([role, label, 200]);
      }
    }
  });

  it('links only to fields that exist on their pages', async () => {
    await createTask(world.people.owner, world.projects.joined.id, { assigneeId: world.people.owner.userId });
    for (const { label, link } of await listCommands('owner')) {
      const [page = '', id] = (link ?? '').split('#');
      if (!id) continue;
      expect([label, await (await screens.owner.browser.get(page)).text()]).toEqual([
        label,
        expect.stringContaining(` id="${id}"`),
      ]);
    }
  });
});

describe('a command search', () => {
  it.each([
    ['inv', ['Invite people']],
    ['INV', ['Invite people']],
    ['ínv', ['Invite people']],
    ['peo inv', ['Invite people']],
    ['new pro', ['New project']],
    ['set', ['Settings', 'Notification settings']],
    // Matches at the start of the label come first, then matches elsewhere in the label, then matches in keywords.
    ['pro', ['New project', 'All projects', 'Your account']],
    ['api', ['Connected apps', 'Docs']],
    ['log o', ['Sign out']],
    ['nvite', []],
    ['inv zzz', []],
    ['<img>', []],
    ['…', []],
    ['\u202e', []],
  ])('for %j finds %j', async (text, expected) => {
    expect(listLabels(await findCommands(text))).toEqual(expected);
  });

  it('finds only commands that the person can run', async () => {
    expect(listLabels(await findCommands('inv', 'client'))).toEqual([]);
    expect(listLabels(await findCommands('webh', 'client'))).toEqual([]);
    expect(listLabels(await findCommands('webh', 'member'))).toEqual(['Webhooks']);
  });

  it('shows a limited number of commands, and a message if nothing matches', async () => {
    expect((await findCommands('t')).length).toBeLessThanOrEqual(6);
    const { html } = await screens.owner.open('/search?q=inv');
    expect(html).not.toContain('No results');
    expect((await screens.owner.open('/search?q=zyzzyva')).html).toContain('No results for');
  });
});

describe('a search for a task number', () => {
  it.each(['', '#'])(
    'with the prefix %j finds the task once, and only if the person can see it',
    async (mark) => {
      const { owner } = world.people;
      const { id } = await createTask(owner, world.projects.other.id, { name: 'By number' });
      const readTasks = async (role: Role) =>
        readRows(
          (await screens[role].open(`/search?${new URLSearchParams({ q: `${mark}${id}` })}`)).html,
          'Tasks',
        );
      expect(
        listLabels(await readTasks('owner')).filter((label) => label.startsWith('By number')),
      ).toHaveLength(1);
      expect(await readTasks('client')).toEqual([]);
      expect((await screens.owner.open('/search?q=%23999999999999999')).html).toContain('No results for');
    },
  );
});

describe('commands that change something', () => {
  it('are forms, not links', async () => {
    const forms = (await listCommands('owner')).filter(({ form }) => form);
    expect(forms.map(({ form }) => form)).toEqual([`${screens.owner.base}/inbox/read`, '/sign-out']);
  });

  it('include stopping the timer, but only while a timer is running', async () => {
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    await screens.member.send(`/tasks/${id}`, `/tasks/${id}/timer`);
    expect(listLabels(await findCommands('stop', 'member'))).toEqual(['Stop timer']);
    expect((await screens.member.send('/search?q=stop', '/timer/stop')).status).toBe(303);
    expect((await api(member.token).get('/timer/current')).body).toBeNull();
    expect(await findCommands('stop', 'member')).toEqual([]);
  });

  it('include marking everything as read, which then opens the inbox', async () => {
    const { client, owner } = world.people;
    await createTask(owner, world.projects.joined.id, { assigneeId: client.userId });
    const { location } = await screens.client.send('/search', '/inbox/read', {
      back: `${screens.client.base}/inbox`,
    });
    expect(location).toBe(`${screens.client.base}/inbox`);
    expect((await api(client.token).get('/notifications?unreadOnly=true')).body.meta.total).toBe(0);
  });
});
