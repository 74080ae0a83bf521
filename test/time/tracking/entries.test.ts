import { beforeEach, describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';

const HOUR = 3_600_000;
const BASE_TIME = Date.now();
const toHoursAgo = (hoursAgo: number) => new Date(BASE_TIME - hoursAgo * HOUR).toISOString();

let world: World;
let taskId: number;

beforeEach(async () => {
  world = await createWorld();
  taskId = (await createTask(world.people.owner, world.projects.joined.id)).id;
});

const createMemberClient = () => api(world.people.member.token);
const logTime = (from: string, to: string, task = taskId) =>
  createMemberClient().post('/timer/entries', { taskId: task, startTime: from, endTime: to });

async function listEntries() {
  const { body } = await createMemberClient().get('/timer/entries');
  return body.data;
}

describe('a time entry', () => {
  it('can be created, changed and deleted, and logs events that only its owner can see', async () => {
    const [from, to] = [toHoursAgo(5), toHoursAgo(3)];
    await createMemberClient().get('/timer/entries');
    const created = await logTime(from, to);
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ taskId, startTime: from, endTime: to, durationSeconds: 7200 });
    expect(created.cost.trips).toBeLessThanOrEqual(2);
    expect(await listEntries()).toEqual([created.body]);
    const path = `/timer/entries/${created.body.id}`;
    const other = (await createTask(world.people.owner, world.projects.joined.id)).id;
    const moved = await createMemberClient().patch(path, { taskId: other, startTime: toHoursAgo(4) });
    expect(moved.body).toMatchObject({ taskId: other, endTime: to, durationSeconds: 3600 });
    expect((await createMemberClient().patch(path, {})).body).toEqual(moved.body);
    expect((await createMemberClient().delete(path)).body).toEqual({ success: true });
    expect(await listEntries()).toEqual([]);
    const { results } = await getCell(0)
      .prepare(
        "SELECT type, task, entity, reader, changes FROM events WHERE ws = ? AND type LIKE 'time_entry.%' ORDER BY seq",
      )
      .bind(world.no)
      .all<{ type: string; task: number; entity: number; reader: number; changes: string }>();
    expect(results.map(({ type, task, reader }) => [type, task, reader])).toEqual([
      ['time_entry.created', taskId, world.people.member.member],
      ['time_entry.updated', taskId, world.people.member.member],
      ['time_entry.deleted', other, world.people.member.member],
    ]);
    expect(results.map(({ changes }) => JSON.parse(changes))).toEqual([
      { startTime: { from: null, to: from }, endTime: { from: null, to: to } },
      { taskId: { from: taskId, to: other }, startTime: { from, to: moved.body.startTime } },
      { startTime: { from: moved.body.startTime, to: null }, endTime: { from: to, to: null } },
    ]);
  });

  it("can be adjacent to other entries but can't overlap them, including a running timer", async () => {
    const [eight, six, four] = [toHoursAgo(8), toHoursAgo(6), toHoursAgo(4)];
    const first = await logTime(eight, six);
    expect((await logTime(six, four)).status).toBe(201);
    for (const [from, to] of [
      [toHoursAgo(7), toHoursAgo(5)],
      [toHoursAgo(9), toHoursAgo(7)],
      [toHoursAgo(7.5), toHoursAgo(6.5)],
      [toHoursAgo(10), toHoursAgo(3)],
      [eight, six],
    ]) {
      const { status, body } = await logTime(from as string, to as string);
      expect([status, body.error.message]).toEqual([
        400,
        expect.stringContaining('overlaps your time entry'),
      ]);
    }
    const moved = await createMemberClient().patch(`/timer/entries/${first.body.id}`, {
      endTime: toHoursAgo(5),
    });
    expect([moved.status, moved.body.error.message]).toEqual([400, expect.stringContaining('overlaps')]);
    expect(
      (await createMemberClient().patch(`/timer/entries/${first.body.id}`, { startTime: toHoursAgo(9) }))
        .status,
    ).toBe(200);
    await createMemberClient().post('/timer/start', { taskId });
    await getCell(0)
      .prepare('UPDATE time_entries SET started_at = ? WHERE ended_at IS NULL')
      .bind(Date.now() - 2 * HOUR)
      .run();
    expect((await logTime(toHoursAgo(1.5), toHoursAgo(1))).status).toBe(400);
    expect((await logTime(toHoursAgo(3), toHoursAgo(2.5))).status).toBe(201);
    expect(await listEntries()).toHaveLength(4);
    const others = await api(world.people.lead.token).post('/timer/entries', {
      taskId,
      startTime: eight,
      endTime: six,
    });
    expect(others.status).toBe(201);
  });

  it('is rejected if its times are invalid or its task is archived', async () => {
    const getErrorMessage = async (from: string, to: string) => (await logTime(from, to)).body.error.message;
    expect(await getErrorMessage(toHoursAgo(2), toHoursAgo(-1))).toContain(
      'endTime must not be in the future',
    );
    expect(await getErrorMessage(toHoursAgo(2), toHoursAgo(3))).toContain('endTime must be after startTime');
    expect(await getErrorMessage(toHoursAgo(2), '2026-13-01T00:00:00Z')).toContain(
      'endTime must be a timestamp',
    );
    expect(await getErrorMessage(toHoursAgo(30), toHoursAgo(2))).toContain('at most 24 hours apart');
    expect((await logTime(toHoursAgo(2), toHoursAgo(1), 999_999_999)).status).toBe(404);
    await api(world.people.owner.token).post(`/tasks/${taskId}/archive`);
    expect(await getErrorMessage(toHoursAgo(2), toHoursAgo(1))).toContain('is archived');
    expect(await listEntries()).toEqual([]);
  });

  it('can be changed only by its owner, and only once it has been stopped', async () => {
    const started = await createMemberClient().post('/timer/start', { taskId });
    const path = `/timer/entries/${started.body.id}`;
    for (const answer of [
      await createMemberClient().patch(path, { startTime: toHoursAgo(1) }),
      await createMemberClient().delete(path),
    ]) {
      expect([answer.status, answer.body.error.message]).toEqual([
        400,
        expect.stringContaining('POST /v1/timer/stop'),
      ]);
    }
    const { owner } = world.people;
    const unknown = await api(owner.token).delete('/timer/entries/999999999');
    for (const foreign of [await api(owner.token).delete(path), await api(owner.token).patch(path, {})]) {
      expect(foreign.status).toBe(404);
      expect(foreign.text.replace(String(started.body.id), '999999999')).toBe(unknown.text);
    }
    expect(await listEntries()).toHaveLength(1);
  });

  it('is created only once by identical parallel requests', async () => {
    const [from, to] = [toHoursAgo(5), toHoursAgo(3)];
    const answers = await Promise.all(Array.from({ length: 8 }, () => logTime(from, to)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(400)]);
    expect(await listEntries()).toHaveLength(1);
  });

  it('is created once per Idempotency-Key', async () => {
    const body = { taskId, startTime: toHoursAgo(2), endTime: toHoursAgo(1) };
    const key = { 'Idempotency-Key': 'entry' };
    const first = await createMemberClient().post('/timer/entries', body, key);
    const again = await createMemberClient().post('/timer/entries', body, key);
    expect([again.status, again.body]).toEqual([201, first.body]);
    const path = `/timer/entries/${first.body.id}`;
    expect((await createMemberClient().delete(path, { 'Idempotency-Key': 'gone' })).body).toEqual({
      success: true,
    });
    expect((await createMemberClient().delete(path, { 'Idempotency-Key': 'gone' })).body).toEqual({
      success: true,
    });
  });
});
