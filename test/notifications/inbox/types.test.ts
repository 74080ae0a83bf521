import { describe, expect, it } from 'vitest';
import { countUnreadInInbox, listInbox } from '../../../src/notifications/inbox/notifications.ts';
import { toPublicId } from '../../../src/notifications/inbox/public-id.ts';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../../web/server/workspace-browser.ts';

const readIds = ({ body }: { body: { data: { id: number }[] } }) => body.data.map(({ id }) => id);

/** Assigns two tasks to the member, and adds a notification of the type "unblocked". */
async function createInbox(): Promise<{ world: World; assigned: number[]; unblocked: number }> {
  const world = await createWorld();
  const { lead, member } = world.people;
  for (let index = 0; index < 2; index += 1) {
    await createTask(lead, world.projects.joined.id, { assigneeId: member.userId });
  }
  const { meta } = await getCell(world.cell)
    .prepare("INSERT INTO notifications (user_id, ws, type, created_at) VALUES (?, ?, 'unblocked', ?)")
    .bind(member.userId, world.no, Date.now())
    .run();
  const assigned = readIds(await api(member.token).get('/notifications'));
  return { world, assigned, unblocked: toPublicId(meta.last_row_id, world.cell) };
}

describe('the inbox page', () => {
  it('counts at most 500 notifications of types that lists omit by default, but all notifications of other types', async () => {
    const { world } = await createInbox();
    const { member } = world.people;
    const addNotifications = (count: number) =>
      getCell(world.cell)
        .prepare(
          `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
          INSERT INTO notifications (user_id, ws, type, created_at) SELECT ?2, ?3, 'unblocked', ?4 FROM n`,
        )
        .bind(count, member.userId, world.no, Date.now())
        .run();
    const readInbox = async () => {
      const { body } = await runForm(member.token, listInbox, { limit: 50 });
      const unread = await runForm(member.token, countUnreadInInbox, {});
      return [body.meta.total, body.isCounted, unread.body, unread.rowsRead < 1_000];
    };
    await addNotifications(499);
    expect(await readInbox()).toEqual([502, true, { count: 502, isAll: true }, true]);
    await addNotifications(9_500);
    expect(await readInbox()).toEqual([502, false, { count: 502, isAll: false }, true]);
    const { html } = await (await WorkspaceBrowser.signIn(world, member)).open('/inbox');
    expect(html).toContain('title="99+ unread">99+<');
    expect(html).toContain('of 502+');
    const listed = await runForm(member.token, listInbox, { limit: 50 });
    expect(listed.rowsRead).toBeLessThan(1_000);
  });
});

describe('notifications', () => {
  it('are omitted from lists and counts by default if they have a type such as "unblocked"', async () => {
    const { world, assigned } = await createInbox();
    const me = api(world.people.member.token);
    expect(assigned).toHaveLength(2);
    expect((await me.get('/notifications')).body.meta.total).toBe(2);
    expect((await me.get('/notifications/count')).body).toEqual({ count: 2 });
    expect((await me.put('/notifications/read-all')).body).toEqual({ updated: 2 });
    expect((await me.get('/notifications/count?kinds=all')).body).toEqual({ count: 1 });
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('can be listed and counted by type, or for all types', async () => {
    const { world, assigned, unblocked } = await createInbox();
    const me = api(world.people.member.token);
    for (const [kinds, expected] of [
      ['unblocked', [unblocked]],
      ['task_assigned', assigned],
      ['mentioned', []],
      ['task_assigned,unblocked', [unblocked, ...assigned]],
      ['all', [unblocked, ...assigned]],
    ] as const) {
      const listed = await me.get(`/notifications?kinds=${kinds}`);
      expect([kinds, readIds(listed), listed.body.meta.total]).toEqual([kinds, expected, expected.length]);
      expect(listed.cost.trips).toBe(1);
      expect((await me.get(`/notifications/count?kinds=${kinds}`)).body).toEqual({ count: expected.length });
      const unread = await me.get(`/notifications?kinds=${kinds}&unreadOnly=true&limit=1`);
      expect(unread.body.meta.total).toBe(expected.length);
      expect(readIds(unread)).toEqual(expected.slice(0, 1));
    }
    const unknown = await me.get('/notifications?kinds=unblock');
    expect([unknown.status, unknown.headers.get('Error-Field')]).toEqual([400, 'kinds']);
    expect(unknown.body.error.message).toContain('unblocked');
  });

  it('can be marked as read and deleted without changing the default count if lists omit their type by default', async () => {
    const { world, unblocked } = await createInbox();
    const me = api(world.people.member.token);
    expect((await me.put(`/notifications/${unblocked}/read`)).body.isRead).toBe(true);
    expect((await me.get('/notifications/count')).body).toEqual({ count: 2 });
    expect((await me.get('/notifications/count?kinds=all')).body).toEqual({ count: 2 });
    await me.delete(`/notifications/${unblocked}`);
    expect((await me.get('/notifications?kinds=all')).body.meta.total).toBe(2);
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('can be marked as read by type', async () => {
    const { world } = await createInbox();
    const me = api(world.people.member.token);
    expect((await me.put('/notifications/read-all?kinds=unblocked')).body).toEqual({ updated: 1 });
    expect((await me.get('/notifications/count')).body).toEqual({ count: 2 });
    expect((await me.put('/notifications/read-all?kinds=task_assigned')).body).toEqual({ updated: 2 });
    expect((await me.get('/notifications/count?kinds=all')).body).toEqual({ count: 0 });
    expect(await findCounterDrift(world)).toEqual([]);
  });
});
