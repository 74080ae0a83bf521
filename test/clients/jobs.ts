// Twelve jobs that people give to agents, which a scripted client does in the demo workspace. docs/mcp.md shows them as
// examples.
import assert from 'node:assert/strict';

const PROJECT = 'Harbour Coffee rebrand';

// biome-ignore lint/suspicious/noExplicitAny: results are checked against their schemas in test/mcp.
type Content = any;
/** Calls a tool and returns its structured content. */
type Tool = (name: string, args?: Record<string, unknown>) => Promise<Content>;

interface Job {
  readonly name: string;
  readonly callsMax: number;
  readonly play: (tool: Tool) => Promise<void>;
}

/** Each job builds on the previous jobs. */
export const jobs: Job[] = [];

function add(name: string, callsMax: number, play: Job['play']): void {
  jobs.push({ name, callsMax, play });
}

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
let today = day(0);

add('finding my own open tasks', 2, async (tool) => {
  const me = await tool('get_me');
  today = me.today;
  const { counts } = await tool('find_tasks', {
    assignee: 'me',
    status: ['open'],
    sort: 'due',
    counts: true,
    limit: 10,
  });
  assert.ok(Object.keys(counts).length === 4);
});

const tasks = Array.from({ length: 10 }, (_, index) => ({
  project: PROJECT,
  name: `Poster ${index + 1} of the opening week`,
  assignee: index % 2 === 0 ? 'Jonas Weber' : 'Priya Raman',
  status: index < 2 ? 'client_review' : 'todo',
  deadline: day(7 + index),
}));
add('creating ten tasks', 2, async (tool) => {
  await tool('create_task', { tasks, dryRun: true });
  const { succeeded } = await tool('create_task', { tasks, idempotencyKey: `posters ${Date.now()}` });
  assert.equal(succeeded, 10);
});

add('approving and completing tasks', 3, async (tool) => {
  const { data } = await tool('find_tasks', {
    project: PROJECT,
    status: ['client_review'],
    search: 'Poster',
  });
  const [approved] = data;
  await tool('add_comment', { taskId: approved.id, content: 'Approved by the client.' });
  const updates = data.map(({ id }: { id: number }) => ({ id, status: 'completed' }));
  assert.equal((await tool('update_task', { updates })).succeeded, 2);
});

add('archiving completed tasks', 3, async (tool) => {
  const filter = { project: PROJECT, status: ['completed'] };
  const { matching } = await tool('set_task_archived', { isArchived: true, filter });
  assert.ok(matching >= 2);
  const { done } = await tool('set_task_archived', { isArchived: true, filter, count: matching });
  assert.equal(done.length, matching);
  assert.equal((await tool('find_tasks', { ...filter, limit: 1 })).total, 0, 'one was skipped');
});

add('listing what changed since Monday', 3, async (tool) => {
  let cursor: string | undefined;
  const seen = new Set<number>();
  for (let page = 0; page < 3; page += 1) {
    const { data, nextCursor } = await tool('list_changes', { since: day(-7), project: PROJECT, cursor });
    for (const { task } of data) if (task) seen.add(task.id);
    if (nextCursor === null) break;
    cursor = nextCursor;
    assert.ok(page < 2, 'it takes a fourth call');
  }
  assert.ok(seen.size >= 10, `${seen.size} tasks`);
});

add('reporting the status of a project', 3, async (tool) => {
  const { total, counts } = await tool('find_tasks', { project: PROJECT, counts: true, limit: 1 });
  const sum = Object.values<number>(counts).reduce((one, other) => one + other, 0);
  assert.equal(sum, total);
  await tool('find_tasks', { project: PROJECT, overdue: true, sort: 'due', limit: 10 });
  await tool('find_tasks', {
    project: PROJECT,
    status: ['open'],
    dueFrom: today,
    dueTo: day(7),
    sort: 'due',
    limit: 10,
  });
});

add('logging the hours of a week', 3, async (tool) => {
  const { data } = await tool('find_tasks', { assignee: 'Jonas Weber', search: 'Poster', limit: 2 });
  // Long ago, so that the entries don't overlap with tracked time.
  const entries = [1, 2, 3, 4, 5].flatMap((number) => [
    {
      taskId: data[0].id,
      startTime: `2024-03-0${number}T08:00:00Z`,
      endTime: `2024-03-0${number}T12:00:00Z`,
    },
    {
      taskId: data[1].id,
      startTime: `2024-03-0${number}T13:00:00Z`,
      endTime: `2024-03-0${number}T17:00:00Z`,
    },
  ]);
  assert.equal(
    (await tool('set_timer', { entries, idempotencyKey: `week ${Date.now()}` })).logged.length,
    10,
  );
  const { total } = await tool('get_time', {
    view: 'entries',
    from: '2024-03-01',
    to: '2024-03-05',
    limit: 1,
  });
  assert.equal(total, 10);
});

add('moving overdue tasks by a week', 2, async (tool) => {
  const { data } = await tool('find_tasks', { overdue: true, sort: 'due', limit: 20 });
  assert.ok(data.length > 0);
  const updates = data.map(({ id }: { id: number }) => ({ id, deadline: day(7) }));
  assert.equal((await tool('update_task', { updates })).succeeded, data.length);
});

add('assigning unassigned tasks to the least busy person', 3, async (tool) => {
  const { data } = await tool('get_dashboard', { view: 'workload', limit: 10 });
  const [free] = data.toSorted((one: Content, other: Content) => one.utilization - other.utilization);
  const { data: found } = await tool('find_tasks', { assignee: 'none', status: ['open'], limit: 3 });
  const updates = found.map(({ id }: { id: number }) => ({ id, assignee: free.user.id }));
  if (updates.length > 0) await tool('update_task', { updates });
});

add('planning and moving a meeting', 2, async (tool) => {
  const { meeting } = await tool('create_meeting', {
    project: 'Studio operations',
    name: 'Retrospective',
    date: day(3),
    time: '10:00',
    participants: ['me'],
  });
  await tool('update_meeting', { id: meeting.id, date: day(4) });
});

add('attaching a file, reading it and commenting on it', 4, async (tool) => {
  const { data } = await tool('find_tasks', { search: 'Poster 3', limit: 1 });
  const taskId = data[0].id;
  const { file } = await tool('add_comment', {
    taskId,
    file: { fileName: 'copy.md', text: '# Copy\n\nOpen at nine.' },
  });
  await tool('get_task', { id: taskId, fileId: file.id });
  await tool('add_comment', { taskId, content: 'The copy says when we open.' });
});

add('reading and clearing notifications', 2, async (tool) => {
  await tool('list_notifications', { unreadOnly: true, limit: 10 });
  await tool('mark_notifications_read', { all: true });
});
