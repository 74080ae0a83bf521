import { type Capability, reachOf } from '../../../kernel/access/capabilities.ts';
import type { IconName } from '../../components/icon-names.ts';
import type { Visit } from '../../page-model/page.ts';
import { navigation } from '../../server/navigation.ts';

/** Something to begin, a place to go to, or something to do at once. */
export interface Command {
  readonly label: string;
  readonly icon: IconName;
  /** Finds it besides its label. */
  readonly words?: string;
  /** An address, or what sends it where it writes: within the workspace, or from the root where it begins with `//`. */
  readonly path: string;
  readonly isForm?: true;
  /** Where a form leads back to, if not to the search. */
  readonly back?: string;
  /** The capability it needs, if any. */
  readonly capability?: Capability;
  readonly isOffered?: (visit: Visit) => boolean;
}

const creations: readonly Command[] = [
  { label: 'New task', icon: 'plus', path: '/tasks/new?assignee=me', words: 'create add make' },
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

/** Every screen of the menu but the search itself. */
const ofMenu = navigation
  .flat()
  .filter(({ path }) => path !== '/search')
  .map(({ path, icon, label }): Command => ({ path, icon, label }));

const places: readonly Command[] = [
  ...ofMenu,
  { label: 'Board of all tasks', icon: 'square-kanban', path: '/board', words: 'kanban columns' },
  { label: 'Saved filters', icon: 'layout-list', path: '/filters', words: 'views' },
  { label: 'Time report', icon: 'clock', path: '/time-report', words: 'report tracked' },
  { label: 'Teams', icon: 'users', path: '/teams' },
  { label: 'Categories', icon: 'list', path: '/categories', words: 'types' },
  { label: 'Webhooks', icon: 'link', path: '/webhooks', capability: 'manageWebhooks' },
  { label: 'Mail settings', icon: 'inbox', path: '/inbox/mail', words: 'notifications email' },
  {
    label: 'Connected apps',
    icon: 'key-round',
    path: '//connected-apps?workspace=WORKSPACE',
    words: 'api keys agents',
  },
  {
    label: 'Your account',
    icon: 'circle-user-round',
    path: '//account',
    words: 'profile password name picture',
  },
  { label: 'Your workspaces', icon: 'folder-kanban', path: '//app/workspaces', words: 'switch change' },
  { label: 'Keyboard shortcuts', icon: 'keyboard', path: '/shortcuts', words: 'keys help hotkeys' },
  { label: 'Guides and API', icon: 'text-quote', path: '//docs', words: 'docs documentation help reference' },
];

const actions: readonly Command[] = [
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

/** The commands, as the page shows them while nothing is searched for. */
export const commandGroups = [
  ['Create', creations],
  ['Go to', places],
  ['Actions', actions],
] as const;

export function offeredOf(commands: readonly Command[], visit: Visit): readonly Command[] {
  return commands.filter(
    ({ capability, isOffered }) =>
      (capability === undefined || reachOf(visit.caller, capability) !== 'none') &&
      (isOffered?.(visit) ?? true),
  );
}

/**
 * The commands that have, for each word of the text, a word that begins with it, in any case and with any accents. First
 * come those whose label begins so, then other labels, then those that are only found by their further words.
 */
export function findCommands(text: string, visit: Visit): readonly Command[] {
  const asked = wordsOf(text);
  const [first] = asked;
  if (first === undefined) return [];
  const fits = (words: string) =>
    asked.every((begin) => wordsOf(words).some((word) => word.startsWith(begin)));
  const rankOf = ({ label, words = '' }: Command) => {
    if (fits(label)) return wordsOf(label)[0]?.startsWith(first) ? 0 : 1;
    return fits(`${label} ${words}`) ? 2 : null;
  };
  const all = commandGroups.flatMap(([, commands]) => offeredOf(commands, visit));
  const byRank = Map.groupBy(all, rankOf);
  return ([0, 1, 2] as const).flatMap((rank) => byRank.get(rank) ?? []);
}

function wordsOf(text: string): string[] {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
