import { describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { createWorld } from '../support/world.ts';
import { createOAuthToken, getResultText, getToolResult } from './client.ts';

describe('the repeat argument of create_task and update_task', () => {
  it('sets, changes and stops the recurrence, and get_task shows it', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const token = await createOAuthToken(world, member);
    const project = world.projects.joined.id;
    const made = await getToolResult(token, 'create_task', {
      tasks: [
        { project, name: 'Weekly report', deadline: '2027-01-04', repeat: 'FREQ=WEEKLY;BYDAY=MO' },
        { project, name: 'Water the plants', repeat: 'after 3 days' },
        { project, name: 'Once' },
      ],
    });
    const [first, second] = made.structuredContent.results.map(
      ({ task }: { task: { id: number } }) => task.id,
    );
    const readRecurrence = async (id: number) =>
      (await api(member.token).get(`/tasks/${id}/recurrence`)).body;
    expect(await readRecurrence(first)).toMatchObject({
      rule: 'FREQ=WEEKLY;BYDAY=MO',
      mode: 'schedule',
      days: null,
    });
    expect(await readRecurrence(second)).toMatchObject({ mode: 'completion', days: 3 });
    expect(getResultText(await getToolResult(token, 'get_task', { id: first }))).toContain(
      'repeats: Every Monday',
    );
    const preview = await getToolResult(token, 'update_task', {
      ids: [first],
      set: { repeat: null },
      dryRun: true,
    });
    expect(getResultText(preview)).toContain('repeat from Every Monday');
    await getToolResult(token, 'update_task', {
      updates: [
        { id: first, repeat: 'FREQ=DAILY', priority: 'high' },
        { id: second, repeat: null },
      ],
    });
    expect(await readRecurrence(first)).toMatchObject({ rule: 'FREQ=DAILY' });
    expect((await api(member.token).get(`/tasks/${second}/recurrence`)).status).toBe(404);
  });

  it('is mentioned in the error if its rule is invalid, and nothing is created', async () => {
    const world = await createWorld();
    const token = await createOAuthToken(world, world.people.member);
    const project = world.projects.joined.id;
    const rejected = await getToolResult(token, 'create_task', {
      tasks: [{ project, name: 'Never', repeat: 'weekly' }],
    });
    expect(rejected.isError).toBe(true);
    expect(getResultText(rejected)).toContain('repeat must consist of NAME=value parts');
    const { body } = await api(world.people.member.token).get('/tasks?scope=all&search=Never');
    expect(body.meta.total).toBe(0);
  });
});

describe('the recurrence field of POST /tasks', () => {
  it('requires a plan with recurring tasks', async () => {
    const world = await createWorld({ plan: 'free' });
    const { member } = world.people;
    const body = { projectId: world.projects.joined.id, name: 'Daily' };
    const recurrence = { rule: 'FREQ=DAILY', mode: 'schedule' };
    const rejected = await api(member.token).post('/tasks', { ...body, recurrence });
    expect([rejected.status, rejected.body.error.code]).toEqual([403, 'forbidden_plan']);
  });
});
