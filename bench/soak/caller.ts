import { type CallerRecord, createCallerRecord, type KnownTask, type SentFile } from './caller-record.ts';
import { RejectedRequestError } from './client.ts';
import type { Person } from './people.ts';
import { sendInChunks, sendToPresignedUrl } from './uploads.ts';

const TASKS_KEPT_MAX = 40;
const statuses = ['todo', 'in_progress', 'internal_review', 'client_review', 'completed'];
const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(Math.random() * items.length)];

interface CreatedItem {
  readonly id: number;
}

export interface Caller {
  readonly person: Person;
  readonly record: CallerRecord;
  readonly tracksTime: boolean;
  takeRandomStep(): Promise<void>;
}

/**
 * `number` makes the names that this caller creates unique. `tracksTime` is true for one caller per person, because
 * each person has one timer.
 */
export function openCaller(person: Person, number: number, { tracksTime }: { tracksTime: boolean }): Caller {
  const { client, agent, session, projectId, userId } = person;
  const record = createCallerRecord();
  let labelCount = 0;
  const createLabel = (kind: string) => {
    labelCount += 1;
    return `soak ${kind} ${number}-${labelCount}`;
  };
  const tasks = () => [...record.tasks.values()];
  const open = () => tasks().filter((task) => !task.archived);

  async function createTask() {
    const name = createLabel('task');
    const task = await client.write<CreatedItem>('POST', '/tasks', {
      projectId,
      name,
      description: `<p>${name} described</p>`,
      deadline: '2026-12-01',
      ...(Math.random() < 0.5 && { assigneeId: userId }),
    });
    recordTask(task.id, { name, status: 'todo' });
  }

  function recordTask(id: number, { name, status }: { name: string; status: string }) {
    record.tasks.set(id, { id, name, status, archived: false, comments: 0, activities: 1 });
  }

  async function changeTask() {
    const task = pick(open());
    if (!task) return createTask();
    const change = { name: createLabel('task'), status: pick(statuses) ?? 'todo' };
    await client.write('PATCH', `/tasks/${task.id}`, change);
    task.activities += 1 + (task.status === change.status ? 0 : 1);
    Object.assign(task, change);
  }

  async function addComment() {
    const task = pick(open());
    if (!task) return createTask();
    const content = createLabel('comment');
    await client.write('POST', `/tasks/${task.id}/comments`, { content });
    record.comments.push({ task: task.id, content });
    task.comments += 1;
    task.activities += 1;
  }

  async function toggleArchived() {
    const task = pick(tasks());
    if (!task) return createTask();
    await client.write('POST', `/tasks/${task.id}/${task.archived ? 'unarchive' : 'archive'}`);
    task.archived = !task.archived;
    task.activities += 1;
  }

  async function duplicateTask() {
    const task = pick(open());
    if (!task) return createTask();
    const copy = await client.write<CreatedItem>('POST', `/tasks/${task.id}/duplicate`);
    recordTask(copy.id, { name: `${task.name} (copy)`, status: task.status });
    // Renames the copy, because several copies could have the same name.
    const name = createLabel('copy');
    await client.write('PATCH', `/tasks/${copy.id}`, { name });
    const own = record.tasks.get(copy.id);
    if (!own) return;
    own.name = name;
    own.activities += 1;
  }

  async function trackTime() {
    const task = pick(open());
    if (!tracksTime || !task) return createTask();
    await client.write('POST', '/timer/start', { taskId: task.id });
    record.timers += 1;
    if (Math.random() < 0.5) await client.write('POST', '/timer/stop');
  }

  async function scheduleMeeting() {
    const name = createLabel('meeting');
    const meeting = await client.write<CreatedItem>('POST', '/meetings', {
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
    recordFile(task, await sendInChunks(person, task.id, `${createLabel('file')}.bin`));
  }

  async function uploadToPresignedUrl() {
    const task = pick(open());
    if (!task) return createTask();
    recordFile(task, await sendToPresignedUrl(person, task.id, `${createLabel('file')}.txt`));
  }

  function recordFile(task: KnownTask, file: SentFile | null) {
    if (!file) return;
    record.files.push({ ...file, task: task.id });
    task.activities += 1;
  }

  async function callAgentTool() {
    if (Math.random() < 0.4) {
      await agent.callTool('find_tasks', { search: `soak task ${number}-` });
      return;
    }
    const task = pick(open());
    if (task && Math.random() < 0.5) {
      const content = createLabel('remark');
      const answer = await agent.callTool('add_comment', { taskId: task.id, content });
      if (answer === null) {
        record.uncertain.push({ kind: 'comment', text: content, task });
        return;
      }
      record.comments.push({ task: task.id, content });
      task.comments += 1;
      task.activities += 1;
      return;
    }
    const name = createLabel('agent task');
    const answer = await agent.callTool<{ results: { task: CreatedItem }[] }>('create_task', {
      tasks: [{ name, project: projectId }],
    });
    if (answer === null) {
      record.uncertain.push({ kind: 'task', text: name });
      return;
    }
    for (const { task: made } of answer.results) recordTask(made.id, { name, status: 'todo' });
  }

  async function verifyTask() {
    const task = pick(tasks());
    if (!task) return createTask();
    const found = await client.read<{ name: string; isArchived: boolean }>(`/tasks/${task.id}`);
    if (found.name !== task.name || found.isArchived !== task.archived) {
      throw new Error(`task ${task.id} is '${found.name}', but '${task.name}' was acknowledged`);
    }
    const search = await client.read<{ data: CreatedItem[] }>(
      `/tasks?scope=all&isArchived=${task.archived}&search=${encodeURIComponent(task.name)}`,
    );
    if (!search.data.some(({ id }) => id === task.id))
      throw new Error(`a search does not find task ${task.id}`);
  }

  async function readRandomPath() {
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

  async function createApiKey() {
    const name = createLabel('key');
    try {
      await session.write('POST', '/connected-apps/api-keys', { name });
    } catch (error) {
      // A 400 means that the key exists, but the first response, which contained the secret, was lost.
      if (!(error instanceof RejectedRequestError) || error.status !== 400) throw error;
    }
    record.keys.push(name);
  }

  const steps: readonly (readonly [step: () => Promise<void>, weight: number])[] = [
    [createTask, 14],
    [changeTask, 22],
    [addComment, 14],
    [toggleArchived, 8],
    [duplicateTask, 4],
    [trackTime, 5],
    [scheduleMeeting, 3],
    [uploadInChunks, 5],
    [uploadToPresignedUrl, 4],
    [callAgentTool, 10],
    [verifyTask, 18],
    [readRandomPath, 10],
    [createApiKey, 1],
  ];
  const weightedSteps = steps.flatMap(([step, weight]) => Array.from({ length: weight }, () => step));

  return {
    person,
    record,
    tracksTime,
    async takeRandomStep() {
      const step = pick(weightedSteps) ?? createTask;
      // A caller that has enough tasks changes one of them instead, so that the number of tasks stays limited.
      await (step === createTask && record.tasks.size >= TASKS_KEPT_MAX ? changeTask : step)();
    },
  };
}
