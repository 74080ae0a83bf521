import { isFirstCall } from './first-call.ts';
import { getOpenTask, getWorkspaceBase } from './screen-address.ts';

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
  const task = getOpenTask();
  if (task === null) return;
  if (wideWindowQuery.matches) void openTask(getTaskAddress(task), null);
  else location.replace(getTaskAddress(task));
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
  return wideWindowQuery.matches && parseTaskAddress(address) !== null;
}

/** Returns null for any other URL, such as a task in another workspace. */
export function parseTaskAddress(address: string): number | null {
  const { origin, pathname } = new URL(address, location.href);
  const task = Number(/\d+$/.exec(pathname)?.[0]);
  return origin + pathname === location.origin + getTaskAddress(task) ? task : null;
}

export function getTaskAddress(task: number): string {
  return `${getWorkspaceBase()}/tasks/${task}`;
}

async function openTask(address: string, opener: HTMLElement | null) {
  const loading = requestTaskPage(address);
  try {
    const module: PanelModule = await import(document.body.dataset.panelModule ?? '');
    await module.showTask(address, loading, opener);
  } catch {
    location.assign(address);
  }
}

export function requestTaskPage(address: string): Promise<Response | null> {
  return fetch(address, { headers: { Accept: 'text/html' }, cache: 'no-store' }).catch(() => null);
}
