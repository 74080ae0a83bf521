export const QUEUED_TASKS_KEY = 'edgework:queued-tasks';

export function hasQueuedTasks(): boolean {
  try {
    return localStorage.getItem(QUEUED_TASKS_KEY) !== null;
  } catch {
    return false;
  }
}

export function forgetQueuedTasks() {
  try {
    localStorage.removeItem(QUEUED_TASKS_KEY);
  } catch {
    // Without storage, there is nothing to remove.
  }
}
