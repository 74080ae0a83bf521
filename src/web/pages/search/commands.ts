import { type Capability, getReach } from '../../../kernel/access/capabilities.ts';
import type { Role } from '../../../kernel/access/roles.ts';
import type { IconName } from '../../components/icon-names.ts';
import { navigation } from '../../server/navigation.ts';
import { GOOD_RANK_MIN, getRank } from './rank.ts';

export interface Command {
  readonly label: string;
  readonly icon: IconName;
  readonly words?: string;
  /** Relative to the workspace, or to the root if it starts with `//`. */
  readonly path: string;
  readonly isForm?: true;
  readonly back?: string;
  readonly capability?: Capability;
  readonly isOffered?: (visit: CommandVisit) => boolean;
  readonly key?: string;
}

/** The parts of `Visit` that the command palette's script also has. */
export interface CommandVisit {
  readonly caller: { readonly role: Role };
  readonly timedTask: number | null;
}

const createCommands: readonly Command[] = [
  { label: 'New task', icon: 'plus', path: '/tasks/new?assignee=me', words: 'create add make', key: 'c' },
  {
    label: 'New project',
    icon: 'plus',
    path: '/projects/new',
    words: 'create add make',
    capability: 'createProjects',
  },
  { label: 'New meeting', icon: 'plus', path: '/meetings/new', words: 'create plan schedule' },
  {
    label: 'Invite people',
    icon: 'plus',
    path: '/people#email',
    words: 'person people member add',
    capability: 'invitePeople',
  },
  { label: 'Log time', icon: 'plus', path: '/time#log-start', words: 'track hours entry' },
];

const sidebarCommands = navigation
  .filter(({ path }) => path !== '/search')
  .map(({ path, icon, label }): Command => ({ path, icon, label }));

const pageCommands: readonly Command[] = [
  ...sidebarCommands,
  { label: 'Board of all tasks', icon: 'square-kanban', path: '/board', words: 'kanban columns' },
  { label: 'Saved filters', icon: 'layout-list', path: '/filters', words: 'views' },
  { label: 'Time report', icon: 'clock', path: '/time-report', words: 'report tracked' },
  { label: 'Teams', icon: 'users', path: '/teams' },
  { label: 'Categories and types', icon: 'list', path: '/categories' },
  { label: 'Tags', icon: 'list', path: '/labels', words: 'labels colors' },
  { label: 'Custom fields', icon: 'list', path: '/fields', words: 'columns' },
  { label: 'Templates', icon: 'layout-template', path: '/templates', words: 'reuse copy' },
  { label: 'Blocked tasks', icon: 'list', path: '/tasks?blocked=true', words: 'dependencies waiting' },
  {
    label: 'Trash',
    icon: 'trash-2',
    path: '/trash',
    words: 'deleted restore bin',
    capability: 'deleteTasks',
  },
  { label: 'Webhooks', icon: 'link', path: '/webhooks', capability: 'manageWebhooks' },
  { label: 'Audit log', icon: 'search', path: '/audit', capability: 'readAudit' },
  { label: 'Notification settings', icon: 'inbox', path: '/inbox/mail', words: 'email preferences push' },
  {
    label: 'Connected apps',
    icon: 'key-round',
    path: '//connected-apps?workspace=WORKSPACE',
    words: 'api keys agents',
  },
  { label: 'Your apps', icon: 'key-round', path: '//account/apps', words: 'oauth developer client redirect' },
  {
    label: 'Your account',
    icon: 'circle-user-round',
    path: '//account',
    words: 'profile password name picture',
  },
  { label: 'Your workspaces', icon: 'folder-kanban', path: '//app/workspaces', words: 'switch change' },
  { label: 'Keyboard shortcuts', icon: 'keyboard', path: '/shortcuts', words: 'keys help hotkeys', key: '?' },
  { label: 'Docs', icon: 'text-quote', path: '//docs', words: 'api documentation guides help reference' },
];

const actionCommands: readonly Command[] = [
  {
    label: 'Stop timer',
    icon: 'square',
    path: '/timer/stop',
    words: 'end time',
    isForm: true,
    isOffered: ({ timedTask }) => timedTask !== null,
  },
  {
    label: 'Mark all as read',
    icon: 'check',
    path: '/inbox/read',
    words: 'inbox notifications unread',
    isForm: true,
    back: '/inbox',
  },
  { label: 'Sign out', icon: 'log-out', path: '//sign-out', words: 'log out leave', isForm: true },
];

export const commandGroups = [
  ['Create', createCommands],
  ['Go to', pageCommands],
  ['Actions', actionCommands],
] as const;

export function filterAvailableCommands(
  commands: readonly Command[],
  visit: CommandVisit,
): readonly Command[] {
  return commands.filter(
    ({ capability, isOffered }) =>
      (capability === undefined || getReach(visit.caller, capability) !== 'none') &&
      (isOffered?.(visit) ?? true),
  );
}

export function findCommands(text: string, visit: CommandVisit): readonly Command[] {
  const all = commandGroups.flatMap(([, commands]) => filterAvailableCommands(commands, visit));
  const ranked = all.map((command) => ({ command, found: getRank(text, command) }));
  return ranked
    .filter(({ found }) => found >= GOOD_RANK_MIN)
    .toSorted((one, other) => other.found - one.found)
    .map(({ command }) => command);
}
