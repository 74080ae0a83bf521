import { isFirstCall } from './first-call.ts';
import { getOpenTaskId, getWorkspaceBase } from './screen-url.ts';

/** In narrower windows, tasks open as pages. */
const wideWindowQuery = matchMedia('(min-width: 75rem)');

type PanelModule = typeof import('./task-panel.ts');

export function enableTaskPanel() {
  if (document.body.dataset.panelModule === undefined) return;
  document.addEventListener('click', (event) => {
    const { target, ctrlKey, metaKey, shiftKey, altKey } = event;
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a:not([data-pick])') : null;
    if (!link || event.defaultPrevented || ctrlKey || metaKey || shiftKey || altKey) return;
    if (link.target === '_blank' || link.hasAttribute('download') || !isShownInPanel(link.href)) return;
    event.preventDefault();
    void openTask(link.href, link);
  });
  const task = getOpenTaskId();
  if (task === null) return;
  if (wideWindowQuery.matches) void openTask(getTaskUrl(task), null);
  else location.replace(getTaskUrl(task));
}

export function openRedirectsInPanel() {
  if (!isFirstCall('taskRedirects')) return;
  document.addEventListener('edgework:redirected', (event) => {
    const { address, opener } = (event as CustomEvent<{ address: string; opener: HTMLElement | null }>)
      .detail;
    if (!isShownInPanel(address)) return;
    event.preventDefault();
    void openTask(address, opener);
    document.dispatchEvent(new CustomEvent('edgework:stale'));
  });
}

function isShownInPanel(address: string): boolean {
  return wideWindowQuery.matches && parseTaskUrl(address) !== null;
}

/** Returns the task's id, or null if the URL doesn't belong to a task in this workspace. */
export function parseTaskUrl(address: string): number | null {
  const { origin, pathname } = new URL(address, location.href);
  const task = Number(/\d+$/.exec(pathname)?.[0]);
  return origin + pathname === location.origin + getTaskUrl(task) ? task : null;
}

export function getTaskUrl(task: number): string {
  return `${getWorkspaceBase()}/tasks/${task}`;
}

async function openTask(address: string, opener: HTMLElement | null) {
  const pendingResponse = requestTaskPage(address);
  try {
    const module: PanelModule = await import(document.body.dataset.panelModule ?? '');
    await module.showTask(address, pendingResponse, opener);
  } catch {
    location.assign(address);
  }
}

export function requestTaskPage(address: string): Promise<Response | null> {
  return fetch(address, { headers: { Accept: 'text/html' }, cache: 'no-store' }).catch(() => null);
}
