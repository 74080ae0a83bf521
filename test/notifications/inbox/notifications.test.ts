// This file is long because its tests share the functions that insert and count notifications.
import { describe, expect, it } from 'vitest';
import { toPublicId } from '../../../src/notifications/inbox/public-id.ts';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { addMember, createTask, createWorld, type Person, type World } from '../../support/world.ts';

interface NotificationFields {
  createdAt?: number;
  readAt?: number | null;
  task?: number;
  comment?: number;
  actor?: number;
}

let nextId = 7_000;

/** Inserts a notification and updates the counters, as requests do. Returns the public id. */
async function insertNotification(
  place: World,
  person: Person,
  fields: NotificationFields = {},
): Promise<number> {
  nextId += 1;
  const { createdAt = 1_000_000 + nextId, readAt = null, task = null, comment = null, actor = null } = fields;
  const unread = readAt === null ? 1 : 0;
  const db = getCell(place.cell);
  await db.batch([
    db
      .prepare(
        'INSERT INTO notifications (id, user_id, ws, type, task, comment, project, actor, read_at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      )
      .bind(
        nextId,
        person.userId,
        place.no,
        'comment_added',
        task,
        comment,
        place.projects.joined.id,
        actor,
        readAt,
        createdAt,
      ),
    db
      .prepare(
        'INSERT INTO notification_counts (user_id, total, unread) VALUES (?1, 1, ?2) ON CONFLICT (user_id) DO UPDATE SET total = total + 1, unread = unread + ?2',
      )
      .bind(person.userId, unread),
  ]);
  return toPublicId(nextId, place.cell);
}

async function readCounts({ cell }: World, { userId }: Person) {
  return getCell(cell)
    .prepare(
      `SELECT c.total, c.unread, (SELECT count(*) FROM notifications WHERE user_id = c.user_id) AS rows,
         (SELECT count(*) FROM notifications WHERE user_id = c.user_id AND read_at IS NULL) AS unreadRows
       FROM notification_counts c WHERE c.user_id = ?`,
    )
    .bind(userId)
    .first();
}

const toExactCounts = (total: number, unread: number) => ({ total, unread, rows: total, unreadRows: unread });
const listIds = (body: { data: { id: number }[] }) => body.data.map(({ id }) => id);

describe('notifications in a single cell', () => {
  it('are listed newest first with the exact total, in one database round trip', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const oldest = await insertNotification(world, member, { readAt: 1_500_000 });
    const middle = await insertNotification(world, member);
    const newest = await insertNotification(world, member);
    await insertNotification(world, world.people.lead);

    const all = await api(member.token).get('/notifications?limit=2');
    expect(listIds(all.body)).toEqual([newest, middle]);
    expect(all.body.meta).toEqual({ total: 3, limit: 2, offset: 0, hasMore: true });
    const rest = await api(member.token).get('/notifications?limit=2&offset=2');
    expect(rest.cost.trips).toBe(1);
    expect(rest.body).toMatchObject({
      data: [{ id: oldest, isRead: true, readAt: '1970-01-01T00:25:00.000Z' }],
      meta: { total: 3, hasMore: false },
    });
    const unread = await api(member.token).get('/notifications?unreadOnly=true&fields=id');
    expect(unread.body).toMatchObject({ data: [{ id: newest }, { id: middle }], meta: { total: 2 } });
  });

  it('include their task, comment and project, or null for a task or comment that was deleted', async () => {
    const world = await createWorld();
    const { member, lead } = world.people;
    const db = getCell(world.cell);
    const { joined } = world.projects;
    const insertRow = async (statement: string, ...values: (number | string)[]) =>
      (
        await db
          .prepare(statement)
          .bind(...values)
          .run()
      ).meta.last_row_id;
    const task = await insertRow(
      'INSERT INTO tasks (ws, project, status, name, created_by, created_at, updated_at) VALUES (?, ?, 2, ?, ?, 0, 0)',
      ...[world.no, joined.id, ' Verbatim ', lead.member],
    );
    const comment = await insertRow(
      "INSERT INTO comments (ws, task, author, project, assignee, archived, day, created_at, content) VALUES (?, ?, ?, ?, 0, 0, '1970-01-01', 0, ?)",
      ...[world.no, task, lead.member, joined.id, 'Look here'],
    );
    await insertNotification(world, member, { task, comment, actor: lead.member });
    await insertNotification(world, member, { task: task + 1_000, comment: comment + 1_000 });
    const { body } = await api(member.token).get('/notifications');
    const [gone, whole] = body.data;
    expect(whole).toMatchObject({
      type: 'comment_added',
      isRead: false,
      readAt: null,
      task: { id: task, name: ' Verbatim ', status: 'internal_review' },
      comment: { id: comment, content: 'Look here' },
      project: { id: joined.id, name: 'Joined' },
      actor: { id: lead.userId, name: lead.name, image: null },
      workspace: { id: world.id },
    });
    expect(gone).toMatchObject({ task: null, comment: null, actor: null, project: { id: joined.id } });
  });

  it('are counted in one database round trip that reads at most ten rows', async () => {
    const world = await createWorld();
    const { member } = world.people;
    expect((await api(member.token).get('/notifications/count')).body).toEqual({ count: 0 });
    for (let made = 0; made < 15; made += 1) await insertNotification(world, member);
    const { body, cost } = await api(member.token).get('/notifications/count');
    expect(body).toEqual({ count: 15 });
    expect(cost.trips).toBe(1);
    expect(cost.rowsRead).toBeLessThanOrEqual(10);
  });

  it('can be marked as read, and repeating the call changes neither readAt nor the counts', async () => {
    const world = await createWorld();
    const { client } = world.people;
    const id = await insertNotification(world, client);
    await insertNotification(world, client);
    const first = await api(client.token).put(`/notifications/${id}/read`);
    expect(first.body).toMatchObject({ id, isRead: true });
    expect(await readCounts(world, client)).toMatchObject(toExactCounts(2, 1));
    const second = await api(client.token).put(`/notifications/${id}/read`);
    expect(second.text).toBe(first.text);
    expect(second.cost.rowsWritten).toBe(0);
    expect(await readCounts(world, client)).toMatchObject(toExactCounts(2, 1));
    expect((await api(client.token).get('/notifications/count')).body).toEqual({ count: 1 });
  });

  it("can all be marked as read, without affecting other people's notifications", async () => {
    const world = await createWorld();
    const { client, lead } = world.people;
    await insertNotification(world, client, { readAt: 5 });
    await insertNotification(world, client);
    await insertNotification(world, client);
    await insertNotification(world, lead);
    expect((await api(client.token).put('/notifications/read-all')).body).toEqual({ updated: 2 });
    expect((await api(client.token).put('/notifications/read-all')).body).toEqual({ updated: 0 });
    expect(await readCounts(world, client)).toMatchObject(toExactCounts(3, 0));
    expect(await readCounts(world, lead)).toMatchObject(toExactCounts(1, 1));
  });

  it('can be deleted, and deleting them again returns 404 and keeps the counts', async () => {
    const world = await createWorld();
    const { client } = world.people;
    const unread = await insertNotification(world, client);
    const read = await insertNotification(world, client, { readAt: 5 });
    await insertNotification(world, client);
    expect((await api(client.token).delete(`/notifications/${unread}`)).body).toEqual({ success: true });
    expect(await readCounts(world, client)).toMatchObject(toExactCounts(2, 1));
    expect((await api(client.token).delete(`/notifications/${unread}`)).status).toBe(404);
    expect(await readCounts(world, client)).toMatchObject(toExactCounts(2, 1));
    expect((await api(client.token).delete(`/notifications/${read}`)).status).toBe(200);
    expect(await readCounts(world, client)).toMatchObject(toExactCounts(1, 1));
  });

  it('return 404 to other people, as if they had been deleted, and stay unchanged', async () => {
    const world = await createWorld();
    const { owner, client } = world.people;
    const id = await insertNotification(world, client);
    await insertNotification(world, owner);
    const read = await api(owner.token).put(`/notifications/${id}/read`);
    const deleted = await api(owner.token).delete(`/notifications/${id}`);
    expect([read.status, deleted.status]).toEqual([404, 404]);
    expect(await readCounts(world, client)).toMatchObject(toExactCounts(1, 1));
    expect(await readCounts(world, owner)).toMatchObject(toExactCounts(1, 1));
    await api(client.token).delete(`/notifications/${id}`);
    expect((await api(owner.token).put(`/notifications/${id}/read`)).text).toBe(read.text);
    expect((await api(owner.token).delete(`/notifications/${id}`)).text).toBe(deleted.text);
  });
});

describe('notifications in two cells', () => {
  async function createPersonInTwoWorlds() {
    const here = await createWorld({ cell: 0 });
    const there = await createWorld({ cell: 1 });
    const elsewhere = await addMember(there, here.people.client, 'member');
    return { here, there, person: here.people.client, elsewhere };
  }

  it('are merged in order, with the same list and exact total in either workspace', async () => {
    const { here, there, person, elsewhere } = await createPersonInTwoWorlds();
    const made = [
      await insertNotification(here, person, { createdAt: 100 }),
      await insertNotification(there, person, { createdAt: 200 }),
      await insertNotification(there, person, { createdAt: 300 }),
      await insertNotification(here, person, { createdAt: 400, readAt: 450 }),
      await insertNotification(there, person, { createdAt: 500 }),
    ].reverse();
    for (const { token } of [person, elsewhere]) {
      const whole = await api(token).get('/notifications');
      expect(listIds(whole.body)).toEqual(made);
      expect(whole.body.meta.total).toBe(5);
      const pages = await Promise.all(
        [0, 2, 4].map((offset) => api(token).get(`/notifications?limit=2&offset=${offset}`)),
      );
      expect(pages.flatMap(({ body }) => listIds(body))).toEqual(made);
      expect(pages.map(({ body }) => body.meta.hasMore)).toEqual([true, true, false]);
      expect((await api(token).get('/notifications?unreadOnly=true')).body.meta.total).toBe(4);
      const count = await api(token).get('/notifications/count');
      expect(count.body).toEqual({ count: 4 });
      expect(count.cost.trips).toBe(1);
    }
  });

  it('can be marked as read in the other cell in two database round trips, and deleted there', async () => {
    const { there, person } = await createPersonInTwoWorlds();
    const id = await insertNotification(there, person);
    await api(person.token).get('/me');
    const read = await api(person.token).put(`/notifications/${id}/read`);
    expect(read.body).toMatchObject({ id, isRead: true, workspace: { id: there.id } });
    expect(read.cost.trips).toBe(2);
    expect(await readCounts(there, person)).toMatchObject(toExactCounts(1, 0));
    expect((await api(person.token).delete(`/notifications/${id}`)).status).toBe(200);
    expect(await readCounts(there, person)).toMatchObject(toExactCounts(0, 0));
  });

  it('can be marked as read in both cells at once', async () => {
    const { here, there, person } = await createPersonInTwoWorlds();
    await insertNotification(here, person);
    await insertNotification(there, person);
    await insertNotification(there, person);
    expect((await api(person.token).put('/notifications/read-all')).body).toEqual({ updated: 3 });
    expect(await readCounts(here, person)).toMatchObject(toExactCounts(1, 0));
    expect(await readCounts(there, person)).toMatchObject(toExactCounts(2, 0));
  });

  it("can't be changed in another cell once the caller's membership has ended", async () => {
    const { here, there, person } = await createPersonInTwoWorlds();
    const id = await insertNotification(there, person);
    expect((await api(person.token).get('/notifications/count')).status).toBe(200);
    const db = getCell(here.cell);
    await db.prepare('UPDATE members SET ended_at = 1 WHERE no = ?').bind(person.member).run();
    for (const answer of [
      await api(person.token).put(`/notifications/${id}/read`),
      await api(person.token).put('/notifications/read-all'),
      await api(person.token).delete(`/notifications/${id}`),
    ]) {
      expect(answer.status).toBe(401);
    }
    expect(await readCounts(there, person)).toMatchObject(toExactCounts(1, 1));
  });

  it("aren't found in a cell where the caller has no workspace", async () => {
    const { there, person } = await createPersonInTwoWorlds();
    const id = await insertNotification(there, person);
    const stranger = (await createWorld({ cell: 0 })).people.owner;
    expect((await api(stranger.token).put(`/notifications/${id}/read`)).status).toBe(404);
    expect((await api(stranger.token).delete(`/notifications/${toPublicId(1, 4000)}`)).status).toBe(404);
    expect(await readCounts(there, person)).toMatchObject(toExactCounts(1, 1));
  });
});

describe('a deleted notification', () => {
  it('has an id that is never reused, and repeating the DELETE returns 404', async () => {
    const world = await createWorld();
    const { lead, member } = world.people;
    const notifyByTask = async (name: string) => {
      await createTask(lead, world.projects.joined.id, { name, assigneeId: member.userId });
      return (await api(member.token).get('/notifications')).body.data[0].id as number;
    };
    const me = api(member.token);
    const seen = await notifyByTask('seen');
    expect((await me.delete(`/notifications/${seen}`)).body).toEqual({ success: true });
    expect((await me.delete(`/notifications/${seen}`)).status).toBe(404);
    const unseen = await notifyByTask('unseen');
    expect(unseen).toBeGreaterThan(seen);
    expect((await me.delete(`/notifications/${seen}`)).status).toBe(404);
    expect((await me.put(`/notifications/${seen}/read`)).status).toBe(404);
    const left = (await me.get('/notifications')).body;
    expect([left.meta.total, listIds(left)]).toEqual([1, [unseen]]);
    await me.delete(`/notifications/${unseen}`);
    const nobodys = await getCell(0)
      .prepare("SELECT count(*) AS n FROM notifications WHERE user_id = ''")
      .first('n');
    expect(nobodys).toBe(1);
    expect(await readCounts(world, member)).toEqual(toExactCounts(0, 0));
  });

  it('returns the stored response if the DELETE is repeated with its Idempotency-Key, even after later changes', async () => {
    const world = await createWorld();
    const { lead, member } = world.people;
    const me = api(member.token);
    await createTask(lead, world.projects.joined.id, { assigneeId: member.userId });
    const { id } = (await me.get('/notifications')).body.data[0];
    const key = { 'Idempotency-Key': crypto.randomUUID() };
    expect((await me.delete(`/notifications/${id}`, key)).status).toBe(200);
    await createTask(lead, world.projects.joined.id, { assigneeId: member.userId });
    expect((await me.delete(`/notifications/${id}`, key)).body).toEqual({ success: true });
    expect((await me.get('/notifications/count')).body).toEqual({ count: 1 });
  });
});

describe("a notification's task summary", () => {
  it('is null for a client who can no longer see the project, unless they follow the task or are assigned to it', async () => {
    const world = await createWorld();
    const { lead, client } = world.people;
    const { joined } = world.projects;
    const me = api(client.token);
    const task = await createTask(lead, joined.id, { name: 'Confidential', assigneeId: client.userId });
    await api(lead.token).post(`/tasks/${task.id}/comments`, { content: 'Confidential too' });
    const readVisibility = async () =>
      (await me.get('/notifications')).body.data.map((each: Record<string, unknown>) => [
        each.task !== null,
        each.comment !== null,
        each.project !== null,
      ]);
    expect(await readVisibility()).toEqual([
      [true, true, true],
      [true, false, true],
    ]);
    const db = getCell(world.cell);
    await db
      .prepare('DELETE FROM project_members WHERE project = ? AND member = ?')
      .bind(joined.id, client.member)
      .run();
    // A client who is assigned to a task can see it, but not its project.
    expect(await readVisibility()).toEqual([
      [true, true, false],
      [true, false, false],
    ]);
    await api(lead.token).patch(`/tasks/${task.id}`, { assigneeId: null });
    await db.batch([
      db.prepare('DELETE FROM followers WHERE task = ? AND member = ?').bind(task.id, client.member),
      db.prepare("UPDATE tasks SET followers = '[]' WHERE id = ?").bind(task.id),
    ]);
    await api(lead.token).patch(`/tasks/${task.id}`, { name: 'A new name' });
    expect(await readVisibility()).toEqual([
      [false, false, false],
      [false, false, false],
    ]);
    const read = (await me.get('/notifications')).body.data[0].id;
    expect((await me.put(`/notifications/${read}/read`)).body).toMatchObject({ task: null, project: null });
  });
});
