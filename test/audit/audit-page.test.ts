import { describe, expect, it } from 'vitest';
import { TestBrowser } from '../oauth/flow.ts';
import { createWorld, type World } from '../support/world.ts';
import { insertEntries } from './audit-entries.ts';

describe('the audit log page', () => {
  const open = async (world: World, role: 'owner' | 'lead', path: string) => {
    const browser = new TestBrowser();
    await browser.enter(world.people[role]);
    return browser.get(`/app/${world.id}${path}`);
  };

  it('shows entries with their author and source, and links to older entries', async () => {
    const world = await createWorld();
    const actor = world.people.admin.member;
    const drafts = Array.from({ length: 60 }, (_, day) => ({ type: 'webhook.created', actor, day }));
    await insertEntries(world, drafts);
    const page = await (await open(world, 'owner', '/audit')).text();
    expect(page).toContain('Created a webhook');
    expect(page).toContain(world.people.admin.name);
    const older = /rel="next" href="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const rest = await (await open(world, 'owner', older.replace(`/app/${world.id}`, ''))).text();
    expect(rest).toContain('>Newest</a>');
    expect(rest.match(/<li>/g)?.length).toBeGreaterThanOrEqual(10);
    const filtered = await open(world, 'owner', '/audit?type=file.deleted');
    expect(await filtered.text()).toContain('No matching entries.');
  });

  it("returns 403 to leads, and isn't linked from their settings page", async () => {
    const world = await createWorld();
    expect((await open(world, 'lead', '/audit')).status).toBe(403);
    expect((await open(world, 'lead', '/audit.csv')).status).toBe(403);
    expect(await (await open(world, 'lead', '/settings')).text()).not.toContain('/audit');
    expect(await (await open(world, 'owner', '/settings')).text()).toContain('/audit');
  });

  it('downloads the filtered entries as CSV', async () => {
    const world = await createWorld();
    const actor = world.people.admin.member;
    await insertEntries(world, [
      { type: 'webhook.created', actor, day: 0 },
      { type: 'member.joined', actor, day: 1 },
    ]);
    const text = await (await open(world, 'owner', '/audit.csv?type=webhook.created')).text();
    const lines = text.trim().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('"webhook.created","Created a webhook"');
  });
});
