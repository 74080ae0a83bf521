import type { IconName } from '../components/icon-names.ts';

export interface NavigationItem {
  readonly path: string;
  readonly icon: IconName;
  readonly label: string;
  readonly also?: readonly string[];
  readonly key?: string;
}

export const mainNavigation: readonly NavigationItem[] = [
  { path: '', icon: 'list-checks', label: 'My work' },
  { path: '/inbox', icon: 'inbox', label: 'Inbox' },
  { path: '/search', icon: 'search', label: 'Search', key: '/' },
];

export const allProjectsItem: NavigationItem = {
  path: '/projects',
  icon: 'folder-kanban',
  label: 'All projects',
  also: ['/templates'],
};

export const allTasksItem: NavigationItem = {
  path: '/tasks',
  icon: 'layout-list',
  label: 'All tasks',
  also: ['/board', '/filters'],
};

export const moreNavigation: readonly NavigationItem[] = [
  { path: '/calendar', icon: 'calendar', label: 'Calendar', also: ['/meetings', '/timeline'] },
  { path: '/dashboard', icon: 'gauge', label: 'Dashboard' },
  { path: '/time', icon: 'clock', label: 'Time', also: ['/time-report'] },
  { path: '/people', icon: 'users', label: 'People', also: ['/teams'] },
];

export const workspaceSettingsItem: NavigationItem = {
  path: '/settings',
  icon: 'settings',
  label: 'Settings',
  also: ['/categories', '/labels', '/fields', '/bots', '/webhooks', '/audit', '/trash'],
};

export const navigation: readonly NavigationItem[] = [
  ...mainNavigation,
  allProjectsItem,
  allTasksItem,
  ...moreNavigation,
  workspaceSettingsItem,
];

/** Returns the value of `aria-current`, which is `true` for pages below the item. */
export function getAriaCurrent(
  here: string,
  base: string,
  { path, also = [] }: NavigationItem,
): 'page' | 'true' | undefined {
  if (here === `${base}${path}`) return 'page';
  return [path, ...also].some((each) => each && `${here}/`.startsWith(`${base}${each}/`))
    ? 'true'
    : undefined;
}
