import { copyText } from '../copy-buttons.ts';
import { findFieldTarget, findRowTaskId, openPicker, type PickerField } from '../pickers.ts';
import { listRecentTasks } from '../recent-tasks.ts';
import { findPanelContent, getScreen } from '../regions.ts';
import { getWorkspaceBase } from '../screen-url.ts';
import { buildIcon, buildMark, type PaletteItem } from './palette-item.ts';

const RECENT_SHOWN_MAX = 5;

const pickerItems: readonly (readonly [field: PickerField, label: string, key: string, icon: string])[] = [
  ['assignee', 'Assign to…', 'a', 'users'],
  ['deadline', 'Set deadline…', 'd', 'calendar'],
  ['priority', 'Set priority…', 'p', 'chevrons-up'],
  ['tags', 'Edit tags…', 'l', 'tag'],
];

export interface CurrentTask {
  readonly id: string;
  readonly name: string;
  readonly row: HTMLElement | null;
}

export function findCurrentTask(focused: Element | null): CurrentTask | null {
  const row = focused?.closest<HTMLElement>('li, tr') ?? null;
  const rowTaskId = row && findRowTaskId(row);
  if (row && rowTaskId) {
    const link = row.querySelector(`a[href$="/tasks/${rowTaskId}"]`);
    return { id: rowTaskId, name: link?.textContent?.trim() ?? '', row };
  }
  const page = findTaskPage();
  const id = page?.dataset.task;
  return page && id ? { id, name: page.querySelector('h1')?.textContent ?? '', row: null } : null;
}

const findTaskPage = () =>
  (findPanelContent() ?? getScreen()).querySelector<HTMLElement>('article[data-task]');

export function listTaskItems({ id, row }: CurrentTask, focused: HTMLElement): PaletteItem[] {
  const group = 'Task';
  const picking = pickerItems.flatMap(([field, label, key, icon]): PaletteItem[] => {
    const target = findFieldTarget(row ? focused : document.body, field);
    return target ? [{ group, label, key, mark: buildIcon(icon), run: () => void openPicker(target) }] : [];
  });
  if (!row) return [...picking, ...listTaskActionItems()];
  const complete = row.querySelector<HTMLButtonElement>('button.complete');
  const move = row.querySelector<HTMLElement>('a.move');
  const address = `${getWorkspaceBase()}/tasks/${id}`;
  const items: (PaletteItem | null)[] = [
    complete && {
      group,
      label: complete.value === 'completed' ? 'Mark complete' : 'Reopen',
      words: 'done finish',
      key: 'e',
      mark: buildIcon('check'),
      run: () => complete.click(),
    },
    ...picking,
    move && { group, label: 'Move to a column…', mark: buildIcon('square-kanban'), run: () => move.click() },
    {
      group,
      label: 'Move to another project…',
      mark: buildIcon('folder-kanban'),
      address: `${address}/project`,
    },
    {
      group,
      label: 'Copy link',
      words: 'url address share',
      mark: buildIcon('link'),
      run: () => void copyText(new URL(address, location.href).href),
    },
    { group, label: 'Open task', key: 'Enter', mark: buildIcon('maximize-2'), address },
  ];
  return items.filter((item) => item !== null);
}

function listTaskActionItems(): PaletteItem[] {
  const controls =
    findTaskPage()?.querySelectorAll<HTMLElement>('.task-title > button, .task-actions :is(button, a)') ?? [];
  return [...controls].map((control) => toControlItem(control, 'Task'));
}

/** The actions of the bar that the list shows while tasks are selected. */
export function listSelectionItems(): PaletteItem[] {
  const bar = getScreen().querySelector<HTMLElement>('form.bulk-bar');
  if (!bar || !getScreen().querySelector('input[name="ids"]:checked')) return [];
  const group = 'Selected tasks';
  const move = bar.querySelector<HTMLDetailsElement>('.bulk-move');
  const buttons = [...bar.querySelectorAll<HTMLButtonElement>(':scope > button[formaction]')];
  const clear = bar.querySelector<HTMLButtonElement>('button[type="reset"]');
  const items: (PaletteItem | null)[] = [
    move && {
      group,
      label: 'Move selected tasks to project…',
      mark: buildIcon('folder-kanban'),
      run: () => openMoveMenu(move),
    },
    ...buttons.map((button) => ({
      ...toControlItem(button, group),
      label: `${button.textContent?.trim()} selected tasks`,
    })),
    clear && { group, label: 'Clear selection', mark: buildIcon('x'), run: () => clear.click() },
  ];
  return items.filter((item) => item !== null);
}

function openMoveMenu(menu: HTMLDetailsElement) {
  menu.open = true;
  menu.querySelector<HTMLElement>('select')?.focus();
}

export function listScreenItems(): PaletteItem[] {
  const controls = getScreen().querySelectorAll<HTMLElement>(
    '.head:not(.task-head) :is(a, button):not([aria-current])',
  );
  return [...controls]
    .filter((control) => control.checkVisibility() && control.innerText.trim() !== '')
    .map((control) => toControlItem(control, 'This page'));
}

function toControlItem(control: HTMLElement, group: PaletteItem['group']): PaletteItem {
  const icon = control.querySelector('.icon')?.cloneNode(true) as Element | undefined;
  const mark = icon ?? buildIcon('corner-down-right');
  const item = { group, label: control.ariaLabel ?? control.textContent?.trim() ?? '', mark };
  if (control instanceof HTMLAnchorElement) return { ...item, address: control.href };
  return { ...item, run: () => control.click() };
}

export function listRecentItems(current: CurrentTask | null): PaletteItem[] {
  const here = `${getWorkspaceBase()}/tasks/${current?.id}`;
  return listRecentTasks()
    .filter(({ address }) => address !== here)
    .slice(0, RECENT_SHOWN_MAX)
    .map(({ address, name }) => ({
      group: 'Recent',
      label: name,
      note: `#${address.split('/').at(-1)}`,
      mark: buildIcon('clock'),
      address,
    }));
}

export function listSidebarItems(): PaletteItem[] {
  const links = document.querySelectorAll<HTMLAnchorElement>('#menu .nav-links a:has(bdi)');
  return [...links].map((link) => ({
    group: link.querySelector('.tile') ? 'Projects' : 'Filters',
    label: link.querySelector('bdi')?.textContent ?? '',
    mark: (link.querySelector('.tile, .icon')?.cloneNode(true) as Element | undefined) ?? buildMark('tile'),
    address: link.href,
  }));
}
