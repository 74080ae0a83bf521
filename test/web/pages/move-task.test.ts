import { beforeAll, describe, expect, it } from 'vitest';
import { unescapeHtml } from '../../oauth/flow.ts';
import { api } from '../../support/api.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { readHiddenFields, WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;
let member: WorkspaceBrowser;
let client: WorkspaceBrowser;
let session: ReturnType<typeof api>;
beforeAll(async () => {
  world = await createWorld();
  member = await WorkspaceBrowser.signIn(world, world.people.member);
  client = await WorkspaceBrowser.signIn(world, world.people.client);
  session = api(world.people.member.token);
});

const createJoinedTask = (fields = {}) => createTask(world.people.lead, world.projects.joined.id, fields);
const readPlace = async (id: number) => {
  const { body } = await session.get(`/tasks/${id}?expand=structure`);
  return [body.project.id, body.parent?.id ?? null];
};

describe('the page that moves a task to another project', () => {
  it('offers the other projects, moves the task with its subtasks, and undo moves it back', async () => {
    const { joined, other } = world.projects;
    const parent = await createJoinedTask();
    const task = await createJoinedTask({ name: 'Move <me>', parentId: parent.id });
    const child = await createJoinedTask({ parentId: task.id });
    const page = `/tasks/${task.id}/project`;
    expect((await member.open(`/tasks/${task.id}`)).html).toContain(`href="${member.base}${page}"`);
    const { html } = await member.open(page);
    expect(html).toContain('Move &lt;me&gt;');
    expect(html).toContain('It has 1 subtask.');
    const [select = ''] = /<select[^>]*name="projectId"[\s\S]*?<\/select>/.exec(html) ?? [];
    expect(select).toContain(`value="${other.id}"`);
    expect(select).not.toContain(`value="${joined.id}"`);

    const moved = await member.send(page, page, { projectId: String(other.id) });
    expect([moved.status, moved.location]).toEqual([303, `${member.base}/tasks/${task.id}`]);
    expect(await readPlace(task.id)).toEqual([other.id, null]);
    expect(await readPlace(child.id)).toEqual([other.id, task.id]);
    const after = (await member.open(`/tasks/${task.id}`)).html;
    expect(after).toContain('Moved to Other');
    const action = '/tasks/bulk/move/undo';
    const undone = await member.post(action, readHiddenFields(after, member.base + action));
    expect(undone.status).toBe(303);
    expect(await readPlace(task.id)).toEqual([joined.id, parent.id]);
    expect(await readPlace(child.id)).toEqual([joined.id, task.id]);
  });

  it('asks for a project if none is selected, and rejects projects that the person cannot see', async () => {
    const task = await createJoinedTask();
    const page = `/tasks/${task.id}/project`;
    for (const [who, projectId, status] of [
      [member, '', 400],
      [member, '999999999', 404],
      [client, String(world.projects.other.id), 404],
    ] as const) {
      const rejected = await who.send(page, page, { projectId });
      expect(rejected.status).toBe(status);
      expect(unescapeHtml(rejected.html)).toMatch(/role="alert"|id="projectId-problem"/);
    }
    expect(await readPlace(task.id)).toEqual([world.projects.joined.id, null]);
  });

  it('is missing for tasks that the person cannot see, and not offered for archived tasks', async () => {
    const hidden = await createTask(world.people.owner, world.projects.other.id);
    expect((await client.open(`/tasks/${hidden.id}/project`)).status).toBe(404);
    const archived = await createJoinedTask();
    const page = `/tasks/${archived.id}/project`;
    const { html } = await member.open(page);
    await session.post(`/tasks/${archived.id}/archive`);
    expect((await member.open(`/tasks/${archived.id}`)).html).not.toContain(`href="${member.base}${page}"`);
    const hiddenFields = readHiddenFields(html, member.base + page);
    const rejected = await member.post(page, { ...hiddenFields, projectId: String(world.projects.other.id) });
    expect([rejected.status, rejected.html]).toEqual([400, expect.stringContaining('is archived')]);
  });
});
