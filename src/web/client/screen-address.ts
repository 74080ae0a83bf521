/** The query parameter of the open task, as in `/app/ws_1/projects/1?task=12`. Only scripts read it. */
const TASK_PARAMETER = /[?&]task=(\d+)(?=&|$)/;

export const getWorkspaceBase = () => /^\/app\/[^/]+/.exec(location.pathname)?.[0];

export function getOpenTask(): number | null {
  return Number(TASK_PARAMETER.exec(location.search)?.[1]) || null;
}

export const getScreenAddress = () => toScreenAddress(location);

export function toScreenAddress({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string {
  return pathname + search.replace(TASK_PARAMETER, '').replace(/^&/, '?');
}

export function addOpenTask(address: string, task: number | null): string {
  return task === null ? address : `${address}${address.includes('?') ? '&' : '?'}task=${task}`;
}

let shownAddress = getScreenAddress();

export function enterScreenAddress(address: string, { isNewEntry = false } = {}) {
  const kept = addOpenTask(toScreenAddress(new URL(address, location.href)), getOpenTask());
  if (isNewEntry) history.pushState(null, '', kept);
  else history.replaceState(history.state, '', kept);
  shownAddress = getScreenAddress();
}

/** Returns true once after Back or Forward has changed the screen, for example to an earlier filter. */
export function hasScreenAddressChanged(): boolean {
  const isChanged = getScreenAddress() !== shownAddress;
  shownAddress = getScreenAddress();
  return isChanged;
}
