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

const listSubtasks = async (id: number): Promise<{ id: number; name: string; status: string }[]> =>
  (await memberClient.get(`/tasks/${id}/subtasks`)).body.data;

describe('the web app', () => {
  it('adds, completes, reorders and links to subtasks without JavaScript', async () => {
    const top = await createTask(world.people.member, project, { name: 'Launch' });
    const page = `/tasks/${top.id}`;
    for (const name of ['First', 'Second']) {
      expect((await member.send(page, '/tasks', { name })).status).toBe(303);
    }
    const [first, second] = (await listSubtasks(top.id)).map(({ id }) => id);
    expect((await member.send(page, `/tasks/${first}`, { status: 'completed' })).status).toBe(303);
    const { html } = await member.open(page);
    expect(html).toContain('1 of 2 subtasks completed');
    const order = `/tasks/${top.id}/subtasks/order`;
    const ids = `${first},${second}`;
    expect((await member.send(page, order, { ids })).status).toBe(303);
    const moved = await sendMove(page, order, `down:${first}`);
    expect(moved.status).toBe(303);
    expect((await listSubtasks(top.id)).map(({ id }) => id)).toEqual([second, first]);
    expect((await member.open(`/tasks/${first}`)).html).toContain(`href="${member.base}/tasks/${top.id}"`);
    expect((await member.open(`/projects/${project}`)).html).toContain('1 of 2 subtasks completed');
    expect((await member.open('/tasks')).html).toContain('1 of 2 subtasks completed');
    for (const path of [`/projects/${project}`, '/tasks'])
      expect((await member.open(path)).html).toContain('title="Subtask of Launch"');
  });

  it("hides a parent that a client can't see", async () => {
    const { client, owner } = world.people;
    const top = await createTask(owner, world.projects.other.id, { name: 'Hidden parent' });
    const child = { parentId: top.id, assigneeId: client.userId, name: 'Seen by the client' };
    await createTask(owner, world.projects.other.id, child);
    const guest = await WorkspaceBrowser.signIn(world, client);
    for (const path of ['/board', '/tasks']) {
      const { html } = await guest.open(path);
      expect(html).toContain('Seen by the client');
      expect(html).not.toContain('Hidden parent');
    }
  });

  it('completes a task with one button', async () => {
    const { id } = await createTask(world.people.member, project);
    expect((await member.open(`/tasks/${id}`)).html).toContain('Mark complete');
    const sent = await member.send(`/tasks/${id}`, `/tasks/${id}`, {
      field: 'complete',
      status: 'completed',
    });
    expect(sent.status).toBe(303);
    expect((await member.open(`/tasks/${id}`)).html).toContain('Reopen');
  });

  it("offers to complete a completed task's open subtasks", async () => {
    const top = await createTask(world.people.member, project, { status: 'completed' });
    await createTask(world.people.member, project, { parentId: top.id });
    const sent = await member.send(`/tasks/${top.id}`, '/tasks/bulk', { status: 'completed' });
    expect(sent.status).toBe(303);
    expect((await listSubtasks(top.id)).map(({ status }) => status)).toEqual(['completed']);
  });

  it('sets and clears the parent, and rejects an invalid parent', async () => {
    const [top, task] = [
      await createTask(world.people.member, project),
      await createTask(world.people.member, project),
    ];
    const submitParent = (parentId: string) =>
      member.send(`/tasks/${task.id}`, `/tasks/${task.id}`, { parentId });
    expect((await submitParent(String(top.id))).status).toBe(303);
    expect((await listSubtasks(top.id)).map(({ id }) => id)).toEqual([task.id]);
    expect((await submitParent('soon')).status).toBe(400);
    expect((await submitParent(String(task.id))).html).toMatch(/the parent \d+ is the task itself/i);
    expect((await submitParent('')).status).toBe(303);
    expect(await listSubtasks(top.id)).toEqual([]);
  });

  it('lists a subtask that was created in the new task form', async () => {
    const top = await createTask(world.people.member, project);
    const page = `/tasks/new?project=${project}&parent=${top.id}`;
    expect((await member.open(page)).html).toContain(`value="${top.id}"`);
    const fields = { name: 'Below', projectId: String(project), parentId: String(top.id) };
    expect((await member.send(page, '/tasks/new', fields)).status).toBe(303);
    expect((await listSubtasks(top.id)).map(({ name }) => name)).toEqual(['Below']);
  });
});

/** The buttons that move a subtask are outside the form element. */
async function sendMove(page: string, order: string, move: string) {
  const { html } = await member.open(page);
  const form = html.split(`action="${member.base}${order}"`)[1]?.split('</form>')[0] ?? '';
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const fields = Object.fromEntries(
    hidden.map(([, name, value]) => [name, value?.replaceAll('&quot;', '"')]),
  );
  return member.post(order, { ...fields, move } as Record<string, string>);
}
