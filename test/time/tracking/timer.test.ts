// This file is long because starting, stopping and reading a timer are tested with the same task and person.
import { beforeEach, describe, expect, it } from 'vitest';
import { api, ORIGIN, send } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import {
  addMember,
  createApiKey,
  createTask,
  createWorkspace,
  createWorld,
  type World,
} from '../../support/world.ts';
import { findInvalidEntries, insertEntry, readStoredEntries } from './stored-entries.ts';

const MINUTE_MS = 60_000;

let world: World;
let client: ReturnType<typeof api>;
let task: { id: number; name: string };

beforeEach(async () => {
  world = await createWorld({ cell: 1 });
  client = api(world.people.member.token);
  task = await createTask(world.people.member, world.projects.joined.id, { name: 'Draft' });
});

const toIsoString = (ms: number) => new Date(ms).toISOString();

describe('starting a timer', () => {
  it('returns 201 with the new entry, which becomes the running entry', async () => {
    const before = Date.now();
    const { status, body } = await client.post('/timer/start', { taskId: task.id });
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(['id', 'taskId', 'startTime']);
    expect(body.taskId).toBe(task.id);
    expect(Date.parse(body.startTime)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(body.startTime)).toBeLessThanOrEqual(Date.now());
    const current = await client.get('/timer/current');
    expect(current.body).toEqual({
      id: body.id,
      taskId: task.id,
      task: { id: task.id, name: 'Draft' },
      project: world.projects.joined,
      startTime: body.startTime,
      endTime: null,
      durationSeconds: expect.any(Number),
    });
  });

  it('stops the running timer at the instant the new timer starts', async () => {
    const other = await createTask(world.people.member, world.projects.joined.id);
    const first = await client.post('/timer/start', { taskId: task.id });
    const second = await client.post('/timer/start', { taskId: other.id });
    const { body } = await client.get('/timer/entries');
    expect(body.data.map((each: { id: number }) => each.id)).toEqual([second.body.id, first.body.id]);
    expect(body.data[0].endTime).toBeNull();
    expect(body.data[1].endTime).toBe(second.body.startTime);
  });

  it('leaves exactly one timer running, without overlaps, when one person starts 50 at the same time', async () => {
    const other = await createTask(world.people.member, world.projects.joined.id);
    const tokens = [world.people.member.token, await createApiKey(world.people.member)];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        api(tokens[index % 2]).post('/timer/start', { taskId: index % 3 === 0 ? other.id : task.id }),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 201));
    const entries = await readStoredEntries(world, world.people.member);
    expect(entries.map((entry) => entry.id).sort()).toEqual(answers.map((answer) => answer.body.id).sort());
    expect(entries.filter((entry) => entry.ended_at === null)).toHaveLength(1);
    expect(entries.filter((entry) => entry.ended_at !== null)).toHaveLength(49);
    expect(findInvalidEntries(entries)).toEqual([]);
  });

  it('leaves consistent entries when timers are started and stopped in parallel', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        index % 2 === 0 ? client.post('/timer/start', { taskId: task.id }) : client.post('/timer/stop'),
      ),
    );
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.filter((_, index) => index % 2 === 0)).toEqual(Array(20).fill(201));
    expect(statuses.filter((_, index) => index % 2 === 1).every((each) => [200, 404].includes(each))).toBe(
      true,
    );
    const entries = await readStoredEntries(world, world.people.member);
    expect(entries).toHaveLength(20);
    expect(entries.filter((entry) => entry.ended_at === null).length).toBeLessThanOrEqual(1);
    expect(findInvalidEntries(entries)).toEqual([]);
    const stopped = answers.filter((answer) => answer.status === 200).map((answer) => answer.body.id);
    expect(new Set(stopped).size).toBe(stopped.length);
  });

  it('starts the new entry where the previous entry ends, even if that end is in the future', async () => {
    const { member } = world.people;
    const ahead = Date.now() + 10 * MINUTE_MS;
    const early = await insertEntry(world, member, task.id, ahead, null);
    const second = await client.post('/timer/start', { taskId: task.id });
    expect(second.body.startTime).toBe(toIsoString(ahead));
    const stopped = await client.post('/timer/stop');
    expect(stopped.body).toMatchObject({
      startTime: toIsoString(ahead),
      endTime: toIsoString(ahead),
      durationSeconds: 0,
    });
    await getCell(world.cell)
      .prepare('UPDATE time_entries SET ended_at = ? WHERE id = ?')
      .bind(ahead + MINUTE_MS, second.body.id)
      .run();
    const third = await client.post('/timer/start', { taskId: task.id });
    expect(third.body.startTime).toBe(toIsoString(ahead + MINUTE_MS));
    const entries = await readStoredEntries(world, member);
    expect(entries[0]).toMatchObject({ id: early, ended_at: ahead });
    expect(findInvalidEntries(entries)).toEqual([]);
    expect((await client.get('/timer/current')).body.durationSeconds).toBe(0);
  });

  it('rejects an archived, hidden or missing task, and keeps the running timer', async () => {
    const { owner, client: outsider, lead } = world.people;
    const archived = await createTask(owner, world.projects.joined.id);
    await api(owner.token).post(`/tasks/${archived.id}/archive`);
    const hidden = await createTask(owner, world.projects.other.id);
    const elsewhere = await createWorld({ cell: 1 });
    const foreign = await createTask(elsewhere.people.owner, elsewhere.projects.joined.id);
    await api(outsider.token).post('/timer/start', { taskId: task.id });
    const before = await readStoredEntries(world, outsider);

    const rejected = await api(outsider.token).post('/timer/start', { taskId: archived.id });
    expect(rejected.status).toBe(400);
    expect(rejected.body.error.message).toContain(`/v1/tasks/${archived.id}/unarchive`);
    for (const id of [hidden.id, foreign.id, 999_999_999]) {
      const answer = await api(outsider.token).post('/timer/start', { taskId: id });
      expect(answer.status).toBe(404);
      const absent = await api(outsider.token).get(`/tasks/${id}`);
      expect(answer.text).toBe(absent.text);
      expect(answer.cost.rowsWritten).toBe(0);
    }
    expect(await readStoredEntries(world, outsider)).toEqual(before);
    expect((await api(lead.token).post('/timer/start', { taskId: hidden.id })).status).toBe(201);
  });

  it('rejects a body with a missing or invalid task, or with other fields', async () => {
    for (const body of [{}, { taskId: '1' }, { taskId: 1.5 }, { taskId: task.id, member: 1 }]) {
      const answer = await client.post('/timer/start', body);
      expect(answer.status).toBe(400);
      expect(answer.body.error.code).toBe('invalid_request');
    }
    expect(await readStoredEntries(world, world.people.member)).toEqual([]);
  });
});

describe('stopping the timer', () => {
  it('returns the stopped entry once, and then 404 with instructions for starting a timer', async () => {
    const { member } = world.people;
    const startedAt = Date.now() - 95 * MINUTE_MS;
    const id = await insertEntry(world, member, task.id, startedAt, null);
    const { status, body } = await client.post('/timer/stop');
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, taskId: task.id, startTime: toIsoString(startedAt) });
    expect(body.durationSeconds).toBe(Math.floor((Date.parse(body.endTime) - startedAt) / 1000));
    expect(body.durationSeconds).toBeGreaterThanOrEqual(95 * 60);
    expect((await client.get('/timer/entries')).body.data).toEqual([body]);

    const again = await client.post('/timer/stop', {});
    expect(again.status).toBe(404);
    expect(again.body.error.code).toBe('not_found');
    expect(again.body.error.message).toContain('POST /v1/timer/start');
    expect((await client.get('/timer/current')).text).toBe('null');
    expect(await readStoredEntries(world, member)).toHaveLength(1);
  });

  it('works even if the task has since been archived', async () => {
    await client.post('/timer/start', { taskId: task.id });
    await client.post(`/tasks/${task.id}/archive`);
    expect((await client.post('/timer/stop')).status).toBe(200);
  });
});

describe('the current timer', () => {
  it('is null if none is running, and supports the fields parameter', async () => {
    // Doesn't use `api`, because its contract check doesn't support `fields` in a nullable response.
    const getCurrentTimer = async (query: string) => {
      const headers = { Authorization: `Bearer ${world.people.member.token}` };
      const response = await send(new Request(`${ORIGIN}/v1/timer/current${query}`, { headers }));
      return { status: response.status, body: await response.json() };
    };
    expect(await getCurrentTimer('')).toEqual({ status: 200, body: null });
    expect(await getCurrentTimer('?fields=id')).toEqual({ status: 200, body: null });
    expect((await getCurrentTimer('?fields=nonsense')).status).toBe(400);
    const started = await client.post('/timer/start', { taskId: task.id });
    expect(await getCurrentTimer('?fields=id,endTime')).toEqual({
      status: 200,
      body: { id: started.body.id, endTime: null },
    });
  });

  it('is tracked separately for each person in each workspace', async () => {
    const { member, lead } = world.people;
    const second = await createWorkspace({ cell: 1, members: { owner: 'owner' } });
    const elsewhere = await addMember(second, member, 'member');
    const key = await createApiKey(elsewhere);
    const started = await client.post('/timer/start', { taskId: task.id });
    for (const token of [lead.token, elsewhere.token, key]) {
      expect((await api(token).get('/timer/current')).body).toBeNull();
      expect((await api(token).post('/timer/stop')).status).toBe(404);
      expect((await api(token).post('/timer/start', { taskId: 999_999_999 })).status).toBe(404);
      expect((await api(token).get('/timer/entries')).body.meta.total).toBe(0);
      expect((await api(token).get(`/timer/entries?taskId=${task.id}`)).body.data).toEqual([]);
      expect((await api(token).get('/timer/stats')).body).toMatchObject({ entryCount: 0, tasks: [] });
    }
    expect((await api(lead.token).post('/timer/start', { taskId: task.id })).status).toBe(201);
    const current = await client.get('/timer/current');
    expect(current.body).toMatchObject({ id: started.body.id, endTime: null });
  });
});

describe('a timer request', () => {
  it('takes one database round trip for a read, and at most two for a write', async () => {
    await client.post('/timer/start', { taskId: task.id });
    const started = await client.post('/timer/start', { taskId: task.id });
    expect(started.cost.trips).toBeLessThanOrEqual(2);
    const reads = ['current', 'entries', 'entries?from=2026-01-01&to=2026-12-31', 'stats'];
    for (const path of reads) {
      const { cost } = await client.get(`/timer/${path}`);
      expect(cost.trips, path).toBe(1);
      expect(cost.rowsWritten, path).toBe(0);
    }
    const stopped = await client.post('/timer/stop');
    expect(stopped.cost.trips).toBe(1);
  });

  it('reads no more rows as the number of entries grows', async () => {
    const { no, cell, people } = world;
    const measureRowsRead = async () => {
      const answers = [
        await client.post('/timer/start', { taskId: task.id }),
        await client.post('/timer/start', { taskId: task.id }),
        await client.get('/timer/current'),
        await client.post('/timer/stop'),
      ];
      return answers.map(({ cost }) => [cost.rowsRead, cost.rowsWritten]);
    };
    // The first entry is cheaper, because there is no earlier entry to check.
    await measureRowsRead();
    const few = await measureRowsRead();
    await getCell(cell)
      .prepare(`
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        INSERT INTO time_entries (ws, member, task, started_at, ended_at)
        SELECT ?, ?, ?, i * 1000, i * 1000 + 500 FROM n`)
      .bind(no, people.member.member, task.id)
      .run();
    expect(await measureRowsRead()).toEqual(few);
    for (const [read, written] of few) {
      // An insert reads up to 17 rows of `sqlite_sequence`.
      expect(read).toBeLessThanOrEqual(37);
      expect(written).toBeLessThanOrEqual(9);
    }
    const today = await client.get('/timer/stats?period=day');
    expect(today.cost.rowsRead).toBeLessThanOrEqual(30);
  });
});
