import { beforeAll, describe, expect, it } from 'vitest';
import { undoTaskChanges } from '../../../src/tasks/bulk/undo.ts';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { readHiddenFields, WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;
let member: WorkspaceBrowser;
let session: ReturnType<typeof api>;
let board: string;

beforeAll(async () => {
  world = await createWorld({ cell: 1 });
  member = await WorkspaceBrowser.signIn(world, world.people.member);
  session = api(world.people.member.token);
  board = `/projects/${world.projects.joined.id}`;
});

const createNamedTask = (name: string) => createTask(world.people.member, world.projects.joined.id, { name });
const readTask = async (id: number) => (await session.get(`/tasks/${id}`)).body;
/** Returns the page's flash message, and checks that it is displayed only once. */
async function readFlashMessage(page: string): Promise<{ text: string; html: string }> {
  const { html } = await member.open(page);
  const text = /<div id="flash-message"[^>]*>([^<]*)/.exec(html)?.[1] ?? '';
  expect((await member.open(page)).html).toMatch(/<div id="flash-message"[^>]*><\/div>/);
  return { text, html };
}
const submitUndo = (html: string, action = '/undo') =>
  member.post(action, readHiddenFields(html, member.base + action));

describe('undo', () => {
  it('moves a card back to its previous position', async () => {
    const [low, top] = [await createNamedTask('Low'), await createNamedTask('Top')];
    await member.post(`/tasks/${low.id}/move`, {
      ...readHiddenFields((await member.open(board)).html, `${member.base}/tasks/0/move`),
      status: 'todo',
      above: String(top.id),
    });
    expect((await readFlashMessage(board)).text).toBe('');
    const move = { status: 'completed' };
    const answer = await member.send(`${board}?move=${low.id}`, `/tasks/${low.id}/move`, move);
    expect(answer.status).toBe(303);
    const { text, html } = await readFlashMessage(board);
    expect(text).toBe('Moved');
    expect((await readTask(low.id)).status).toBe('completed');
    expect((await submitUndo(html)).status).toBe(303);
    expect((await readTask(low.id)).status).toBe('todo');
    const after = await readFlashMessage(board);
    expect(after.text).toBe('Undone');
    expect(after.html.indexOf(`id="task-${low.id}"`)).toBeLessThan(after.html.indexOf(`id="task-${top.id}"`));
    expect(after.html).not.toContain(`action="${member.base}/undo"`);
  });

  it('restores an archived task', async () => {
    const task = await createNamedTask('Archived by mistake');
    await member.send(`/tasks/${task.id}`, `/tasks/${task.id}/archive`);
    const { text, html } = await readFlashMessage(`/tasks/${task.id}`);
    expect(text).toBe('Archived');
    await submitUndo(html);
    expect((await readTask(task.id)).isArchived).toBe(false);
  });

  it("restores each task's previous values after a bulk edit", async () => {
    const [one, two] = [await createNamedTask('One'), await createNamedTask('Two')];
    await session.patch(`/tasks/${two.id}`, {
      status: 'client_review',
      assigneeId: world.people.lead.userId,
      deadline: '2026-05-01',
    });
    const { html } = await member.open('/tasks');
    const bar = new URLSearchParams({
      ...readHiddenFields(html, `${member.base}/tasks/bulk`),
      status: 'in_progress',
      assignee: world.people.client.userId,
      noDeadline: 'true',
    });
    for (const { id } of [one, two]) bar.append('ids', String(id));
    expect((await member.browser.post(`${member.base}/tasks/bulk`, bar)).status).toBe(303);
    expect(await readTask(two.id)).toMatchObject({ status: 'in_progress', deadline: null });
    const next = await readFlashMessage('/tasks');
    expect(next.text).toBe('2 tasks updated');
    await submitUndo(next.html);
    expect(await readTask(one.id)).toMatchObject({ status: 'todo', assignee: null, deadline: null });
    expect(await readTask(two.id)).toMatchObject({
      status: 'client_review',
      assignee: { id: world.people.lead.userId },
      deadline: '2026-05-01',
    });
  });

  it('reverts several changes one by one', async () => {
    const task = await createNamedTask('Step by step');
    const steps: number[] = [];
    for (const status of ['in_progress', 'internal_review', 'client_review']) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      steps.push(Date.now());
      await session.patch(`/tasks/${task.id}`, { status });
    }
    const undone: string[] = [];
    for (const since of steps.toReversed()) {
      const input = { ids: [task.id], since };
      expect((await runForm(world.people.member.token, undoTaskChanges, input)).status).toBe(200);
      undone.push((await readTask(task.id)).status);
    }
    expect(undone).toEqual(['internal_review', 'in_progress', 'todo']);
  });

  it('restores the name of a copied task, even if the name exceeds the limit', async () => {
    const copy = (await session.post(`/tasks/${(await createNamedTask('x'.repeat(500))).id}/duplicate`)).body;
    await session.patch(`/tasks/${copy.id}`, { name: 'Short' });
    const undone = await runForm(world.people.member.token, undoTaskChanges, { ids: [copy.id], since: 0 });
    expect(undone.status).toBe(200);
    expect((await readTask(copy.id)).name).toBe(copy.name);
  });

  it('restores a deleted time entry', async () => {
    const task = await createNamedTask('Worked on');
    const times = { startTime: '2026-06-01T08:00:41.250Z', endTime: '2026-06-01T09:00:00.000Z' };
    const { body } = await session.post('/timer/entries', { taskId: task.id, ...times });
    await member.send('/time', `/time/${body.id}/remove`);
    const { text, html } = await readFlashMessage('/time');
    expect(text).toBe('Time entry deleted');
    expect((await session.get('/timer/entries')).body.data).toEqual([]);
    expect((await submitUndo(html, '/time')).status).toBe(303);
    const [entry] = (await session.get('/timer/entries')).body.data;
    expect(entry).toMatchObject({ ...times, task: { id: task.id } });
  });
});

describe("undo doesn't revert", () => {
  const undoAs = (ids: number[], by = world.people.member, since = 0) =>
    runForm(by.token, undoTaskChanges, { ids, since });

  it("other people's changes, or changes to a task that someone else has edited since", async () => {
    const { member: me, lead } = world.people;
    const task = await createNamedTask('Changed by two');
    await session.patch(`/tasks/${task.id}`, { status: 'in_progress' });
    expect((await undoAs([task.id], lead)).status).toBe(400);
    expect((await undoAs([task.id], me, Date.now() + 60_000)).status).toBe(400);
    await api(lead.token).patch(`/tasks/${task.id}`, { priority: 'high' });
    const before = await readAllContents();
    expect((await undoAs([task.id])).status).toBe(400);
    expect(await readAllContents()).toEqual(before);
    expect(await readTask(task.id)).toMatchObject({ status: 'in_progress', priority: 'high' });
  });

  it('changes older than 10 minutes', async () => {
    const task = await createNamedTask('Too late');
    await session.patch(`/tasks/${task.id}`, { status: 'completed' });
    await getCell(1)
      .prepare('UPDATE events SET occurred_at = occurred_at - 600000 WHERE task = ?')
      .bind(task.id)
      .run();
    expect((await undoAs([task.id])).status).toBe(400);
    expect((await readTask(task.id)).status).toBe('completed');
  });

  it('creations, or changes in other workspaces', async () => {
    const { client } = world.people;
    const task = await createNamedTask('New');
    expect((await undoAs([task.id])).status).toBe(400);
    const foreign = (await createWorld({ cell: 1 })).people.owner;
    expect((await undoAs([task.id], foreign)).status).toBe(400);
    const seen = await createTask(client, world.projects.joined.id);
    await api(client.token).patch(`/tasks/${seen.id}`, { status: 'completed' });
    expect((await undoAs([seen.id], client)).status).toBe(200);
    expect((await readTask(seen.id)).status).toBe('todo');
  });

  it('the reassignment of a task whose previous assignee has left', async () => {
    const other = await createWorld({ cell: 1 });
    const { lead, client } = other.people;
    const task = await createTask(lead, other.projects.joined.id, { assigneeId: client.userId });
    await api(lead.token).patch(`/tasks/${task.id}`, { assigneeId: lead.userId, status: 'completed' });
    await getCell(1)
      .prepare('UPDATE members SET ended_at = 1, is_settled = 1 WHERE no = ?')
      .bind(client.member)
      .run();
    expect((await undoAs([task.id], lead)).status).toBe(200);
    const { body } = await api(lead.token).get(`/tasks/${task.id}`);
    expect(body).toMatchObject({ status: 'todo', assignee: { id: lead.userId } });
  });
});
