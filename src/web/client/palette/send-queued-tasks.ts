import { Backoff } from '../backoff.ts';
import { isSignInPage } from '../request-page.ts';
import { getWorkspaceBase } from '../screen-address.ts';
import { showToast } from '../toast.ts';
import { listWaitingTasks, type QueuedTask, removeTask, saveTask } from './quick-create-queue.ts';

const RETRY_MS_MAX = 15_000;
/** The server remembers form keys for a day. After that, sending a task again could create it twice. */
const RESEND_MS_MAX = 20 * 60 * 60_000;
const QUEUED_EVENT = 'edgework:task-queued';

interface OpenDialog {
  /** Updates the dialog once a queued task has been created or rejected. `added` is the server's message. */
  settle(added?: string): void;
}

type Outcome = 'answered' | 'lost' | 'signed-out';

let isSending = false;

/** Sends one task at a time, so that tasks are created in the order they were submitted. */
export async function sendQueuedTasks(findDialog: () => OpenDialog | null) {
  if (isSending) return void document.dispatchEvent(new CustomEvent(QUEUED_EVENT));
  isSending = true;
  const retry = new Backoff(RETRY_MS_MAX);
  let before: Outcome = 'answered';
  while (before !== 'signed-out' && listWaitingTasks().length > 0) {
    const isNews = before === 'answered';
    before = await sendAlone(() => sendFirst(findDialog, isNews));
    if (before === 'answered') retry.reset();
    if (before === 'lost' && listWaitingTasks().length > 0) await retry.wait([QUEUED_EVENT]);
  }
  isSending = false;
}

function sendAlone(send: () => Promise<Outcome>): Promise<Outcome> {
  // Browsers offer locks only over HTTPS and on localhost.
  const locks: LockManager | undefined = navigator.locks;
  return locks ? locks.request('edgework:queued-tasks', send) : send();
}

async function sendFirst(findDialog: () => OpenDialog | null, isNews: boolean): Promise<Outcome> {
  const [task] = listWaitingTasks();
  if (!task) {
    findDialog()?.settle();
    return 'answered';
  }
  const { name, key } = task;
  /** If the dialog is closed, the rejected task is shown the next time it opens. */
  const refuse = (problem: string) => {
    saveTask({ ...task, problem });
    const dialog = findDialog();
    if (dialog) dialog.settle();
    else showToast(`Couldn't create “${name}”. Press c to try again.`, { isProblem: true });
  };
  const keepWaiting = (reason: string, then: string) => {
    if (findDialog()) refuse(`${reason} Your text is still here. Try again.`);
    else if (isNews) showToast(`${reason} “${name}” will be created when ${then}.`, { isProblem: true });
  };
  if (Number.parseInt(key, 10) < Date.now() - RESEND_MS_MAX) {
    refuse('This may have been created already. Check before you create it again.');
    return 'answered';
  }
  const asked = await postTask(task);
  if (!asked) {
    document.dispatchEvent(new CustomEvent('edgework:lost'));
    keepWaiting("Couldn't reach the server.", "you're back online");
    return 'lost';
  }
  const { answer, html } = asked;
  if (isSignInPage(answer)) {
    keepWaiting("You're signed out.", 'you sign in again');
    return 'signed-out';
  }
  const page = new DOMParser().parseFromString(html, 'text/html');
  if (answer.ok) {
    removeTask(key);
    findDialog()?.settle(page.getElementById('flash-message')?.firstChild?.textContent ?? 'Added');
    document.dispatchEvent(new CustomEvent('edgework:created', { detail: page }));
  } else {
    const problem = page.querySelector('main :is(.problem, [role="alert"])')?.textContent;
    refuse(problem || 'Something went wrong on our end. Your text is still here.');
  }
  return 'answered';
}

const getAddress = () => `${getWorkspaceBase()}/tasks/add`;

async function postTask({ name, project, key, understood }: QueuedTask) {
  const action = getAddress();
  const projectId = project || (await loadProjectOptions())?.[0]?.value;
  if (projectId === undefined) return null;
  const csrf = document.querySelector<HTMLInputElement>('.sign-out [name="csrf"]')?.value ?? '';
  const body = new URLSearchParams({ name, projectId, once: key, csrf, back: action, stay: '1' });
  if (understood) body.set('understood', understood);
  try {
    const answer = await fetch(action, { method: 'POST', body, headers: { Accept: 'text/html' } });
    return { answer, html: await answer.text() };
  } catch {
    return null;
  }
}

export async function loadProjectOptions(): Promise<HTMLOptionElement[] | null> {
  const answer = await fetch(getAddress(), { headers: { Accept: 'text/html' } }).catch(() => null);
  const html = answer?.ok && !answer.redirected ? await answer.text().catch(() => null) : null;
  if (html === null) return null;
  const page = new DOMParser().parseFromString(html, 'text/html');
  return [...page.querySelectorAll<HTMLOptionElement>('main select[name="projectId"] option')];
}
