import { describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { getCell } from '../../support/env.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { createApiKey, createMeeting, createTask, createWorld, type World } from '../../support/world.ts';

const buildKeyHeader = (key: string) => ({ 'Idempotency-Key': key });
const countTasks = async (world: World) =>
  (
    await getCell(world.cell)
      .prepare('SELECT count(*) AS n FROM tasks WHERE ws = ?')
      .bind(world.no)
      .first<{ n: number }>()
  )?.n;

describe('an Idempotency-Key', () => {
  it('makes the request run once, and repeated requests return the stored response', async () => {
    const world = await createWorld();
    const me = api(world.people.member.token);
    const body = { projectId: world.projects.joined.id, name: 'once' };
    const first = await me.post('/tasks', body, buildKeyHeader('a'));
    await me.patch(`/tasks/${first.body.id}`, { name: 'changed since' });
    const second = await me.post('/tasks', body, buildKeyHeader('a'));
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.text).toBe(first.text);
    expect([first.headers.get('Idempotent-Replayed'), second.headers.get('Idempotent-Replayed')]).toEqual([
      null,
      'true',
    ]);
    expect(await countTasks(world)).toBe(1);
    expect(second.cost.rowsWritten).toBe(0);
  });

  it("can't be used for a different request, and doesn't affect other keys or credentials", async () => {
    const world = await createWorld();
    const { member, lead } = world.people;
    const body = { projectId: world.projects.joined.id, name: 'once' };
    await api(member.token).post('/tasks', body, buildKeyHeader('k'));
    const other = await api(member.token).post('/tasks', { ...body, name: 'twice' }, buildKeyHeader('k'));
    expect([other.status, other.body.error.code]).toEqual([400, 'invalid_request']);
    expect(other.body.error.message).toContain('Idempotency-Key');
    expect((await api(member.token).post('/tasks', body, buildKeyHeader('k2'))).status).toBe(201);
    expect((await api(lead.token).post('/tasks', body, buildKeyHeader('k'))).status).toBe(201);
    expect(await countTasks(world)).toBe(3);
  });

  it('makes twenty parallel requests with the same key create only one task', async () => {
    const world = await createWorld();
    const key = await createApiKey(world.people.owner);
    const body = { projectId: world.projects.joined.id, name: 'race', assigneeId: world.people.lead.userId };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api(key).post('/tasks', body, buildKeyHeader('race'))),
    );
    expect(new Set(answers.map((each) => each.status))).toEqual(new Set([201]));
    expect(new Set(answers.map((each) => each.text)).size).toBe(1);
    expect(await countTasks(world)).toBe(1);
    expect((await api(world.people.lead.token).get('/notifications')).body.meta.total).toBe(1);
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it("makes a retry return the first request's result, even if the database's response was lost", async () => {
    const world = await createWorld();
    const { owner } = world.people;
    const db = getCell(0);
    await api(owner.token).get('/me');
    /** Commits every batch, but drops the results of batches that write. */
    const lossy = {
      prepare: (query: string) => db.prepare(query),
      async batch(statements: D1PreparedStatement[]) {
        const results = await db.batch(statements);
        if (results.some((each) => each.meta.rows_written > 0)) throw new Error('Network connection lost.');
        return results;
      },
    } as D1Database;
    const { id: taskId } = await createTask(owner, world.projects.joined.id);
    const { id: meetingId } = await createMeeting(owner, world.projects.other.id);
    // This table isn't compared, because a response is stored after it is sent, possibly while the next request is
    // running.
    const answers = ['idempotency_keys'];
    const calls: [string, string, Record<string, unknown>, number][] = [
      ['POST', '/tasks', { projectId: world.projects.joined.id, name: 'lost' }, 201],
      ['POST', `/tasks/${taskId}/duplicate`, {}, 201],
      ['POST', `/tasks/${taskId}/comments`, { content: 'lost' }, 201],
      ['PATCH', `/tasks/${taskId}`, { name: 'renamed' }, 200],
      ['POST', `/tasks/${taskId}/archive`, {}, 200],
      ['POST', `/tasks/${taskId}/unarchive`, {}, 200],
      ['POST', '/timer/start', { taskId }, 201],
      ['POST', '/timer/stop', {}, 200],
      [
        'POST',
        '/meetings',
        {
          projectId: world.projects.other.id,
          name: 'm',
          date: '2027-01-01',
          time: '10:00',
          participantIds: [owner.userId],
        },
        201,
      ],
      ['PATCH', `/meetings/${meetingId}`, { time: '11:30' }, 200],
      ['DELETE', `/meetings/${meetingId}`, {}, 200],
    ];
    for (const [method, path, body, status] of calls) {
      const header = buildKeyHeader(`${method} ${path}`);
      const sent = method === 'DELETE' ? undefined : body;
      const name = `${method} ${path}`;
      await expect(
        api(owner.token, { CELL_0: lossy }).call(method, path, sent, header),
        name,
      ).rejects.toThrow('500');
      const before = await readAllContents(answers);
      const retried = await api(owner.token).call(method, path, sent, header);
      expect([retried.status, retried.headers.get('Idempotent-Replayed')], name).toEqual([status, 'true']);
      expect(await readAllContents(answers), name).toEqual(before);
      const again = await api(owner.token).call(method, path, sent, header);
      expect([again.status, again.body.id], name).toEqual([status, retried.body.id]);
    }
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('is stored without any secret that the request created, and expires after a day', async () => {
    const world = await createWorld();
    const me = api(world.people.owner.token);
    const made = await me.post('/connected-apps/api-keys', { name: 'k' }, buildKeyHeader('secret'));
    const again = await me.post('/connected-apps/api-keys', { name: 'k' }, buildKeyHeader('secret'));
    expect([made.status, again.status]).toEqual([201, 400]);
    const kept = await getCell(0).prepare('SELECT * FROM idempotency_keys').all();
    expect(JSON.stringify(kept.results)).not.toContain(made.body.key);
    const body = { projectId: world.projects.joined.id, name: 'daily' };
    const first = await me.post('/tasks', body, buildKeyHeader('daily'));
    await getCell(0).prepare('UPDATE idempotency_keys SET created_at = created_at - 86400001').run();
    const later = await me.post('/tasks', body, buildKeyHeader('daily'));
    expect(later.body.id).not.toBe(first.body.id);
  });

  it('can be reused after a rejected request, and has at most 255 characters', async () => {
    const world = await createWorld();
    const me = api(world.people.owner.token);
    const body = { projectId: world.projects.joined.id, name: '' };
    expect((await me.post('/tasks', body, buildKeyHeader('r'))).status).toBe(400);
    expect((await me.post('/tasks', { ...body, name: 'right' }, buildKeyHeader('r'))).status).toBe(201);
    expect((await me.post('/tasks', { ...body, name: 'x' }, buildKeyHeader('y'.repeat(256)))).status).toBe(
      400,
    );
    expect((await me.post('/tasks', { ...body, name: 'x' }, buildKeyHeader('y'.repeat(255)))).status).toBe(
      201,
    );
  });
});
