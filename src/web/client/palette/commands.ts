import type { Role } from '../../../kernel/access/roles.ts';
import { type Command, commandGroups, filterAvailableCommands } from '../../pages/search/commands.ts';
import { getScreenUrl, getWorkspaceBase } from '../screen-url.ts';
import { buildIcon, type PaletteItem } from './palette-item.ts';
import { openQuickCreate } from './quick-create.ts';

const themes = [
  ['system', 'Use the system theme'],
  ['light', 'Use the light theme'],
  ['dark', 'Use the dark theme'],
] as const;

export function listCommandItems(): PaletteItem[] {
  const role = document.getElementById('menu')?.dataset.role as Role;
  const timedTask = document.querySelector('form.running-timer') ? 1 : null;
  const listed = commandGroups.flatMap(([group, commands]) =>
    filterAvailableCommands(commands, { caller: { role }, timedTask }).map((command) =>
      toCommandItem(command, group),
    ),
  );
  return [...listed, ...listAppearanceItems(), ...listUndoItems()];
}

function toCommandItem(command: Command, group: PaletteItem['group']): PaletteItem {
  const { label, words, icon, key, path, isForm } = command;
  const item = { group, label, words, key, mark: buildIcon(icon) };
  if (key === 'c') return { ...item, run: () => openQuickCreate('', false) };
  if (path === '//sign-out') return { ...item, run: () => clickElement('.sign-out button') };
  if (isForm) return { ...item, run: () => submitForm(`${getWorkspaceBase()}${path}`) };
  return { ...item, address: toUrl(path) };
}

function toUrl(path: string): string {
  const base = getWorkspaceBase() ?? '';
  if (!path.startsWith('//')) return base + path;
  return path.slice(1).replace('WORKSPACE', base.split('/').at(-1) ?? '');
}

function listAppearanceItems(): PaletteItem[] {
  const theme = document.querySelector<HTMLElement>('[name="theme"][aria-pressed="true"]');
  const isNarrow = document.documentElement.classList.contains('narrow');
  const isSidebarShown = document.querySelector('#menu:not(:popover-open)')?.checkVisibility();
  return [
    ...themes
      .filter(([value]) => value !== theme?.getAttribute('value'))
      .map(
        ([value, label]): PaletteItem => ({
          group: 'Actions',
          label,
          words: 'appearance scheme color mode',
          mark: buildIcon('settings'),
          run: () => clickElement(`[name="theme"][value="${value}"]`),
        }),
      ),
    ...(isSidebarShown
      ? [
          {
            group: 'Actions',
            label: isNarrow ? 'Expand sidebar' : 'Collapse sidebar',
            words: 'toggle navigation',
            key: '[',
            mark: buildIcon('panel-left'),
            run: () => clickElement('[name="sidebar"]'),
          } as const,
        ]
      : []),
  ];
}

function listUndoItems(): PaletteItem[] {
  const hasSteps = sessionStorage.getItem(`edgework:undo:${getWorkspaceBase()?.split('/')[2]}`) !== null;
  if (!hasSteps) return [];
  const run = () =>
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true }));
  return [{ group: 'Actions', label: 'Undo the last action', key: 'z', mark: buildIcon('undo-2'), run }];
}

function clickElement(selector: string) {
  document.querySelector<HTMLElement>(selector)?.click();
}

function submitForm(action: string) {
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action, hidden: true });
  const csrf = document.querySelector<HTMLInputElement>('.sign-out [name="csrf"]')?.value ?? '';
  const formKey = `${Date.now()}.${Math.random()}`;
  for (const [name, value] of Object.entries({ csrf, once: formKey, back: getScreenUrl() })) {
    const field = document.createElement('input');
    Object.assign(field, { type: 'hidden', name, value });
    form.append(field);
  }
  document.body.append(form);
  document.addEventListener('edgework:settled', () => form.remove(), { once: true });
  form.requestSubmit();
}
