import { beforeEach, describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { createTask, createWorld, type World } from '../support/world.ts';
import { setTimezone, storeEntry } from './entries.ts';

const HOUR_MS = 3_600_000;

let world: World;
let client: ReturnType<typeof api>;
let task: { id: number };

beforeEach(async () => {
  world = await createWorld();
  client = api(world.people.member.token);
  task = await createTask(world.people.member, world.projects.joined.id);
});

const ids = (answer: { body: { data: { id: number }[] } }) => answer.body.data.map((each) => each.id);

function store(start: string, options: { hours?: number; taskId?: number } = {}) {
  const startedAt = Date.parse(start);
  const endedAt = startedAt + (options.hours ?? 1) * HOUR_MS;
  return storeEntry(world, world.people.member, options.taskId ?? task.id, startedAt, endedAt);
}

describe('GET /timer/entries', () => {
  it('pages newest first with exact totals, and trims to fields', async () => {
    const stored: number[] = [];
    for (let day = 1; day <= 7; day += 1) stored.push(await store(`2026-03-0${day}T09:00:00Z`));
    stored.reverse();
    const first = await client.get('/timer/entries?limit=3');
    expect(ids(first)).toEqual(stored.slice(0, 3));
    expect(first.body.meta).toEqual({ total: 7, limit: 3, offset: 0, hasMore: true });
    expect(first.body.data[0]).toMatchObject({
      startTime: '2026-03-07T09:00:00.000Z',
      endTime: '2026-03-07T10:00:00.000Z',
      durationSeconds: 3600,
    });
    const last = await client.get('/timer/entries?limit=3&offset=6');
    expect(ids(last)).toEqual(stored.slice(6));
    expect(last.body.meta).toEqual({ total: 7, limit: 3, offset: 6, hasMore: false });
    const trimmed = await client.get('/timer/entries?fields=id,durationSeconds&limit=1');
    expect(trimmed.body.data).toEqual([{ id: stored[0], durationSeconds: 3600 }]);
  });

  it('keeps to one task, and answers an empty page for one that has no entries or does not exist', async () => {
    const other = await createTask(world.people.member, world.projects.joined.id);
    await store('2026-03-01T09:00:00Z');
    const wanted = await store('2026-03-02T09:00:00Z', { taskId: other.id });
    const found = await client.get(`/timer/entries?taskId=${other.id}`);
    expect(ids(found)).toEqual([wanted]);
    expect(found.body.meta.total).toBe(1);
    expect((await client.get('/timer/entries?taskId=999999999')).body.meta.total).toBe(0);
  });

  // Each zone: the last and the first instant of two neighbouring days, one of them 23 or 25 hours long.
  it.each([
    ['UTC', '2026-03-02', '2026-03-02T00:00:00.000Z', '2026-03-03T00:00:00.000Z'],
    ['Pacific/Auckland', '2026-03-02', '2026-03-01T11:00:00.000Z', '2026-03-02T11:00:00.000Z'],
    ['America/Los_Angeles', '2026-03-08', '2026-03-08T08:00:00.000Z', '2026-03-09T07:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    ['Asia/Kathmandu', '2026-12-31', '2026-12-30T18:15:00.000Z', '2026-12-31T18:15:00.000Z'],
  ])('takes days by the clock of the workspace: %s, %s', async (timezone, day, begins, ends) => {
    await setTimezone(world, timezone);
    const at = (instant: string, ms: number) => store(new Date(Date.parse(instant) + ms).toISOString());
    const before = await at(begins, -1);
    const first = await at(begins, 0);
    const last = await at(ends, -1);
    const after = await at(ends, 0);
    expect(ids(await client.get(`/timer/entries?from=${day}&to=${day}`))).toEqual([last, first]);
    expect(ids(await client.get(`/timer/entries?from=${day}`))).toEqual([after, last, first]);
    const upTo = await client.get(`/timer/entries?to=${day}&limit=2`);
    expect(ids(upTo)).toEqual([last, first]);
    expect(upTo.body.meta).toEqual({ total: 3, limit: 2, offset: 0, hasMore: true });
    expect(ids(await client.get(`/timer/entries?to=${day}&offset=2`))).toEqual([before]);
  });

  it('takes every date there is', async () => {
    await setTimezone(world, 'America/New_York');
    const id = await store('2026-03-02T09:00:00Z');
    expect(ids(await client.get('/timer/entries?from=0000-01-01&to=9999-12-31'))).toEqual([id]);
    expect(ids(await client.get('/timer/entries?from=9999-12-31'))).toEqual([]);
    expect(ids(await client.get('/timer/entries?to=0099-01-01'))).toEqual([]);
  });

  it('refuses days that run backwards, are not real, or come with more than it knows', async () => {
    const refused = [
      'from=2026-03-03&to=2026-03-02',
      'from=2026-02-30',
      'to=2026-3-2',
      'from=2026-03-02T00:00:00Z',
      'taskId=x',
      'limit=101',
      'offset=-1',
      'member=1',
      'fields=secret',
    ];
    for (const query of refused) {
      const answer = await client.get(`/timer/entries?${query}`);
      expect(answer.status, query).toBe(400);
      expect(answer.body.error.code, query).toBe('invalid_request');
    }
    const backwards = await client.get(`/timer/entries?${refused[0]}`);
    expect(backwards.body.error.message).toContain("from '2026-03-03' and to '2026-03-02'");
  });
});
