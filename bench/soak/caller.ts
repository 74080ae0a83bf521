import { Refused } from './client.ts';
import type { Person } from './people.ts';
import { type CallerRecord, createRecord, type KnownTask, type SentFile } from './record.ts';
import { sendInChunks, sendToPresignedUrl } from './uploads.ts';

const TASKS_KEPT_MAX = 40;
const statuses = ['todo', 'in_progress', 'internal_review', 'client_review', 'completed'];
const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(Math.random() * items.length)];

interface Made {
  readonly id: number;
}

export interface Caller {
  readonly person: Person;
  readonly record: CallerRecord;
  readonly keepsTime: boolean;
  act(): Promise<void>;
}

/**
 * `number` distinguishes the caller's names from those of others. `keepsTime` is true for one caller per person,
 * because each person has one timer.
 */
export function openCaller(person: Person, number: number, { keepsTime }: { keepsTime: boolean }): Caller {
  const { client, agent, session, projectId, userId } = person;
  const record = createRecord();
  let made = 0;
  const label = (kind: string) => {
    made += 1;
    return `soak ${kind} ${number}-${made}`;
  };
  const tasks = () => [...record.tasks.values()];
  const open = () => tasks().filter((task) => !task.archived);

  async function createTask() {
    const name = label('task');
    const task = await client.write<Made>('POST', '/tasks', {
      projectId,
      name,
      description: `<p>${name} described</p>`,
      deadline: '2026-12-01',
      ...(Math.random() < 0.5 && { assigneeId: userId }),
    });
    note(task.id, { name, status: 'todo' });
  }

  function note(id: number, { name, status }: { name: string; status: string }) {
    record.tasks.set(id, { id, name, status, archived: false, comments: 0, activities: 1 });
  }

  async function changeTask() {
    const task = pick(open());
    if (!task) return createTask();
    const change = { name: label('task'), status: pick(statuses) ?? 'todo' };
    await client.write('PATCH', `/tasks/${task.id}`, change);
    task.activities += 1 + (task.status === change.status ? 0 : 1);
    Object.assign(task, change);
  }

  async function comment() {
    const task = pick(open());
    if (!task) return createTask();
    const content = label('comment');
    await client.write('POST', `/tasks/${task.id}/comments`, { content });
    record.comments.push({ task: task.id, content });
    task.comments += 1;
    task.activities += 1;
  }

  async function archive() {
    const task = pick(tasks());
    if (!task) return createTask();
    await client.write('POST', `/tasks/${task.id}/${task.archived ? 'unarchive' : 'archive'}`);
    task.archived = !task.archived;
    task.activities += 1;
  }

  async function duplicate() {
    const task = pick(open());
    if (!task) return createTask();
    const copy = await client.write<Made>('POST', `/tasks/${task.id}/duplicate`);
    note(copy.id, { name: `${task.name} (copy)`, status: task.status });
    // Otherwise, several copies could have the same name.
    const name = label('copy');
    await client.write('PATCH', `/tasks/${copy.id}`, { name });
    const own = record.tasks.get(copy.id);
    if (!own) return;
    own.name = name;
    own.activities += 1;
  }

  async function time() {
    const task = pick(open());
    if (!keepsTime || !task) return createTask();
    await client.write('POST', '/timer/start', { taskId: task.id });
    record.timers += 1;
    if (Math.random() < 0.5) await client.write('POST', '/timer/stop');
  }

  async function meet() {
    const name = label('meeting');
    const meeting = await client.write<Made>('POST', '/meetings', {
      projectId,
      name,
      date: '2027-03-01',
      time: '10:00',
      participantIds: [userId],
    });
    const date = '2027-03-02';
    if (Math.random() < 0.5) await client.write('PATCH', `/meetings/${meeting.id}`, { date });
    record.meetings.push({ id: meeting.id, name });
  }

  async function uploadInChunks() {
    const task = pick(open());
    if (!task) return createTask();
    keepFile(task, await sendInChunks(person, task.id, `${label('file')}.bin`));
  }

  async function uploadByAddress() {
    const task = pick(open());
    if (!task) return createTask();
    keepFile(task, await sendToPresignedUrl(person, task.id, `${label('file')}.txt`));
  }

  function keepFile(task: KnownTask, file: SentFile | null) {
    if (!file) return;
    record.files.push({ ...file, task: task.id });
    task.activities += 1;
  }

  async function askAgent() {
    if (Math.random() < 0.4) {
      await agent.tool('find_tasks', { search: `soak task ${number}-` });
      return;
    }
    const task = pick(open());
    if (task && Math.random() < 0.5) {
      const content = label('remark');
      const answer = await agent.tool('add_comment', { taskId: task.id, content });
      if (answer === null) {
        record.uncertain.push({ kind: 'comment', text: content, task });
        return;
      }
      record.comments.push({ task: task.id, content });
      task.comments += 1;
      task.activities += 1;
      return;
    }
    const name = label('agent task');
    const answer = await agent.tool<{ results: { task: Made }[] }>('create_task', {
      tasks: [{ name, project: projectId }],
    });
    if (answer === null) {
      record.uncertain.push({ kind: 'task', text: name });
      return;
    }
    for (const { task: made } of answer.results) note(made.id, { name, status: 'todo' });
  }

  async function read() {
    const task = pick(tasks());
    if (!task) return createTask();
    const found = await client.read<{ name: string; isArchived: boolean }>(`/tasks/${task.id}`);
    if (found.name !== task.name || found.isArchived !== task.archived) {
      throw new Error(`task ${task.id} is '${found.name}', but '${task.name}' was acknowledged`);
    }
    const search = await client.read<{ data: Made[] }>(
      `/tasks?scope=all&isArchived=${task.archived}&search=${encodeURIComponent(task.name)}`,
    );
    if (!search.data.some(({ id }) => id === task.id))
      throw new Error(`a search does not find task ${task.id}`);
  }

  async function look() {
    const path = pick([
      `/tasks?projectId=${projectId}&limit=50`,
      '/tasks?status=in_progress',
      '/projects',
      '/notifications',
      '/dashboard/stats?localDate=2026-12-01',
      '/timer/entries',
      '/meetings',
    ]);
    if (path) await client.read(path);
  }

  async function keepKey() {
    const name = label('key');
    try {
      await session.write('POST', '/connected-apps/api-keys', { name });
    } catch (error) {
      // The first response, which contained the secret, was lost, but the key exists.
      if (!(error instanceof Refused) || error.status !== 400) throw error;
    }
    record.keys.push(name);
  }

  const work: readonly (readonly [step: () => Promise<void>, weight: number])[] = [
    [createTask, 14],
    [changeTask, 22],
    [comment, 14],
    [archive, 8],
    [duplicate, 4],
    [time, 5],
    [meet, 3],
    [uploadInChunks, 5],
    [uploadByAddress, 4],
    [askAgent, 10],
    [read, 18],
    [look, 10],
    [keepKey, 1],
  ];
  const lots = work.flatMap(([step, weight]) => Array.from({ length: weight }, () => step));

  return {
    person,
    record,
    keepsTime,
    async act() {
      const step = pick(lots) ?? createTask;
      // A caller with enough tasks changes existing ones, so that their number is limited.
      await (step === createTask && record.tasks.size >= TASKS_KEPT_MAX ? changeTask : step)();
    },
  };
}
