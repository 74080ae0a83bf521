// This file is long because a job's prompt, scripted calls and check of the result have to match. The jobs are typical
// of what people ask agents to do in the demo workspace. docs/mcp.md shows them as examples.
import assert from 'node:assert/strict';

const PROJECT_NAME = 'Harbour Coffee rebrand';

// biome-ignore lint/suspicious/noExplicitAny: results are checked against their schemas in test/mcp.
type ToolContent = any;
export type ToolCaller = (name: string, args?: Record<string, unknown>) => Promise<ToolContent>;

export interface Job {
  readonly name: string;
  readonly callsMax: number;
  readonly prompt: string;
  /** Does the job as a scripted client, and returns the answer that the person would get. */
  readonly runScript: (tool: ToolCaller) => Promise<string>;
  /**
   * Throws unless the job is done. `before` is the number that `observe` returned before the job, or 0. Calls made by
   * the check aren't counted.
   */
  readonly check: (tool: ToolCaller, answer: string, before: number) => Promise<void>;
  readonly observe?: (tool: ToolCaller) => Promise<number>;
}

const toDateInDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const countTasks = async (tool: ToolCaller, filter: object): Promise<number> =>
  (await tool('find_tasks', { ...filter, limit: 1 })).total;
const findPoster = async (tool: ToolCaller, number: number): Promise<number> =>
  (await tool('find_tasks', { search: `Poster ${number} of`, limit: 1 })).data[0].id;
const assertMentions = (answer: string, value: number | string) =>
  assert.match(answer, new RegExp(`(^|\\W)${value}(\\W|$)`), `the answer doesn't contain ${value}`);

const posters = Array.from({ length: 10 }, (_, index) => ({
  project: PROJECT_NAME,
  name: `Poster ${index + 1} of the opening week`,
  assignee: index % 2 === 0 ? 'Jonas Weber' : 'Priya Raman',
  status: index < 2 ? 'client_review' : 'todo',
  deadline: toDateInDays(7 + index),
}));

/** Must run in this order, because some jobs use tasks that an earlier job created. */
export const jobs: readonly Job[] = [
  {
    name: 'finding my own open tasks',
    callsMax: 2,
    prompt:
      'Which open tasks are assigned to me? Tell me how many there are, and the next ones that are due.',
    async runScript(tool) {
      await tool('get_me');
      const { total, data } = await tool('find_tasks', {
        assignee: 'me',
        status: ['open'],
        sort: 'due',
        counts: true,
        limit: 10,
      });
      return `${total} open tasks. Next: ${data.map(({ name }: ToolContent) => name).join(', ')}`;
    },
    async check(tool, answer) {
      assertMentions(answer, await countTasks(tool, { assignee: 'me', status: ['open'] }));
    },
  },
  {
    name: 'creating ten tasks',
    callsMax: 2,
    prompt: `Create ten tasks in the project ${PROJECT_NAME}, named "Poster 1 of the opening week" to "Poster 10 of the opening week". The odd ones are for Jonas Weber, the even ones for Priya Raman. 1 and 2 are already in client review, the others are to do. Poster 1 is due on ${toDateInDays(7)}, and each following one a day later.`,
    async runScript(tool) {
      await tool('create_task', { tasks: posters, dryRun: true });
      const { succeeded } = await tool('create_task', {
        tasks: posters,
        idempotencyKey: `posters ${Date.now()}`,
      });
      return `Created ${succeeded} tasks.`;
    },
    async check(tool) {
      const { data } = await tool('find_tasks', { project: PROJECT_NAME, search: 'of the opening week' });
      const made = data.map(({ name, assignee, status, deadline, project }: ToolContent) => ({
        project,
        name,
        assignee,
        status,
        deadline,
      }));
      const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name);
      assert.deepEqual(made.toSorted(byName), posters.toSorted(byName));
    },
  },
  {
    name: 'approving and completing tasks',
    callsMax: 3,
    prompt: `The client approved the posters of the opening week that are in client review in ${PROJECT_NAME}. Comment "Approved by the client." on each of them, and complete them.`,
    async runScript(tool) {
      const { data } = await tool('find_tasks', {
        project: PROJECT_NAME,
        status: ['client_review'],
        search: 'Poster',
      });
      const ids = data.map(({ id }: ToolContent) => id);
      await tool('add_comment', { taskIds: ids, content: 'Approved by the client.' });
      const { succeeded } = await tool('update_task', { ids, set: { status: 'completed' } });
      return `Completed ${succeeded} tasks.`;
    },
    async check(tool) {
      const { data } = await tool('find_tasks', {
        project: PROJECT_NAME,
        status: ['completed'],
        search: 'of the opening week',
      });
      assert.equal(data.length, 2);
      for (const { id } of data) {
        const { task } = await tool('get_task', { id });
        assert.match(JSON.stringify(task.comments), /Approved by the client\./);
      }
    },
  },
  {
    name: 'archiving completed tasks',
    callsMax: 2,
    prompt: `Archive every completed task of ${PROJECT_NAME}.`,
    async runScript(tool) {
      const filter = { project: PROJECT_NAME, status: ['completed'] };
      const { matching } = await tool('set_task_archived', { isArchived: true, filter });
      const { done } = await tool('set_task_archived', { isArchived: true, filter, count: matching });
      return `Archived ${done.length} tasks.`;
    },
    async check(tool) {
      assert.equal(await countTasks(tool, { project: PROJECT_NAME, status: ['completed'] }), 0);
      const archived = { project: PROJECT_NAME, status: ['completed'], isArchived: true, search: 'Poster' };
      assert.ok((await countTasks(tool, archived)) >= 2);
    },
  },
  {
    name: 'listing what changed since Monday',
    callsMax: 3,
    prompt: `What changed in ${PROJECT_NAME} since ${toDateInDays(-7)}? Name every task that changed.`,
    async runScript(tool) {
      const names = new Set<string>();
      let cursor: string | undefined;
      for (let page = 0; page < 3; page += 1) {
        const { data, nextCursor } = await tool('list_changes', {
          since: toDateInDays(-7),
          project: PROJECT_NAME,
          cursor,
        });
        for (const { task } of data) if (task) names.add(task.name);
        if (nextCursor === null) break;
        cursor = nextCursor;
      }
      return [...names].join('\n');
    },
    async check(_tool, answer) {
      for (const { name } of posters) assertMentions(answer, name);
    },
  },
  {
    name: 'reporting the status of a project',
    callsMax: 3,
    prompt: `Write a status report of ${PROJECT_NAME}: how many tasks there are in each status, how many are overdue, and how many open ones are due from today until ${toDateInDays(7)}, with the names of the most urgent.`,
    async runScript(tool) {
      const { counts } = await tool('find_tasks', { project: PROJECT_NAME, counts: true, limit: 1 });
      const late = await tool('find_tasks', { project: PROJECT_NAME, overdue: true, sort: 'due', limit: 10 });
      const soon = await tool('find_tasks', {
        project: PROJECT_NAME,
        status: ['open'],
        dueFrom: toDateInDays(0),
        dueTo: toDateInDays(7),
        sort: 'due',
        limit: 10,
      });
      const names = [...late.data, ...soon.data].map(({ name }: ToolContent) => name);
      return `${JSON.stringify(counts)}; ${late.total} overdue, ${soon.total} due soon: ${names.join(', ')}`;
    },
    async check(tool, answer) {
      const { counts } = await tool('find_tasks', { project: PROJECT_NAME, counts: true, limit: 1 });
      for (const count of Object.values<number>(counts).filter((each) => each > 0))
        assertMentions(answer, count);
      assertMentions(answer, await countTasks(tool, { project: PROJECT_NAME, overdue: true }));
    },
  },
  {
    name: 'logging the hours of a week',
    callsMax: 2,
    // The days are far in the past, so that the entries don't overlap with tracked time.
    prompt:
      'Log my time: on each day from 1 to 5 March 2024, I worked on Poster 3 of the opening week from 8:00 to 12:00, and on Poster 5 of the opening week from 13:00 to 17:00.',
    async runScript(tool) {
      const { data } = await tool('find_tasks', { assignee: 'Jonas Weber', search: 'Poster', limit: 10 });
      const [first, second] = [3, 5].map(
        (number) => data.find(({ name }: ToolContent) => name.startsWith(`Poster ${number} `)).id,
      );
      const entries = [1, 2, 3, 4, 5].flatMap((date) => [
        { taskId: first, startTime: `2024-03-0${date}T08:00`, endTime: `2024-03-0${date}T12:00` },
        { taskId: second, startTime: `2024-03-0${date}T13:00`, endTime: `2024-03-0${date}T17:00` },
      ]);
      const { logged } = await tool('set_timer', { entries, idempotencyKey: `week ${Date.now()}` });
      return `Logged ${logged.length} entries.`;
    },
    async check(tool) {
      const { data } = await tool('get_time', { view: 'entries', from: '2024-03-01', to: '2024-03-05' });
      assert.equal(data.length, 10);
      assert.ok(data.every(({ durationSeconds }: ToolContent) => durationSeconds === 4 * 3600));
    },
  },
  {
    name: 'moving overdue tasks by a week',
    callsMax: 2,
    prompt: `Give every overdue task that I can see the new deadline ${toDateInDays(7)}.`,
    async runScript(tool) {
      const change = { filter: { overdue: true }, set: { deadline: toDateInDays(7) } };
      const { matching } = await tool('update_task', change);
      const { succeeded } = await tool('update_task', { ...change, count: matching });
      return `Moved ${succeeded} tasks.`;
    },
    observe: (tool) => countTasks(tool, { dueFrom: toDateInDays(7), dueTo: toDateInDays(7) }),
    async check(tool, _answer, before) {
      assert.equal(await countTasks(tool, { overdue: true }), 0);
      assert.ok((await countTasks(tool, { dueFrom: toDateInDays(7), dueTo: toDateInDays(7) })) > before);
    },
  },
  {
    name: 'assigning unassigned tasks to the least busy person',
    callsMax: 3,
    prompt: 'Who has the lowest workload? Assign up to three unassigned open tasks to that person.',
    async runScript(tool) {
      const { data } = await tool('get_dashboard', { view: 'workload', limit: 10 });
      const [free] = data.toSorted(
        (one: ToolContent, other: ToolContent) => one.utilization - other.utilization,
      );
      const found = await tool('find_tasks', { assignee: 'none', status: ['open'], limit: 3 });
      const ids = found.data.map(({ id }: ToolContent) => id);
      if (ids.length > 0) await tool('update_task', { ids, set: { assignee: free.user.id } });
      return `Assigned ${ids.length} tasks to ${free.user.name}.`;
    },
    observe: (tool) => countTasks(tool, { assignee: 'none', status: ['open'] }),
    async check(tool, _answer, before) {
      const left = await countTasks(tool, { assignee: 'none', status: ['open'] });
      assert.equal(left, Math.max(0, before - 3));
    },
  },
  {
    name: 'planning and moving a meeting',
    callsMax: 2,
    prompt: `Schedule the meeting "Retrospective" in the project Studio operations on ${toDateInDays(3)} at 10:00, with me. Then move it to ${toDateInDays(4)}, at the same time.`,
    async runScript(tool) {
      const { meeting } = await tool('create_meeting', {
        project: 'Studio operations',
        name: 'Retrospective',
        date: toDateInDays(3),
        time: '10:00',
        participants: ['me'],
      });
      await tool('update_meeting', { id: meeting.id, date: toDateInDays(4) });
      return 'Scheduled.';
    },
    async check(tool) {
      const { data } = await tool('find_meetings', { from: toDateInDays(3), to: toDateInDays(4) });
      const [found, ...others] = data.filter(({ name }: ToolContent) => name === 'Retrospective');
      assert.deepEqual([found?.date, found?.time, others.length], [toDateInDays(4), '10:00', 0]);
    },
  },
  {
    name: 'attaching a file, reading it and commenting on it',
    callsMax: 4,
    prompt:
      'Attach a file copy.md with the text "Open at nine." to Poster 3 of the opening week. Read the file from the task to be sure, and add a comment with its text.',
    async runScript(tool) {
      const taskId = await findPoster(tool, 3);
      const { file } = await tool('add_comment', {
        taskId,
        file: { fileName: 'copy.md', text: 'Open at nine.' },
      });
      await tool('get_task', { id: taskId, fileId: file.id });
      await tool('add_comment', { taskId, content: 'The copy says: Open at nine.' });
      return 'Attached.';
    },
    async check(tool) {
      const { task } = await tool('get_task', { id: await findPoster(tool, 3) });
      assert.ok(task.files.some(({ fileName }: ToolContent) => fileName === 'copy.md'));
      assert.match(JSON.stringify(task.comments), /Open at nine\./);
    },
  },
  {
    name: 'reading and clearing notifications',
    callsMax: 2,
    prompt: 'What are my unread notifications? Then mark all of them as read.',
    async runScript(tool) {
      const { total } = await tool('list_notifications', { unreadOnly: true, limit: 10 });
      await tool('mark_notifications_read', { all: true });
      return `${total} unread notifications.`;
    },
    async check(tool) {
      assert.equal((await tool('list_notifications', { unreadOnly: true, limit: 1 })).total, 0);
    },
  },
];
