import { enableAutoSave } from './auto-save.ts';
import { enableCommentForms } from './comment-forms.ts';
import { enableCopyButtons } from './copy-buttons.ts';
import { enableMentions } from './mentions.ts';
import { enableMenus } from './menus.ts';
import { enableImageViewer } from './open-image.ts';
import { getTaskUrl, openRedirectsInPanel, parseTaskUrl, requestTaskPage } from './open-task.ts';
import { adaptPagesToPanel, buildPanelContent } from './panel-content.ts';
import { buildPanel, loadPanelStyles } from './panel-elements.ts';
import { enablePickers } from './pickers.ts';
import { enableRecentTasks } from './recent-tasks.ts';
import { findPanelContent, getScreen, isPanel, type Region } from './regions.ts';
import { addTaskParameter, getOpenTaskId, getScreenUrl } from './screen-url.ts';
import { areSingleKeyShortcutsEnabled, isTypingTarget } from './single-keys.ts';
import { showToast } from './toast.ts';
import { enableUploads, showUnfinishedUploads } from './uploads.ts';

let panel: HTMLElement | null = null;
let openTaskId: number | null = null;
let screenTitle = '';
let taskTitle = '';
/** The screen's link or button for the open task. A refresh can remove it, so its position is also kept. */
let opener: HTMLElement | null = null;
let openerPosition = 0;
let latestRequest = 0;

enableAutoSave();
enableCommentForms();
enableImageViewer();
enableMentions();
enableMenus();
enableUploads();
enableCopyButtons();
enablePickers();
enableRecentTasks();
adaptPagesToPanel();
openRedirectsInPanel();
document.addEventListener('keydown', handleKey, { capture: true });
document.addEventListener('submit', returnToScreenAfterDeletion, { capture: true });
document.addEventListener('edgework:morphed', (event) => {
  if (!panel) return;
  const { detail: region } = event as CustomEvent<Region>;
  if (isPanel(region)) taskTitle = document.title;
  else screenTitle = document.title;
  document.title = taskTitle;
  updatePanel();
});
document.addEventListener('edgework:task-gone', () => closePanel({ isGone: true }));
window.addEventListener('popstate', () => {
  const task = getOpenTaskId();
  latestRequest += 1;
  if (task === openTaskId) return;
  if (task === null) removePanel();
  else void showTask(getTaskUrl(task), requestTaskPage(getTaskUrl(task)));
});

export async function showTask(
  address: string,
  pendingResponse: Promise<Response | null>,
  openedFrom: HTMLElement | null = null,
) {
  latestRequest += 1;
  const request = latestRequest;
  const task = parseTaskUrl(address);
  const [response] = await Promise.all([pendingResponse, loadPanelStyles()]);
  const html = await response?.text().catch(() => null);
  if (request !== latestRequest) return;
  if (!response || typeof html !== 'string') {
    document.dispatchEvent(new CustomEvent('edgework:lost'));
    showToast("Couldn't reach the server. Try again.", { isProblem: true });
    return;
  }
  const next = new DOMParser().parseFromString(html, 'text/html');
  const main = next.getElementById('content');
  // Opens the task's own page, which asks the person to sign in or says why the task can't be opened.
  if (task === null || !response.ok || !main?.querySelector('[data-task]')) {
    if (getOpenTaskId() === task) location.replace(address);
    else location.assign(address);
    return;
  }
  if (!panel) screenTitle = document.title;
  const isSwitch = panel !== null && task !== openTaskId;
  const hadFocus = panel?.querySelector('.panel-bar')?.contains(document.activeElement);
  saveTaskInput();
  panel ??= buildPanel({ step: openAdjacentTask, close: closePanel });
  findPanelContent()?.remove();
  const { pathname, search, hash } = new URL(response.url);
  panel.append(buildPanelContent(main, pathname + search));
  if (!panel.isConnected) document.body.append(panel);
  openTaskId = task;
  if (getOpenTaskId() !== task) history.pushState(null, '', addTaskParameter(getScreenUrl(), task));
  taskTitle = next.title;
  document.title = taskTitle;
  panel.querySelector('a')?.setAttribute('href', pathname);
  opener = openedFrom && getScreen().contains(openedFrom) ? openedFrom : findOpener(task);
  updatePanel();
  opener?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  if (!hadFocus) panel.focus({ preventScroll: true });
  // The panel already has the focus, so screen readers don't announce its new name.
  if (isSwitch) showToast(readTaskName(), { isShown: false });
  document.dispatchEvent(new CustomEvent('edgework:task-opened'));
  showUnfinishedUploads();
  if (hash) document.getElementById(`panel-${hash.slice(1)}`)?.scrollIntoView();
}

function readTaskName(): string {
  return findPanelContent()?.querySelector('h1')?.textContent ?? '';
}

/** Saves auto-saved fields as usual, and stores the input in other fields as a draft. */
function saveTaskInput() {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && findPanelContent()?.contains(activeElement))
    activeElement.blur();
  document.dispatchEvent(new CustomEvent('edgework:task-closing'));
}

function closePanel({ isGone = false } = {}) {
  if (!panel) return;
  removePanel();
  if (isGone) history.replaceState(history.state, '', getScreenUrl());
  else history.pushState(null, '', getScreenUrl());
}

function removePanel() {
  if (!panel) return;
  latestRequest += 1;
  saveTaskInput();
  panel.remove();
  panel = null;
  document.title = screenTitle;
  const task = openTaskId;
  openTaskId = null;
  markOpener(null);
  const back = opener?.isConnected ? opener : (findOpener(task) ?? listOpeners()[openerPosition]);
  back?.focus();
}

function listOpeners(): HTMLElement[] {
  const tasks = new Set<number>();
  return [...getScreen().querySelectorAll<HTMLElement>('a[href]:not([data-pick]), button[data-task]')].filter(
    (each) => {
      if (each instanceof HTMLButtonElement) return true;
      const task = parseTaskUrl((each as HTMLAnchorElement).href);
      if (task === null || tasks.has(task) || !each.checkVisibility()) return false;
      tasks.add(task);
      return true;
    },
  );
}

function findOpener(task: number | null): HTMLElement | null {
  const isOfTask = (each: HTMLElement) =>
    each instanceof HTMLAnchorElement ? parseTaskUrl(each.href) === task : Number(each.dataset.task) === task;
  return listOpeners().find(isOfTask) ?? null;
}

function openAdjacentTask(by: 1 | -1) {
  findAdjacentOpener(by)?.click();
}

function findAdjacentOpener(by: 1 | -1): HTMLElement | undefined {
  const openers = listOpeners();
  const at = opener ? openers.indexOf(opener) : -1;
  return openers[at >= 0 ? at + by : openerPosition + (by === 1 ? 0 : -1)];
}

function updatePanel() {
  if (!panel) return;
  panel.ariaLabel = readTaskName();
  if (!opener?.isConnected) opener = findOpener(openTaskId);
  const at = opener ? listOpeners().indexOf(opener) : -1;
  if (at >= 0) openerPosition = at;
  markOpener(opener);
  for (const button of panel.querySelectorAll<HTMLButtonElement>('[data-step]'))
    button.ariaDisabled = String(!findAdjacentOpener(button.dataset.step === '1' ? 1 : -1));
}

function markOpener(marked: HTMLElement | null) {
  for (const each of getScreen().querySelectorAll('[data-opened]')) {
    each.removeAttribute('data-opened');
    each.removeAttribute('aria-current');
  }
  if (!marked) return;
  marked.dataset.opened = '';
  marked.ariaCurrent = 'true';
}

function hasElementAbovePanel(): boolean {
  return document.querySelector('dialog[open], :popover-open, .sortable-chosen, a[data-leave]') !== null;
}

function handleKey(event: KeyboardEvent) {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (!panel || ctrlKey || metaKey || altKey || isTypingTarget(target)) return;
  if (key === 'Escape') {
    if (hasElementAbovePanel()) return;
    closePanel();
  } else if (!isPanelKeyTarget(target) || !handlePanelKey(key, target)) return;
  event.preventDefault();
  event.stopPropagation();
}

function isPanelKeyTarget(target: EventTarget | null): target is Element {
  const isInPanel = target instanceof Element && panel?.contains(target) === true;
  return areSingleKeyShortcutsEnabled() && (isInPanel || target === document.body);
}

function handlePanelKey(key: string, target: Element): boolean {
  if (key === 'j' || key === 'k') openAdjacentTask(key === 'j' ? 1 : -1);
  else if (key === 'f') panel?.querySelector<HTMLElement>('a[data-full-page]')?.click();
  else if (key === 'e' && !target.closest('li')?.querySelector('.complete'))
    getScreen().querySelector<HTMLElement>(`.complete[formaction$="/tasks/${openTaskId}"]`)?.click();
  else return false;
  return true;
}

/** By default, deleting a task opens its project. In the panel, the screen stays open instead. */
function returnToScreenAfterDeletion({ target: form }: Event) {
  if (!(form instanceof HTMLFormElement) || !findPanelContent()?.contains(form)) return;
  if (form.action.endsWith('/delete'))
    form.querySelector('[name=back]')?.setAttribute('value', getScreenUrl());
}
