import { describe, expect, it } from 'vitest';
import { TestBrowser } from '../oauth/flow.ts';
import { createWorld, type World } from '../support/world.ts';
import { insertAuditEntries } from './audit-entries.ts';

describe('the audit log page', () => {
  const openAs = async (world: World, role: 'owner' | 'lead', path: string) => {
    const browser = new TestBrowser();
    await browser.signInAs(world.people[role]);
    return browser.get(`/app/${world.id}${path}`);
  };

  it('shows entries with the person who caused them, and links to older entries', async () => {
    const world = await createWorld();
    const actor = world.people.admin.member;
    const drafts = Array.from({ length: 60 }, (_, day) => ({ type: 'webhook.created', actor, day }));
    await insertAuditEntries(world, drafts);
    const page = await (await openAs(world, 'owner', '/audit')).text();
    expect(page).toContain('Created a webhook');
    expect(page).toContain(world.people.admin.name);
    const older = /rel="next" href="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const rest = await (await openAs(world, 'owner', older.replace(`/app/${world.id}`, ''))).text();
    expect(rest).toContain('>Newest</a>');
    expect(rest.match(/<li>/g)?.length).toBeGreaterThanOrEqual(10);
    const filtered = await openAs(world, 'owner', '/audit?type=file.deleted');
    expect(await filtered.text()).toContain('No matching entries.');
  });

  it("returns 403 to leads, and isn't linked from their settings page", async () => {
    const world = await createWorld();
    expect((await openAs(world, 'lead', '/audit')).status).toBe(403);
    expect((await openAs(world, 'lead', '/audit.csv')).status).toBe(403);
    expect(await (await openAs(world, 'lead', '/settings')).text()).not.toContain('/audit');
    expect(await (await openAs(world, 'owner', '/settings')).text()).toContain('/audit');
  });

  it('can be downloaded as CSV, with only the entries that match the filter', async () => {
    const world = await createWorld();
    const actor = world.people.admin.member;
    await insertAuditEntries(world, [
      { type: 'webhook.created', actor, day: 0 },
      { type: 'member.joined', actor, day: 1 },
    ]);
    const text = await (await openAs(world, 'owner', '/audit.csv?type=webhook.created')).text();
    const lines = text.trim().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('"webhook.created","Created a webhook"');
  });
});
