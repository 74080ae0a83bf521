import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { createTask, createWorld, type World } from '../support/world.ts';
import { callTool, createOAuthToken, getResultText, getToolResult } from './client.ts';
import type { RestValue } from './expected-results.ts';

let world: World;
let token: string;

beforeAll(async () => {
  world = await createWorld();
  token = await createOAuthToken(world, world.people.lead);
});

const createTasks = async (count: number) => {
  const { lead, member } = world.people;
  const tasks: number[] = [];
  for (let index = 0; index < count; index += 1)
    tasks.push((await createTask(lead, world.projects.joined.id, { assigneeId: member.userId })).id);
  return tasks;
};

/** Reads the task's comments, followers, history, events and notifications, without ids and times. */
async function readTraces(id: number) {
  const { member, owner, lead } = world.people;
  const { body: task } = await api(token).get(`/tasks/${id}`);
  const { body: history } = await api(token).get(`/tasks/${id}/activities`);
  const { body: feed } = await api(token).get('/events?after=0&limit=300&types=comment.created');
  const inboxes = await Promise.all(
    [member, owner, lead].map(
      async (person) => (await api(person.token).get('/notifications?limit=100')).body.data,
    ),
  );
  return {
    comments: task.comments.map((each: RestValue) => [each.content, each.author.id]),
    followers: task.followers.map((each: RestValue) => each.id),
    history: history.data.map((each: RestValue) => [each.type, each.actor.id]),
    events: feed.data
      .filter((each: RestValue) => each.task.id === id)
      .map((each: RestValue) => [each.actor.id, each.comment.id === task.comments[0].id]),
    notified: inboxes.map((inbox) =>
      inbox
        .filter((each: RestValue) => each.task?.id === id)
        .map((each: RestValue) => [each.type, each.comment?.content]),
    ),
  };
}

describe('add_comment with taskIds', () => {
  it('has the same effects as separate requests, including mentions, followers, events and search', async () => {
    const { owner } = world.people;
    const [alone, ...tasks] = (await createTasks(4)) as [number, ...number[]];
    const content = `Needs a second look, @[${owner.userId}]`;
    await api(token).post(`/tasks/${alone}/comments`, { content });
    const result = await getToolResult(token, 'add_comment', { taskIds: tasks, content });
    const { comments } = result.structuredContent;
    expect(comments.map((each: RestValue) => each.taskId)).toEqual(tasks);
    expect(getResultText(result)).toBe(
      `3 comments added: ${comments.map(({ id, taskId }: RestValue) => `${id} on #${taskId}`).join(', ')}`,
    );
    const wanted = await readTraces(alone);
    expect(wanted.notified).toEqual([
      [
        ['comment_added', content],
        ['task_assigned', undefined],
      ],
      [['mentioned', content]],
      [],
    ]);
    for (const id of tasks) expect(await readTraces(id)).toEqual(wanted);
    const { total } = await callTool(token, 'get_dashboard', { view: 'comments', search: 'second look' });
    expect(total).toBe(4);
  });

  it('runs once per idempotency key, and returns the same ids again', async () => {
    const taskIds = await createTasks(2);
    const args = { taskIds, content: 'Only once', idempotencyKey: 'only once' };
    const first = await callTool(token, 'add_comment', args);
    expect(await callTool(token, 'add_comment', args)).toEqual({ ...first, replayed: true });
    for (const id of taskIds) expect((await readTraces(id)).comments).toHaveLength(1);
  });

  it('adds a comment to fifty tasks within the statement limit of one request', async () => {
    const { succeeded, results } = await callTool(token, 'create_task', {
      tasks: Array.from({ length: 50 }, (_, index) => ({ project: 'Joined', name: `Task ${index}` })),
    });
    expect(succeeded).toBe(50);
    const taskIds = results.map((each: RestValue) => each.task.id);
    expect((await callTool(token, 'add_comment', { taskIds, content: 'All' })).comments).toHaveLength(50);
  });

  it('adds no comment if a task is archived, unknown or listed twice', async () => {
    const [first = 0, archived = 0] = await createTasks(2);
    await api(token).post(`/tasks/${archived}/archive`);
    for (const [taskIds, words] of [
      [[first, archived], `taskIds[1]: Task ${archived} is archived and read-only.`],
      [[first, 999_999_999], "taskIds[1]: No task with id '999999999'"],
      [[first, first], 'taskIds must not contain the same task twice'],
    ] as const) {
      const result = await getToolResult(token, 'add_comment', { taskIds, content: 'No' });
      expect(result.isError).toBe(true);
      expect(getResultText(result)).toContain(words);
    }
    expect((await readTraces(first)).comments).toEqual([]);
  });

  it('is rejected if it is combined with taskId or a file, or if it has no content', async () => {
    const taskIds = await createTasks(1);
    const file = { fileName: 'a.txt', text: 'x' };
    for (const args of [
      { taskIds },
      { taskIds, file },
      { taskIds, taskId: taskIds[0], content: 'x' },
      { content: 'x' },
    ])
      expect((await getToolResult(token, 'add_comment', args)).isError).toBe(true);
  });
});
