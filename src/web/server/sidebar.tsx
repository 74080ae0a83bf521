import { Icon } from '../components/icon.tsx';
import { LetterTile } from '../components/letter-tile.tsx';
import { assets } from '../page-model/assets.ts';
import type { Visit } from '../page-model/page.ts';
import { toFilterUrl } from '../pages/saved-filters/filter-url.ts';
import {
  allProjectsItem,
  allTasksItem,
  getAriaCurrent,
  mainNavigation,
  moreNavigation,
  type NavigationItem,
} from './navigation.ts';
import { PersonMenu } from './person-menu.tsx';
import type { FrameAnswers } from './workspace-frame.tsx';

const newTaskPath = '/tasks/new?assignee=me';

interface SidebarProps {
  visit: Visit;
  unread: number;
  lists: FrameAnswers['sidebar'];
}

export function Sidebar({ visit, unread, lists }: SidebarProps) {
  const { base, caller, address } = visit;
  const { projects = [], filters = [] } = lists ?? {};
  const [path = '', text] = address.split('?');
  const query = new URLSearchParams(text);
  const listedProject = path === `${base}/tasks` ? query.get('project') || null : null;
  // The sidebar highlights a project on its task list as well as on its board.
  const here = listedProject === null ? path : `${base}/projects/${listedProject}`;
  const listedFilter = filters.find(({ id }) => String(id) === query.get('filter'));
  const listed = projects.find(({ id }) => `${here}/`.startsWith(`${base}/projects/${id}/`));
  const renderLink = (item: NavigationItem, isElsewhere = false) => (
    <NavigationLink
      item={item}
      base={base}
      current={isElsewhere ? undefined : getAriaCurrent(here, base, item)}
      unread={item.path === '/inbox' ? unread : 0}
    />
  );
  return (
    <div
      id="menu"
      popover="auto"
      class="sidebar"
      data-role={caller.role}
      data-palette={assets.palette}
      data-palette-styles={assets.paletteStyles}
    >
      <nav aria-label="Workspace">
        <div class="sidebar-header">
          <a class="workspace" href="/app/workspaces" title="Switch workspace">
            <LetterTile name={caller.workspaceName} of={caller.workspaceId} />
            <bdi class="label">{caller.workspaceName}</bdi>
            <Icon name="chevrons-up-down" />
          </a>
          <a
            class="sidebar-button"
            href={`${base}/search`}
            data-opens="palette"
            aria-keyshortcuts="Control+K"
            title="Command palette (Ctrl K)"
          >
            <Icon name="command" />
            <span class="label off-screen">Command palette</span>
          </a>
          <a
            class="sidebar-button"
            href={`${base}${newTaskPath}`}
            data-opens="quick-create"
            aria-keyshortcuts="c"
            title="Quick create (c)"
          >
            <Icon name="plus" />
            <span class="label off-screen">Quick create</span>
          </a>
        </div>
        <ul class="nav-links">{mainNavigation.map((item) => renderLink(item))}</ul>
        <p class="nav-title" id="nav-projects">
          Projects
        </p>
        <ul class="nav-links" aria-labelledby="nav-projects">
          {projects.map(({ id, name }) => (
            <li>
              <a
                href={`${base}/projects/${id}`}
                aria-current={
                  listed?.id !== id ? undefined : path === `${base}/projects/${id}` ? 'page' : 'true'
                }
              >
                <LetterTile name={name} of={String(id)} />
                <bdi class="label">{name}</bdi>
              </a>
            </li>
          ))}
          {renderLink(allProjectsItem, listed !== undefined)}
        </ul>
        <p class="nav-title" id="nav-tasks">
          Tasks
        </p>
        <ul class="nav-links" aria-labelledby="nav-tasks">
          {renderLink(allTasksItem, listedFilter !== undefined || listedProject !== null)}
          {filters.map((filter) => (
            <li>
              <a
                href={`${base}${toFilterUrl(filter)}`}
                aria-current={filter === listedFilter ? 'page' : undefined}
              >
                <Icon name="list-filter" />
                <bdi class="label">{filter.name}</bdi>
              </a>
            </li>
          ))}
        </ul>
        <ul class="nav-links">{moreNavigation.map((item) => renderLink(item))}</ul>
      </nav>
      <PersonMenu visit={visit} />
    </div>
  );
}

interface NavigationLinkProps {
  item: NavigationItem;
  base: string;
  current: 'page' | 'true' | undefined;
  unread: number;
}

function NavigationLink({ item: { path, icon, label, key }, base, current, unread }: NavigationLinkProps) {
  return (
    <li>
      <a href={base + path} aria-current={current} aria-keyshortcuts={key}>
        <Icon name={icon} />
        <span class="label">{label}</span>
        {unread > 0 ? <UnreadCount unread={unread} /> : null}
        {key ? <kbd>{key}</kbd> : null}
      </a>
    </li>
  );
}

/** If there are more unread notifications, "99+" is shown, because the app doesn't count all of them. */
const UNREAD_SHOWN_MAX = 99;

function UnreadCount({ unread }: { unread: number }) {
  const text = unread > UNREAD_SHOWN_MAX ? `${UNREAD_SHOWN_MAX}+` : String(unread);
  return (
    <span class="count" title={`${text} unread`}>
      {text}
    </span>
  );
}

export function BottomBar({ visit: { base, address }, unread }: Omit<SidebarProps, 'lists'>) {
  const [path = ''] = address.split('?');
  const add: NavigationItem = { path: newTaskPath, icon: 'plus', label: 'Add' };
  return (
    <nav id="bottom" class="bottom-bar" aria-label="Shortcuts">
      {[...mainNavigation, add].map((item) => (
        <a
          href={base + item.path}
          aria-current={getAriaCurrent(path, base, item)}
          data-opens={item === add ? 'quick-create' : item.path === '/search' ? 'palette' : undefined}
        >
          <Icon name={item.icon} />
          <span>{item.label}</span>
          {item.path === '/inbox' && unread > 0 ? <UnreadCount unread={unread} /> : null}
        </a>
      ))}
      <button type="button" popovertarget="menu">
        <Icon name="menu" />
        <span>Menu</span>
      </button>
    </nav>
  );
}
