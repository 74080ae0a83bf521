import { beforeAll, describe, expect, it } from 'vitest';
import { undoAppSession } from '../../src/app-activity/undo-session.ts';
import { applyChangeSet, getChangeSet } from '../../src/change-sets/review/review.ts';
import { callTool, createOAuthToken, getResultText, getToolResult } from '../mcp/client.ts';
import type { RestValue } from '../mcp/expected-results.ts';
import { api } from '../support/api.ts';
import { findCounterDrift } from '../support/counters.ts';
import { getCell } from '../support/env.ts';
import { runForm } from '../support/forms.ts';
import { createTask, createWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld();
});

async function beginChangeSet() {
  const token = await createOAuthToken(world, world.people.lead);
  const { changeSet } = await callTool(token, 'begin_changes', {});
  return { token, id: changeSet as number };
}

const createOwnTask = async (fields = {}) =>
  (await createTask(world.people.lead, world.projects.joined.id, fields)).id;
const readComments = async (task: number) =>
  (await api(world.people.owner.token).get(`/tasks/${task}/comments?expand=thread`)).body.data;
const countNotifications = async (token: string) =>
  (await api(token).get('/notifications?limit=1')).body.meta.total as number;

describe('a staged comment', () => {
  it('is shown to the app as pending, and to no one else', async () => {
    const task = await createOwnTask();
    await api(world.people.owner.token).post(`/tasks/${task}/comments`, { content: 'Stored' });
    const { token } = await beginChangeSet();
    const added = await callTool(token, 'add_comment', { taskId: task, content: 'Staged' });
    expect(added.comment.author.id).toBe(world.people.lead.userId);
    const shown = await getToolResult(token, 'get_task', { id: task });
    expect(
      shown.structuredContent.task.comments.map((each: RestValue) => [each.content, each.isPending]),
    ).toEqual([
      ['Stored', undefined],
      ['Staged', true],
    ]);
    expect(getResultText(shown)).toMatch(new RegExp(`Comment ${added.comment.id} .* pending\n> Staged`));
    expect(await readComments(task)).toMatchObject([{ content: 'Stored' }]);
    const { followers } = (await api(world.people.owner.token).get(`/tasks/${task}`)).body;
    expect(followers.map((each: RestValue) => each.id)).toContain(world.people.owner.userId);
  });

  it('follows the stored comments across pages, with exact totals', async () => {
    const task = await createOwnTask();
    for (const content of ['1', '2', '3'])
      await api(world.people.owner.token).post(`/tasks/${task}/comments`, { content });
    const { token } = await beginChangeSet();
    for (const content of ['4', '5', '6']) await callTool(token, 'add_comment', { taskId: task, content });
    for (const limit of [1, 2, 3, 4, 6]) {
      const contents: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await callTool(token, 'get_task', { id: task, part: 'comments', limit, cursor });
        expect(page.total).toBe(6);
        contents.push(...page.data.map((each: RestValue) => each.content));
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
      expect(contents).toEqual(['1', '2', '3', '4', '5', '6']);
    }
  });

  it('is applied with its notifications, mentions and thread, also to a task from the same set', async () => {
    const { lead, owner, admin, client } = world.people;
    const task = await createOwnTask({ assigneeId: owner.userId });
    const { body: first } = await api(owner.token).post(`/tasks/${task}/comments`, { content: 'First' });
    const { token, id } = await beginChangeSet();
    const made = await callTool(token, 'create_task', { tasks: [{ project: 'Joined', name: 'New' }] });
    const provisional = made.results[0].task.id;
    const content = `Look, @[${admin.userId}] and @[${client.userId}]`;
    const both = await callTool(token, 'add_comment', { taskIds: [task, provisional], content });
    expect(both.comments.map((each: RestValue) => each.taskId)).toEqual([task, provisional]);
    await callTool(token, 'add_comment', { taskId: task, content: 'A reply', replyTo: first.id });
    const before = await Promise.all([owner, admin].map(({ token: each }) => countNotifications(each)));
    await callTool(token, 'propose_changes', {});
    const { body: review } = await runForm(lead.token, getChangeSet, { id });
    expect(review.changes.slice(1)).toMatchObject([
      { task, operation: 'comment', changes: [{ label: 'Comment', to: content }] },
      { task: provisional, operation: 'comment' },
      { task, operation: 'comment', changes: [{ label: 'Reply', to: 'A reply' }] },
    ]);
    expect(review.mentioned.map((each: RestValue) => each.id)).toContain(admin.userId);
    expect(await Promise.all([owner, admin].map(({ token: each }) => countNotifications(each)))).toEqual(
      before,
    );
    const { body } = await runForm(lead.token, applyChangeSet, { id });
    expect(body).toMatchObject({ applied: 4, conflicts: 0 });
    const comments = await readComments(task);
    expect(comments).toMatchObject([
      { content: 'First', parentId: null },
      { content, author: { id: lead.userId }, parentId: null },
      { content: 'A reply', parentId: first.id },
    ]);
    const created = (await runForm(lead.token, getChangeSet, { id })).body.changes[0].task;
    expect(await readComments(created)).toMatchObject([{ content }]);
    const { body: mine } = await api(owner.token).get('/notifications?limit=2');
    expect(mine.data.map((each: RestValue) => [each.type, each.comment.content])).toEqual([
      ['comment_added', 'A reply'],
      ['comment_added', content],
    ]);
    const { body: theirs } = await api(admin.token).get('/notifications?limit=2&kinds=all');
    expect(theirs.data.map((each: RestValue) => [each.type, each.task.id])).toEqual([
      ['mentioned', created],
      ['mentioned', task],
    ]);
    const { body: history } = await api(lead.token).get(`/tasks/${task}/activities`);
    expect(history.data[0]).toMatchObject({ type: 'comment_added', via: 'mcp', actor: { id: lead.userId } });
    expect((await callTool(token, 'find_tasks', { search: 'A task', scope: 'mine' })).total).toBeGreaterThan(
      0,
    );
    const found = await api(owner.token).get('/dashboard/comments?search=reply');
    expect(found.body.data).toMatchObject([{ content: 'A reply' }]);
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('is skipped if the task is archived or the parent comment deleted, and can be left out', async () => {
    const { lead, owner } = world.people;
    const [archived, task] = [await createOwnTask(), await createOwnTask()];
    const { body: parent } = await api(owner.token).post(`/tasks/${task}/comments`, { content: 'Parent' });
    const { token, id } = await beginChangeSet();
    await callTool(token, 'add_comment', { taskIds: [archived, task], content: 'Both' });
    await callTool(token, 'add_comment', { taskId: task, content: 'Reply', replyTo: parent.id });
    await callTool(token, 'add_comment', { taskId: task, content: 'Unwanted' });
    await callTool(token, 'propose_changes', {});
    await api(owner.token).post(`/tasks/${archived}/archive`);
    await api(owner.token).delete(`/tasks/${task}/comments/${parent.id}`);
    const { body } = await runForm(lead.token, applyChangeSet, { id, items: [1, 2, 3] });
    expect(body).toEqual({ id, applied: 1, conflicts: 2, rejected: 1 });
    const { body: decided } = await runForm(lead.token, getChangeSet, { id });
    expect(decided.changes.map((each: RestValue) => each.problem)).toEqual([
      'The task is archived.',
      null,
      'The comment that this one replies to has been deleted.',
      null,
    ]);
    expect(await readComments(archived)).toEqual([]);
    expect(await readComments(task)).toMatchObject([{ content: 'Both' }]);
  });

  it('is rejected like a direct comment, and writes nothing', async () => {
    const archived = await createOwnTask();
    await api(world.people.lead.token).post(`/tasks/${archived}/archive`);
    const { token, id } = await beginChangeSet();
    const { comment } = await callTool(token, 'add_comment', {
      taskId: await createOwnTask(),
      content: 'One',
    });
    const rejected = [
      [{ taskId: archived, content: 'No' }, /is archived and read-only/],
      [{ taskIds: [archived], content: 'No' }, /taskIds\[0\]: Task \d+ is archived/],
      [{ taskId: 999_999, content: 'No' }, /not found|doesn't exist|No task/],
      [{ taskId: await createOwnTask(), content: 'No', replyTo: 999_999 }, /999999/],
      [{ taskId: await createOwnTask(), content: 'No', replyTo: comment.id }, /is a staged comment/],
      [
        { taskId: await createOwnTask(), file: { fileName: 'a.md', text: 'No' } },
        /While change set \d+ is open/,
      ],
    ] as const;
    for (const [args, message] of rejected)
      expect(getResultText(await getToolResult(token, 'add_comment', args))).toMatch(message);
    const items = await getCell(world.cell)
      .prepare('SELECT count(*) AS n FROM change_set_items WHERE set_id = ?')
      .bind(id)
      .first<number>('n');
    expect(items).toBe(1);
  });

  it('is added once if the set is applied twice at the same time', async () => {
    const { lead } = world.people;
    const task = await createOwnTask();
    const { token, id } = await beginChangeSet();
    await callTool(token, 'add_comment', { taskId: task, content: 'Once' });
    await callTool(token, 'set_timer', {
      entries: [{ taskId: task, startTime: '2026-03-02T09:00:00.000Z', endTime: '2026-03-02T10:00:00.000Z' }],
    });
    await callTool(token, 'propose_changes', {});
    const apply = () => runForm(lead.token, applyChangeSet, { id }, {}, 3);
    const statuses = (await Promise.all([apply(), apply()])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 400]);
    expect(await readComments(task)).toHaveLength(1);
    expect((await api(lead.token).get(`/timer/entries?taskId=${task}`)).body.meta.total).toBe(1);
  });

  it('is staged once if the call is repeated with its idempotency key', async () => {
    const task = await createOwnTask();
    const { token } = await beginChangeSet();
    const args = { taskId: task, content: 'Once', idempotencyKey: crypto.randomUUID() };
    const first = await callTool(token, 'add_comment', args);
    expect(await callTool(token, 'add_comment', args)).toEqual({ ...first, replayed: true });
    expect((await callTool(token, 'get_task', { id: task })).task.comments).toHaveLength(1);
  });
});

it("an applied change set is listed in the app's activity, and can be undone", async () => {
  const { lead } = world.people;
  const task = await createOwnTask({ name: 'Before', description: '<p>Old</p>' });
  const { token, id } = await beginChangeSet();
  await callTool(token, 'update_task', { updates: [{ id: task, name: 'After', description: 'New' }] });
  await callTool(token, 'add_comment', { taskId: task, content: 'Renamed' });
  await callTool(token, 'propose_changes', {});
  await runForm(lead.token, applyChangeSet, { id });
  expect(await readComments(task)).toHaveLength(1);
  const app = await getCell(world.cell)
    .prepare('SELECT credential FROM events WHERE task = ? ORDER BY seq DESC LIMIT 1')
    .bind(task)
    .first<number>('credential');
  for (let more = true; more; ) more = (await runForm(lead.token, undoAppSession, { app })).body.hasMore;
  expect(await readComments(task)).toEqual([]);
  const { body } = await api(lead.token).get(`/tasks/${task}`);
  expect(body).toMatchObject({ name: 'Before', description: '<p>Old</p>' });
});
