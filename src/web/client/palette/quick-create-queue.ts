import { forgetQueuedTasks, QUEUED_TASKS_KEY } from '../queued-tasks.ts';
import { getSignedInPerson } from '../recent-tasks.ts';
import { getWorkspaceBase } from '../screen-url.ts';
import type { QuickCreateDraft } from './quick-create-draft.ts';

export interface QueuedTask extends QuickCreateDraft {
  /** The preview that the person saw. The server doesn't create a task that differs from it. */
  readonly understood?: string;
}

interface StoredQueue {
  /** The person who submitted the tasks. Stored because several people can share a browser. */
  readonly person: string;
  readonly tasks: readonly (QueuedTask & { readonly base: string })[];
}

/** Used if the browser's storage is full or turned off. */
let unstoredTasks: StoredQueue['tasks'] | null = null;

/** Submitted tasks wait in this browser until the server has created them, even if the tab is closed. */
export function listWaitingTasks(): readonly QueuedTask[] {
  return listQueuedTasks().filter(({ problem }) => problem === null);
}

/** Returns rejected tasks first, then text that was never submitted. */
export function listReturnedTasks(): readonly QueuedTask[] {
  const tasks = listQueuedTasks();
  return [...tasks.filter(({ problem }) => problem), ...tasks.filter(({ problem }) => problem === '')];
}

export function saveQueuedTask(task: QueuedTask) {
  const tasks = readStoredTasks();
  const saved = { ...task, base: getWorkspaceBase() ?? '' };
  const isNew = tasks.every(({ key }) => key !== task.key);
  storeTasks(isNew ? [...tasks, saved] : tasks.map((each) => (each.key === task.key ? saved : each)));
}

export function removeQueuedTask(key: string) {
  storeTasks(readStoredTasks().filter((each) => each.key !== key));
}

function listQueuedTasks(): readonly QueuedTask[] {
  return readStoredTasks().filter(({ base }) => base === getWorkspaceBase());
}

function readStoredTasks(): StoredQueue['tasks'] {
  if (unstoredTasks) return unstoredTasks;
  try {
    const stored: StoredQueue | null = JSON.parse(localStorage.getItem(QUEUED_TASKS_KEY) ?? 'null');
    return stored?.person === getSignedInPerson() ? stored.tasks : [];
  } catch {
    return [];
  }
}

function storeTasks(tasks: StoredQueue['tasks']) {
  if (tasks.length === 0) forgetQueuedTasks();
  try {
    const stored: StoredQueue = { person: getSignedInPerson(), tasks };
    if (tasks.length > 0) localStorage.setItem(QUEUED_TASKS_KEY, JSON.stringify(stored));
    unstoredTasks = null;
  } catch {
    unstoredTasks = tasks;
  }
}
