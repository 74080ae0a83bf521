/** The query parameter of the open task, as in `/app/ws_1/projects/1?task=12`. Only scripts read it. */
const TASK_PARAMETER_PATTERN = /[?&]task=(\d+)(?=&|$)/;

export const getWorkspaceBase = () => /^\/app\/[^/]+/.exec(location.pathname)?.[0];

export function getOpenTaskId(): number | null {
  return Number(TASK_PARAMETER_PATTERN.exec(location.search)?.[1]) || null;
}

export const getScreenUrl = () => toScreenUrl(location);

export function toScreenUrl({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string {
  return pathname + search.replace(TASK_PARAMETER_PATTERN, '').replace(/^&/, '?');
}

export function addTaskParameter(address: string, task: number | null): string {
  return task === null ? address : `${address}${address.includes('?') ? '&' : '?'}task=${task}`;
}

let shownUrl = getScreenUrl();

export function enterScreenUrl(address: string, { isNewEntry = false } = {}) {
  const next = addTaskParameter(toScreenUrl(new URL(address, location.href)), getOpenTaskId());
  if (isNewEntry) history.pushState(null, '', next);
  else history.replaceState(history.state, '', next);
  shownUrl = getScreenUrl();
}

/** Returns true once after Back or Forward has changed the screen, for example to an earlier filter. */
export function hasScreenUrlChanged(): boolean {
  const isChanged = getScreenUrl() !== shownUrl;
  shownUrl = getScreenUrl();
  return isChanged;
}
