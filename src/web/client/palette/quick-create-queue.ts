import { forgetQueuedTasks, QUEUED_TASKS_KEY } from '../queued-tasks.ts';
import { getPerson } from '../recent-tasks.ts';
import { getWorkspaceBase } from '../screen-address.ts';
import type { QuickCreateDraft } from './quick-create-draft.ts';

export interface QueuedTask extends QuickCreateDraft {
  /** The preview that the person saw. The server doesn't create a task that differs from it. */
  readonly understood?: string;
}

interface Stored {
  /** The person who submitted the tasks. Stored because several people can share a browser. */
  readonly person: string;
  readonly tasks: readonly (QueuedTask & { readonly base: string })[];
}

/** Used if the browser's storage is full or turned off. */
let unstored: Stored['tasks'] | null = null;

/** Submitted tasks wait in this browser until the server has created them, even if the tab is closed. */
export function listWaitingTasks(): readonly QueuedTask[] {
  return listTasks().filter(({ problem }) => problem === null);
}

/** Returns rejected tasks first, then text that was never submitted. */
export function listReturnedTasks(): readonly QueuedTask[] {
  const tasks = listTasks();
  return [...tasks.filter(({ problem }) => problem), ...tasks.filter(({ problem }) => problem === '')];
}

export function saveTask(task: QueuedTask) {
  const tasks = readStored();
  const saved = { ...task, base: getWorkspaceBase() ?? '' };
  const isNew = tasks.every(({ key }) => key !== task.key);
  store(isNew ? [...tasks, saved] : tasks.map((each) => (each.key === task.key ? saved : each)));
}

export function removeTask(key: string) {
  store(readStored().filter((each) => each.key !== key));
}

function listTasks(): readonly QueuedTask[] {
  return readStored().filter(({ base }) => base === getWorkspaceBase());
}

function readStored(): Stored['tasks'] {
  if (unstored) return unstored;
  try {
    const stored: Stored | null = JSON.parse(localStorage.getItem(QUEUED_TASKS_KEY) ?? 'null');
    return stored?.person === getPerson() ? stored.tasks : [];
  } catch {
    return [];
  }
}

function store(tasks: Stored['tasks']) {
  if (tasks.length === 0) forgetQueuedTasks();
  try {
    const stored: Stored = { person: getPerson(), tasks };
    if (tasks.length > 0) localStorage.setItem(QUEUED_TASKS_KEY, JSON.stringify(stored));
    unstored = null;
  } catch {
    unstored = tasks;
  }
}
