import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;
let member: WorkspaceBrowser;
let memberClient: ReturnType<typeof api>;

beforeAll(async () => {
  world = await createWorld();
  member = await WorkspaceBrowser.signIn(world, world.people.member);
  memberClient = api(world.people.member.token);
});

const createTaskWithDeadline = (fields = {}) =>
  createTask(world.people.member, world.projects.joined.id, { deadline: '2030-03-08', ...fields });

describe("a task's page", () => {
  it('sets and clears the due time, which cards and lists show', async () => {
    const { id } = await createTaskWithDeadline({ name: 'Send the report' });
    const submitForm = (dueTime: string) => member.send(`/tasks/${id}`, `/tasks/${id}`, { dueTime });
    expect((await submitForm('17:30')).status).toBe(303);
    expect((await memberClient.get(`/tasks/${id}?fields=dueTime`)).body).toEqual({ dueTime: '17:30' });
    expect((await member.open(`/tasks/${id}`)).html).toContain('value="17:30"');
    for (const place of [`/projects/${world.projects.joined.id}`, '/tasks?search=report']) {
      expect((await member.open(place)).html, place).toContain('8 Mar 2030 17:30');
    }
    expect((await member.open('/tasks.csv?cols=dueTime')).html).toContain('17:30');
    expect((await submitForm('')).status).toBe(303);
    expect((await memberClient.get(`/tasks/${id}?fields=dueTime`)).body).toEqual({ dueTime: null });
  });

  it("adds and removes reminders without JavaScript, in the workspace's time zone", async () => {
    const { id } = await createTaskWithDeadline({ dueTime: '17:30' });
    const page = `/tasks/${id}`;
    const path = `${page}/reminders`;
    expect((await member.open(page)).html).toContain('Remind me');
    expect((await member.send(page, path, { items: '60', at: '2030-03-08T08:00' })).status).toBe(303);
    const at = '2030-03-08T08:00:00.000Z';
    expect((await memberClient.get(path)).body).toEqual({ items: [{ minutesBefore: 60 }, { at }] });
    const { html } = await member.open(page);
    expect(html).toContain('1 hour before, 8 Mar 2030 08:00');
    expect((await member.send(page, path, { items: at, at: '' })).status).toBe(303);
    expect((await memberClient.get(path)).body).toEqual({ items: [{ at }] });
  });
});
