import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { getCell } from '../support/env.ts';
import { createTask, createWorld, type Person, type World } from '../support/world.ts';
import { callTool, createOAuthToken, getResultText, getToolResult } from './client.ts';
import type { RestValue } from './expected-results.ts';

let world: World;
let token: string;
let firstTask: number;
let secondTask: number;
const today = new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  world = await createWorld();
  const { lead, member, owner } = world.people;
  token = await createOAuthToken(world, owner);
  firstTask = (await createTask(lead, world.projects.joined.id, { name: 'First' })).id;
  secondTask = (await createTask(owner, world.projects.other.id, { name: 'Second' })).id;
  await api(lead.token).patch(`/tasks/${firstTask}`, { status: 'in_progress' });
  await api(lead.token).patch(`/tasks/${firstTask}`, { status: 'completed', description: '<p>x</p>' });
  for (const content of ['one', 'two'])
    await api(member.token).post(`/tasks/${firstTask}/comments`, { content });
  await api(lead.token).post('/timer/start', { taskId: firstTask });
});

describe('list_changes', () => {
  it('groups changes by task and person, newest first, and shows the first and last value of each field', async () => {
    const { lead, member, owner } = world.people;
    const { data, nextCursor } = await callTool(token, 'list_changes', {
      since: today,
      kinds: ['task', 'comment'],
    });
    expect(nextCursor).toBeNull();
    expect(data.map((each: RestValue) => [each.task.id, each.project, each.people])).toEqual([
      [
        firstTask,
        'Joined',
        [
          { by: member.name, did: ['commented ×2'] },
          { by: lead.name, did: ['created', 'status todo → completed', 'description'] },
        ],
      ],
      [secondTask, 'Other', [{ by: owner.name, did: ['created'] }]],
    ]);
    const text = getResultText(
      await getToolResult(token, 'list_changes', { since: today, kinds: ['task', 'comment'] }),
    );
    expect(text.split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(new RegExp(`^#${firstTask} First \\| Joined \\| last ${today}T`)),
      `- ${member.name} | commented ×2`,
      `- ${lead.name} | created | status todo → completed | description`,
    ]);
  });

  it('filters by project, person, kind of change and time', async () => {
    const listDetails = async (args: object) =>
      (await callTool(token, 'list_changes', { since: today, ...args })).data.map(
        (each: RestValue) => each.task?.id,
      );
    expect(await listDetails({ project: 'Other' })).toEqual([secondTask]);
    expect(await listDetails({ person: 'Member Test' })).toEqual([firstTask]);
    expect(await listDetails({ person: 'me' })).toEqual([secondTask]);
    expect(await listDetails({ kinds: ['project'] })).toEqual([]);
    expect(await listDetails({ since: new Date(Date.now() + 60_000).toISOString() })).toEqual([]);
  });

  it('shows every role the same tasks as the event feed, and timers only to the people who started them', async () => {
    const people: readonly Person[] = Object.values(world.people);
    for (const person of people) {
      const { body } = await api(person.token).get('/events?after=0&limit=300');
      const theirs = await createOAuthToken(world, person);
      const { data } = await callTool(theirs, 'list_changes', { since: today });
      const listTaskIds = (items: RestValue[]) => [...new Set(items.map((each) => each.task?.id))].sort();
      expect(listTaskIds(data), person.role).toEqual(listTaskIds(body.data));
      const hasTimer = JSON.stringify(data).includes('started the timer');
      expect(hasTimer, person.role).toBe(person.role === 'lead');
    }
  });

  it('pages back in time without gaps, in results of at most 25 KB', async () => {
    const busy = await createWorld();
    const { owner } = busy.people;
    const project = busy.projects.other.id;
    const tasks = Array.from({ length: 100 }, (_, index) => ({
      projectId: project,
      name: `${index} ${'n'.repeat(200)}`,
    }));
    for (let round = 0; round < 4; round += 1) await api(owner.token).post('/tasks/bulk', { tasks });
    const owners = await createOAuthToken(busy, owner);
    const seen: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await getToolResult(owners, 'list_changes', { since: today, cursor });
      seen.push(...page.structuredContent.data.map((each: RestValue) => each.task.id));
      cursor = page.structuredContent.nextCursor;
      if (cursor) expect(getResultText(page)).toContain(`cursor=${cursor}`);
    }
    expect(seen).toHaveLength(400);
    expect(seen).toEqual(seen.toSorted((one, other) => other - one));
  });

  it('returns how far back it searched, and a cursor that continues the search, if it found nothing', async () => {
    const long = await createWorld();
    const { owner } = long.people;
    const wanted = await createTask(owner, long.projects.joined.id, { name: 'Wanted' });
    // Another project has changed 9,000 times since the task was created.
    const rows = Array.from({ length: 9_000 }, (_, index) => index + 1);
    const db = getCell(long.cell);
    await db
      .prepare(
        `INSERT INTO events (ws, seq, type, project, task, entity, reader, actor, via, changes, entries, occurred_at)
         SELECT e.ws, e.seq + d.value, 'project.updated', ?2, NULL, NULL, NULL, e.actor, e.via, '{}', 0, e.occurred_at
         FROM (SELECT * FROM events WHERE ws = ?1 ORDER BY seq DESC LIMIT 1) e CROSS JOIN json_each(?3) d`,
      )
      .bind(long.no, long.projects.other.id, JSON.stringify(rows))
      .run();
    const owners = await createOAuthToken(long, owner);
    const args = { since: today, project: 'Joined', kinds: ['task'] };
    const firstTask = await getToolResult(owners, 'list_changes', args);
    const { data, nextCursor, scannedSince } = firstTask.structuredContent;
    expect(data).toEqual([]);
    expect(scannedSince).toMatch(new RegExp(`^${today}T`));
    expect(getResultText(firstTask)).toBe(
      `No matches since ${scannedSince}. To search older changes, call again with cursor=${nextCursor}`,
    );
    const rest = await callTool(owners, 'list_changes', { ...args, cursor: nextCursor });
    expect(rest.data.map((each: RestValue) => each.task.id)).toEqual([wanted.id]);
    expect(rest.nextCursor).toBeNull();
  });

  it('returns the date before which changes are no longer available, if the query starts earlier', async () => {
    const old = await createWorld();
    const { owner } = old.people;
    await createTask(owner, old.projects.other.id, { name: 'Kept' });
    await createTask(owner, old.projects.other.id, { name: 'Newer' });
    await getCell(old.cell).prepare('UPDATE workspaces SET events_from = 2 WHERE no = ?').bind(old.no).run();
    const result = await getToolResult(await createOAuthToken(old, owner), 'list_changes', {
      since: '2020-01-01',
    });
    expect(result.structuredContent.data.map((each: RestValue) => each.task.name)).toEqual(['Newer']);
    expect(getResultText(result)).toMatch(/Changes before \d{4}-.* are no longer available\./);
  });

  it('rejects an invalid time', async () => {
    const result = await getToolResult(token, 'list_changes', { since: 'Monday' });
    expect(getResultText(result)).toContain('since must be a date such as 2026-03-02, a local time');
  });
});
