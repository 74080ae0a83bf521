import type { IconName } from '../components/icon-names.ts';

interface NavigationItem {
  readonly path: string;
  readonly icon: IconName;
  readonly label: string;
  readonly also?: readonly string[];
  readonly key?: string;
}

export const navigation: readonly (readonly NavigationItem[])[] = [
  [
    { path: '', icon: 'list-checks', label: 'My work' },
    { path: '/inbox', icon: 'inbox', label: 'Inbox' },
    { path: '/search', icon: 'search', label: 'Search', key: '/' },
  ],
  [
    { path: '/projects', icon: 'folder-kanban', label: 'Projects', also: ['/templates'] },
    { path: '/tasks', icon: 'layout-list', label: 'All tasks', also: ['/board', '/filters'] },
    { path: '/calendar', icon: 'calendar', label: 'Calendar', also: ['/meetings'] },
    { path: '/dashboard', icon: 'gauge', label: 'Dashboard' },
    { path: '/time', icon: 'clock', label: 'Time', also: ['/time-report'] },
    { path: '/people', icon: 'users', label: 'People', also: ['/teams'] },
    {
      path: '/settings',
      icon: 'settings',
      label: 'Settings',
      also: ['/categories', '/labels', '/fields', '/bots', '/webhooks', '/audit', '/trash'],
    },
  ],
];
