import { expect, it } from 'vitest';
import { type Allowance, unlimitedAllowance } from '../../../src/kernel/sql/budget.ts';
import { cleanNotifications } from '../../../src/notifications/inbox/retention.ts';
import { cleanCredentials } from '../../../src/oauth/connected-apps/clean-credentials.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { openScope } from '../../support/scope.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';

const DAY_MS = 86_400_000;
const openScopeInDays = (days: number) => openScope(Date.now() + days * DAY_MS);

const cells = [0, 1] as const;
const deleteOldNotifications = (
  days: number,
  { cell }: Pick<World, 'cell'>,
  allowance: Allowance = unlimitedAllowance,
) => cleanNotifications.run(openScopeInDays(days), cell, allowance);

async function createNotifications(world: World, times: number) {
  for (let turn = 0; turn < times; turn += 1) {
    await createTask(world.people.lead, world.projects.joined.id, { assigneeId: world.people.member.userId });
  }
}

const listIds = async (world: World) =>
  ((await api(world.people.member.token).get('/notifications?limit=100')).body.data as { id: string }[]).map(
    ({ id }) => id,
  );

it.each(cells)(
  'notifications are deleted 180 days after they were read, and kept while unread, in cell %i',
  async (cell) => {
    const world = await createWorld({ cell });
    const member = api(world.people.member.token);
    await createNotifications(world, 3);
    await member.put('/notifications/read-all');
    await createNotifications(world, 2);
    const before = await listIds(world);
    await deleteOldNotifications(179, world);
    expect(await listIds(world)).toEqual(before);
    await Promise.all([deleteOldNotifications(181, world), deleteOldNotifications(181, world)]);
    expect(await listIds(world)).toEqual(before.slice(0, 2));
    expect((await member.get('/notifications?limit=1')).body.meta.total).toBe(2);
    expect((await member.get('/notifications/count')).body).toEqual({ count: 2 });
    expect(await findInconsistencies()).toEqual([]);
  },
);

it("a cell's newest notification is kept so that its id isn't reused", async () => {
  const world = await createWorld();
  await createNotifications(world, 2);
  await api(world.people.member.token).put('/notifications/read-all');
  const [newest] = await listIds(world);
  await deleteOldNotifications(10_000, world);
  expect(await listIds(world)).toEqual([newest]);
  await createNotifications(world, 1);
  expect(await listIds(world)).toHaveLength(2);
});

it("notifications are deleted in slices until the job's allowance is used up", async () => {
  const world = await createWorld();
  const { userId } = world.people.member;
  const db = getCell(0);
  await db.batch([
    db
      .prepare(
        `INSERT INTO notifications (user_id, ws, type, read_at, created_at)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 450)
        SELECT ?, ?, 'task_assigned', 1, 1 FROM n`,
      )
      .bind(userId, world.no),
    db.prepare('INSERT INTO notification_counts (user_id, total) VALUES (?, 450)').bind(userId),
  ]);
  const readNotificationCount = async () =>
    db.prepare('SELECT total FROM notification_counts WHERE user_id = ?').bind(userId).first('total');
  expect(await deleteOldNotifications(0, world, { left: 2 })).toBe(true);
  expect(await readNotificationCount()).toBe(250);
  expect(await deleteOldNotifications(0, world, { left: 5 })).toBe(false);
  expect(await readNotificationCount()).toBe(1);
  expect(await findInconsistencies()).toEqual([]);
});

async function createApiKey({ people }: World): Promise<{ id: number; key: string }> {
  return (await api(people.lead.token).post('/connected-apps/api-keys', { name: 'Test' })).body;
}

it('an API key is deleted 90 days after it is revoked, and the changes made with it are kept', async () => {
  const world = await createWorld();
  const { lead } = world.people;
  const session = api(lead.token);
  const listKeys = async () =>
    ((await session.get('/connected-apps')).body.data as { id: number; status: string }[]).map(
      ({ id, status }) => `${id} ${status}`,
    );
  const [revoked, active, newest] = [
    await createApiKey(world),
    await createApiKey(world),
    await createApiKey(world),
  ];
  const task = await api(revoked.key).post('/tasks', { name: 'By key', projectId: world.projects.joined.id });
  for (const { id } of [revoked, newest]) await session.delete(`/connected-apps/${id}`);
  const all = [`${newest.id} revoked`, `${active.id} active`, `${revoked.id} revoked`];
  await cleanCredentials.run(openScopeInDays(89), 0, unlimitedAllowance);
  expect(await listKeys()).toEqual(all);
  await cleanCredentials.run(openScopeInDays(91), 0, unlimitedAllowance);
  await cleanCredentials.run(openScopeInDays(91), 0, unlimitedAllowance);
  // The newest row in the cell is kept so that its id isn't reused.
  expect(await listKeys()).toEqual(all.slice(0, 2));
  expect((await session.delete(`/connected-apps/${revoked.id}`)).status).toBe(404);
  expect((await api(active.key).get('/tasks')).status).toBe(200);
  const { body } = await session.get(`/tasks/${task.body.id}/activities`);
  expect(body.data[0]).toMatchObject({ type: 'created', via: 'api_key', actor: { id: lead.userId } });
  expect(await findInconsistencies()).toEqual([]);
});

it('a token is deleted 90 days after it expires or is revoked, whichever comes first', async () => {
  const world = await createWorld();
  const db = getCell(0);
  const insertCredential = (hash: string, expiresAt: number, revokedAt: number | null) =>
    db
      .prepare(
        `INSERT INTO credentials (hash, ws, member, kind, name, prefix, scopes, created_at, expires_at, revoked_at)
        VALUES (?, ?, ?, 'oauth', 'App', 'ew_oat_…abcd', 'tasks:read', 1, ?, ?)`,
      )
      .bind(`${world.no} ${hash}`, world.no, world.people.member.member, expiresAt, revokedAt);
  const now = Date.now();
  const [old, young] = [now - 100 * DAY_MS, now - 80 * DAY_MS];
  await db.batch([
    insertCredential('expired long ago', old, null),
    insertCredential('expired, then revoked', old, now),
    insertCredential('revoked, then expired', now, old),
    insertCredential('expired of late', young, null),
    insertCredential('revoked of late', now + DAY_MS, young),
    insertCredential('good', now + DAY_MS, null),
  ]);
  await cleanCredentials.run(openScopeInDays(0), 0, unlimitedAllowance);
  const { results } = await db
    .prepare('SELECT hash FROM credentials WHERE ws = ? ORDER BY id')
    .bind(world.no)
    .all<{ hash: string }>();
  expect(results.map(({ hash }) => hash.replace(/^\d+ /, ''))).toEqual([
    'expired of late',
    'revoked of late',
    'good',
  ]);
});

it.each([
  ['notifications_read', 'notifications', 'read_at IS NOT NULL AND read_at <= 1 ORDER BY read_at, id'],
  [
    'credentials_ended',
    'credentials',
    'coalesce(revoked_at, expires_at) IS NOT NULL AND min(coalesce(revoked_at, expires_at), coalesce(expires_at, revoked_at)) <= 1',
  ],
])('expired rows are found with the index %s', async (index, table, where) => {
  const { results } = await getCell(0)
    .prepare(`EXPLAIN QUERY PLAN SELECT id FROM ${table} INDEXED BY ${index} WHERE ${where}`)
    .all<{ detail: string }>();
  expect(results.map(({ detail }) => detail).join()).toMatch(new RegExp(`SEARCH .* INDEX ${index}`));
});
