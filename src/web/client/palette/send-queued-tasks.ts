import { Backoff } from '../backoff.ts';
import { isSignInPage } from '../request-page.ts';
import { getWorkspaceBase } from '../screen-url.ts';
import { showToast } from '../toast.ts';
import { listWaitingTasks, type QueuedTask, removeQueuedTask, saveQueuedTask } from './quick-create-queue.ts';

const RETRY_DELAY_MS_MAX = 15_000;
/** The server remembers form keys for a day. After that, sending a task again could create it twice. */
const RESEND_AGE_MS_MAX = 20 * 60 * 60_000;
const TASK_QUEUED_EVENT = 'edgework:task-queued';

interface QuickCreateDialog {
  /**
   * Updates the dialog once a queued task has been created or rejected. `added` is the server's message, given only if
   * the task was created.
   */
  updateAfterSending(added?: string): void;
}

type SendOutcome = 'answered' | 'lost' | 'signed-out';

let isSending = false;

/** Sends one task at a time, so that tasks are created in the order they were submitted. */
export async function sendQueuedTasks(findDialog: () => QuickCreateDialog | null) {
  if (isSending) return void document.dispatchEvent(new CustomEvent(TASK_QUEUED_EVENT));
  isSending = true;
  const retry = new Backoff(RETRY_DELAY_MS_MAX);
  let previousOutcome: SendOutcome = 'answered';
  while (previousOutcome !== 'signed-out' && listWaitingTasks().length > 0) {
    const showsFailure = previousOutcome === 'answered';
    previousOutcome = await sendWithLock(() => sendFirstTask(findDialog, showsFailure));
    if (previousOutcome === 'answered') retry.reset();
    if (previousOutcome === 'lost' && listWaitingTasks().length > 0) await retry.wait([TASK_QUEUED_EVENT]);
  }
  isSending = false;
}

function sendWithLock(send: () => Promise<SendOutcome>): Promise<SendOutcome> {
  // Browsers offer locks only over HTTPS and on localhost.
  const locks: LockManager | undefined = navigator.locks;
  return locks ? locks.request('edgework:queued-tasks', send) : send();
}

async function sendFirstTask(
  findDialog: () => QuickCreateDialog | null,
  showsFailure: boolean,
): Promise<SendOutcome> {
  const [task] = listWaitingTasks();
  if (!task) {
    findDialog()?.updateAfterSending();
    return 'answered';
  }
  const { name, key } = task;
  /** If the dialog is closed, the rejected task is shown the next time it opens. */
  const rejectTask = (problem: string) => {
    saveQueuedTask({ ...task, problem });
    const dialog = findDialog();
    if (dialog) dialog.updateAfterSending();
    else showToast(`Couldn't create “${name}”. Press c to try again.`, { isProblem: true });
  };
  const keepQueued = (reason: string, then: string) => {
    if (findDialog()) rejectTask(`${reason} Your text is still here. Try again.`);
    else if (showsFailure)
      showToast(`${reason} “${name}” will be created when ${then}.`, { isProblem: true });
  };
  if (Number.parseInt(key, 10) < Date.now() - RESEND_AGE_MS_MAX) {
    rejectTask('This task may already exist. Check before you create it again.');
    return 'answered';
  }
  const pageResponse = await postTask(task);
  if (!pageResponse) {
    document.dispatchEvent(new CustomEvent('edgework:lost'));
    keepQueued("Couldn't reach the server.", "you're back online");
    return 'lost';
  }
  const { response, html } = pageResponse;
  if (isSignInPage(response)) {
    keepQueued("You're signed out.", 'you sign in again');
    return 'signed-out';
  }
  const page = new DOMParser().parseFromString(html, 'text/html');
  if (response.ok) {
    removeQueuedTask(key);
    findDialog()?.updateAfterSending(
      page.getElementById('flash-message')?.firstChild?.textContent ?? 'Added',
    );
    document.dispatchEvent(new CustomEvent('edgework:created', { detail: page }));
  } else {
    const problem = page.querySelector('main :is(.problem, [role="alert"])')?.textContent;
    rejectTask(problem || 'Something went wrong on our end. Your text is still here.');
  }
  return 'answered';
}

const getQuickAddUrl = () => `${getWorkspaceBase()}/tasks/add`;

async function postTask({ name, project, key, understood }: QueuedTask) {
  const action = getQuickAddUrl();
  const projectId = project || (await loadProjectOptions())?.[0]?.value;
  if (projectId === undefined) return null;
  const csrf = document.querySelector<HTMLInputElement>('.sign-out [name="csrf"]')?.value ?? '';
  const body = new URLSearchParams({ name, projectId, once: key, csrf, back: action, stay: '1' });
  if (understood) body.set('understood', understood);
  try {
    const response = await fetch(action, { method: 'POST', body, headers: { Accept: 'text/html' } });
    return { response, html: await response.text() };
  } catch {
    return null;
  }
}

export async function loadProjectOptions(): Promise<HTMLOptionElement[] | null> {
  const response = await fetch(getQuickAddUrl(), { headers: { Accept: 'text/html' } }).catch(() => null);
  const html = response?.ok && !response.redirected ? await response.text().catch(() => null) : null;
  if (html === null) return null;
  const page = new DOMParser().parseFromString(html, 'text/html');
  return [...page.querySelectorAll<HTMLOptionElement>('main select[name="projectId"] option')];
}
