import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;
let member: WorkspaceBrowser;
let memberClient: ReturnType<typeof api>;
let project: number;

beforeAll(async () => {
  world = await createWorld();
  member = await WorkspaceBrowser.signIn(world, world.people.member);
  memberClient = api(world.people.member.token);
  project = world.projects.joined.id;
});

const createRecurringTask = (fields = {}) =>
  createTask(world.people.member, project, { deadline: '2026-12-07', ...fields });

describe("a task's page", () => {
  it('sets, changes and stops the recurrence without JavaScript', async () => {
    const { id } = await createRecurringTask();
    const page = `/tasks/${id}`;
    const path = `${page}/recurrence`;
    expect((await member.open(page)).html).toContain('Doesn&#39;t repeat');
    const submitForm = (fields: Record<string, string>) => member.send(page, path, fields);
    expect((await submitForm({ rule: 'FREQ=WEEKLY;BYDAY=MO', mode: 'schedule', days: '7' })).status).toBe(
      303,
    );
    expect((await memberClient.get(path)).body).toMatchObject({ rule: 'FREQ=WEEKLY;BYDAY=MO', days: null });
    expect((await member.open(page)).html).toContain('Every Monday');
    expect((await submitForm({ rule: 'FREQ=WEEKLY;BYDAY=MO', mode: 'completion', days: '7' })).status).toBe(
      303,
    );
    expect((await member.open(page)).html).toContain('7 days after completion');
    expect((await submitForm({ rule: 'FREQ=WEEKLY;BYDAY=MO', mode: 'completion', days: '' })).status).toBe(
      303,
    );
    const { html } = await member.open(page);
    expect(html).toContain('Every Monday, after completion');
    expect(html).toContain('set the task to repeat every Monday');
    expect(html).toContain('changed when the next task is created');
    const stopped = { rule: 'FREQ=WEEKLY;BYDAY=MO', mode: 'completion', days: '' };
    expect((await member.send(page, `${path}/remove`, stopped)).status).toBe(303);
    expect((await memberClient.get(path)).status).toBe(404);
    expect((await member.open(page)).html).toContain('stopped the task from repeating (was every Monday)');
  });

  it('links to the previous and the next task of a series, and only the latest is marked as recurring', async () => {
    const { id } = await createRecurringTask({ name: 'Weekly report' });
    await memberClient.put(`/tasks/${id}/recurrence`, { rule: 'FREQ=WEEKLY', mode: 'completion' });
    await memberClient.patch(`/tasks/${id}`, { status: 'completed' });
    const { nextId } = (await memberClient.get(`/tasks/${id}/recurrence`)).body;
    const { html } = await member.open(`/tasks/${id}`);
    expect(html).toContain(`Next: #${nextId}`);
    expect(html).not.toContain('Stop repeating');
    expect((await member.open(`/tasks/${nextId}`)).html).toContain(`Previous: #${id}`);
    for (const place of [`/projects/${project}`, '/tasks?search=Weekly+report']) {
      const marks = (await member.open(place)).html.split('title="Repeats"').length - 1;
      expect(marks, place).toBe(1);
    }
  });

  it('offers no recurrence on plans without it, and names the plans that include it', async () => {
    const free = await createWorld({ plan: 'free' });
    const task = await createTask(free.people.member, free.projects.joined.id);
    const screens = await WorkspaceBrowser.signIn(free, free.people.member);
    const { html } = await screens.open(`/tasks/${task.id}`);
    expect(html).toContain('Recurring tasks require the Medium or Pro plan.');
    expect(html).not.toContain('name="rule"');
  });
});
