import { isFirstCall } from './first-call.ts';
import { findPanelContent, getScreen } from './regions.ts';
import { getWorkspaceBase } from './screen-url.ts';

const STORAGE_KEY = 'edgework:recent-tasks';
const RECENT_TASKS_MAX = 30;

export interface RecentTask {
  readonly address: string;
  readonly name: string;
}

interface StoredTasks {
  /** The person who opened the tasks. Stored because several people can share a browser. */
  readonly person: string;
  readonly tasks: readonly RecentTask[];
}

export function enableRecentTasks() {
  if (!isFirstCall('recentTasks')) return;
  document.addEventListener('edgework:task-opened', rememberTask);
  rememberTask();
}

export function listRecentTasks(): readonly RecentTask[] {
  const base = `${getWorkspaceBase()}/`;
  return readStoredTasks().filter(({ address }) => address.startsWith(base));
}

export function forgetRecentTasks() {
  try {
    localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Without storage, nothing is remembered.
  }
}

function rememberTask() {
  const task = (findPanelContent() ?? getScreen()).querySelector<HTMLElement>('article[data-task]');
  const name = task?.querySelector('h1')?.textContent?.trim();
  if (!task || !name) return;
  const address = `${getWorkspaceBase()}/tasks/${task.dataset.task}`;
  const tasks = [{ address, name }, ...readStoredTasks().filter((each) => each.address !== address)];
  const stored: StoredTasks = { person: getSignedInPerson(), tasks: tasks.slice(0, RECENT_TASKS_MAX) };
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(stored));
  } catch {
    // Without storage, nothing is remembered.
  }
}

function readStoredTasks(): readonly RecentTask[] {
  try {
    const stored: StoredTasks | null = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null');
    return stored?.person === getSignedInPerson() ? stored.tasks : [];
  } catch {
    return [];
  }
}

export const getSignedInPerson = () => document.querySelector<HTMLElement>('.sign-out button')?.title ?? '';
