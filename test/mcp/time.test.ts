import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { getCell } from '../support/env.ts';
import { createTask, createWorld, type World } from '../support/world.ts';
import { callTool, createOAuthToken, getResultText, getToolResult } from './client.ts';
import type { RestValue } from './expected-results.ts';

let world: World;
let token: string;
let tasks: number[];

beforeAll(async () => {
  world = await createWorld();
  const { lead } = world.people;
  token = await createOAuthToken(world, lead);
  const made = [
    await createTask(lead, world.projects.joined.id),
    await createTask(lead, world.projects.joined.id),
  ];
  tasks = made.map(({ id }) => id);
});

const buildEntry = (day: number, from: string, to: string, task = 0) => ({
  taskId: tasks[task] as number,
  startTime: `2026-03-0${day}T${from}:00Z`,
  endTime: `2026-03-0${day}T${to}:00Z`,
});
const listStoredEntries = async () =>
  (await api(token).get('/timer/entries?limit=100')).body.data as RestValue[];

describe('set_timer with entries', () => {
  it('logs a week in one call, with the same events as single requests', async () => {
    const alone = await api(token).post('/timer/entries', buildEntry(1, '08:00', '09:00'));
    expect(alone.status).toBe(201);
    const week = [2, 3, 4, 5, 6].flatMap((day) => [
      buildEntry(day, '09:00', '12:00'),
      buildEntry(day, '13:00', '17:00', 1),
    ]);
    const result = await getToolResult(token, 'set_timer', { entries: week });
    const { logged } = result.structuredContent;
    expect(
      logged.map(({ taskId, startTime, endTime }: RestValue) => ({ taskId, startTime, endTime })),
    ).toEqual(
      week.map((each) => ({
        ...each,
        startTime: each.startTime.replace('Z', '.000Z'),
        endTime: each.endTime.replace('Z', '.000Z'),
      })),
    );
    expect(getResultText(result).split('\n').at(-1)).toBe('Logged 10 entries.');
    expect((await listStoredEntries()).toSorted((one, other) => one.id - other.id).slice(1)).toEqual(logged);
    const { body } = await api(token).get('/events?after=0&types=time_entry.*&limit=300');
    const [single, ...rest] = body.data;
    expect(rest).toHaveLength(10);
    expect(rest.map((each: RestValue) => each.timeEntry.id)).toEqual(logged.map(({ id }: RestValue) => id));
    expect(Object.keys(rest[0].changes)).toEqual(Object.keys(single.changes));
    expect(rest[0]).toMatchObject({ type: single.type, via: 'mcp', task: { id: tasks[0] } });
  });

  it('logs all entries or none, and identifies the rejected entry', async () => {
    const before = await listStoredEntries();
    const getRejection = async (entries: object[]) => {
      const result = await getToolResult(token, 'set_timer', { entries });
      expect(result.isError).toBe(true);
      return getResultText(result);
    };
    const fine = buildEntry(8, '09:00', '10:00');
    expect(await getRejection([fine, buildEntry(8, '12:00', '11:00')])).toMatch(
      /^entries\[1\]\.endTime must be after/,
    );
    expect(
      await getRejection([
        fine,
        { ...fine, startTime: '2026-03-08T09:30:00Z', endTime: '2026-03-08T11:00:00Z' },
      ]),
    ).toBe("entries[1]: This time overlaps entries[0]. Send times that don't overlap.");
    expect(await getRejection([fine, buildEntry(3, '11:00', '12:30')])).toMatch(
      /^entries\[1\]: This time overlaps your time entry \d+.*; get_time \(view entries\) lists your entries\.$/,
    );
    expect(await getRejection([fine, { ...buildEntry(8, '11:00', '12:00'), taskId: 999_999 }])).toMatch(
      /^entries\[1\]: No task/,
    );
    expect(await listStoredEntries()).toEqual(before);
  });

  it('logs the entries once per idempotency key', async () => {
    const args = { entries: [buildEntry(9, '09:00', '10:00')], idempotencyKey: 'nine' };
    const [first, second] = [
      await getToolResult(token, 'set_timer', args),
      await getToolResult(token, 'set_timer', args),
    ];
    expect(second.structuredContent).toEqual({ ...first.structuredContent, replayed: true });
    expect(
      (await listStoredEntries()).filter(({ startTime }) => startTime.startsWith('2026-03-09')),
    ).toHaveLength(1);
  });

  it('rejects contradictory or missing arguments', async () => {
    for (const args of [{}, { taskId: tasks[0], entries: [buildEntry(7, '09:00', '10:00')] }]) {
      expect((await getToolResult(token, 'set_timer', args)).isError).toBe(true);
    }
  });
});

describe('set_timer with change', () => {
  it('corrects or deletes an entry by its id from get_time', async () => {
    const { logged } = await callTool(token, 'set_timer', { entries: [buildEntry(7, '09:00', '10:00')] });
    const listed = await getToolResult(token, 'get_time', {
      view: 'entries',
      from: '2026-03-07',
      to: '2026-03-07',
    });
    const [, id] = /\| entry (\d+)$/m.exec(getResultText(listed)) ?? [];
    expect(Number(id)).toBe(logged[0].id);
    const result = await getToolResult(token, 'set_timer', {
      change: { id: Number(id), endTime: '2026-03-07T11:30' },
    });
    expect(getResultText(result)).toContain(`9000 s | entry ${id}`);
    expect(result.structuredContent.changed).toEqual(
      (await listStoredEntries()).find((each) => each.id === Number(id)),
    );
    const mixed = await getToolResult(token, 'set_timer', {
      change: { id: Number(id), taskId: tasks[1], delete: true },
    });
    expect(getResultText(mixed)).toContain("taskId can't be combined with delete");
    expect(await callTool(token, 'set_timer', { change: { id: Number(id), delete: true } })).toEqual({
      deleted: Number(id),
    });
    const gone = await getToolResult(token, 'set_timer', { change: { id: Number(id), delete: true } });
    expect(getResultText(gone)).toContain('Use get_time (view entries) to find valid ids.');
  });

  it("changes only the caller's own entries", async () => {
    const { member } = world.people;
    const theirs = await createOAuthToken(world, member);
    const { logged } = await callTool(theirs, 'set_timer', { entries: [buildEntry(7, '13:00', '14:00')] });
    const rejected = await getToolResult(token, 'set_timer', { change: { id: logged[0].id, delete: true } });
    expect(rejected.isError).toBe(true);
    const { data } = await callTool(theirs, 'get_time', { view: 'entries' });
    expect(data.map((each: RestValue) => each.id)).toContain(logged[0].id);
  });
});

describe('a tool with time arguments', () => {
  it("accepts dates and local times in the workspace's time zone", async () => {
    const abroad = await createWorld();
    const { lead } = abroad.people;
    await getCell(abroad.cell)
      .prepare("UPDATE workspaces SET timezone = 'Asia/Tokyo', version = version + 1 WHERE no = ?")
      .bind(abroad.no)
      .run();
    const theirs = await createOAuthToken(abroad, lead);
    const { id: taskId } = await createTask(lead, abroad.projects.joined.id);
    const entries = [{ taskId, startTime: '2026-03-02', endTime: '2026-03-02 09:30' }];
    const { logged } = await callTool(theirs, 'set_timer', { entries });
    expect(logged).toMatchObject([
      { startTime: '2026-03-01T15:00:00.000Z', endTime: '2026-03-02T00:30:00.000Z' },
    ]);
    const findUpdatedSince = async (updatedSince: string) =>
      (await callTool(theirs, 'find_tasks', { updatedSince, limit: 1 })).total;
    expect(await findUpdatedSince('2026-03-02')).toBe(1);
    expect(await findUpdatedSince('2999-01-01T10:00')).toBe(0);
    const wrong = await getToolResult(theirs, 'find_tasks', { updatedSince: '2026-02-30' });
    expect(getResultText(wrong)).toContain('updatedSince must be a date such as 2026-03-02, a local time');
  });
});

it('get_time counts the entries that set_timer has logged', async () => {
  expect((await callTool(token, 'get_time', { view: 'entries' })).total).toBe(
    (await listStoredEntries()).length,
  );
});
