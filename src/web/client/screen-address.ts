/** The parameter of the open task, as in `/app/ws_1/projects/1?task=12`. Only scripts read it. */
const TASK_PARAMETER = /[?&]task=(\d+)(?=&|$)/;

export const getWorkspaceBase = () => /^\/app\/[^/]+/.exec(location.pathname)?.[0];

export function getOpenTask(): number | null {
  return Number(TASK_PARAMETER.exec(location.search)?.[1]) || null;
}

/** Returns the screen's path and query, without the open task. */
export const getScreenAddress = () => toScreenAddress(location);

export function toScreenAddress({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string {
  return pathname + search.replace(TASK_PARAMETER, '').replace(/^&/, '?');
}

export function addOpenTask(address: string, task: number | null): string {
  return task === null ? address : `${address}${address.includes('?') ? '&' : '?'}task=${task}`;
}

let shownAddress = getScreenAddress();

/** Changes the screen's address and keeps the open task. */
export function enterScreenAddress(address: string, { isNewEntry = false } = {}) {
  const kept = addOpenTask(toScreenAddress(new URL(address, location.href)), getOpenTask());
  if (isNewEntry) history.pushState(null, '', kept);
  else history.replaceState(history.state, '', kept);
  shownAddress = getScreenAddress();
}

/** Returns whether Back or Forward has led to another state of the screen, such as an earlier filter. */
export function hasScreenAddressChanged(): boolean {
  const isChanged = getScreenAddress() !== shownAddress;
  shownAddress = getScreenAddress();
  return isChanged;
}
