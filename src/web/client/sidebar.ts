import { areSingleKeyShortcutsEnabled, isTypingTarget } from './single-keys.ts';

const YEAR_SECONDS = 365 * 86_400;
/** Must match `SIDEBAR_ITEMS_MAX` in src/search/lookup/sidebar.ts. */
const RECENT_PROJECTS_MAX = 6;

export function enableSidebar() {
  document.addEventListener('click', (event) => {
    const { target } = event;
    if (!(target instanceof Element) || !target.closest('[name="sidebar"]')) return;
    event.preventDefault();
    toggleSidebar();
    const buttons = [...document.querySelectorAll<HTMLElement>('[name="sidebar"]')];
    buttons.find((button) => button.checkVisibility())?.focus();
  });
  document.addEventListener('keydown', ({ key, target, ctrlKey, metaKey, altKey }) => {
    if (key !== '[' || ctrlKey || metaKey || altKey || isTypingTarget(target)) return;
    if (areSingleKeyShortcutsEnabled()) toggleSidebar();
  });
  rememberProject();
}

function toggleSidebar() {
  const isNarrow = document.documentElement.classList.toggle('narrow');
  setCookie('sidebar', isNarrow ? 'narrow' : 'wide', '/');
}

/** A listed project keeps its place, because people can't learn an order that changes with every click. */
function rememberProject() {
  const [base] = /^\/app\/[^/]+/.exec(location.pathname) ?? [];
  const project = document.querySelector<HTMLElement>('main [data-project]')?.dataset.project;
  if (!base || !project) return;
  const recentProjects = /(?:^|; )recent=([\d.]*)/.exec(document.cookie)?.[1]?.split('.') ?? [];
  if (recentProjects.includes(project)) return;
  setCookie('recent', [project, ...recentProjects].slice(0, RECENT_PROJECTS_MAX).join('.'), base);
}

function setCookie(name: string, value: string, path: string) {
  // biome-ignore lint/suspicious/noDocumentCookie: The oldest browsers that we support have no cookie store.
  document.cookie = `${name}=${value}; Path=${path}; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
}
