import { isFirstCall } from './first-call.ts';
import { holdKeys } from './hold-keys.ts';
import { findPanelContent } from './regions.ts';
import { areSingleKeyShortcutsEnabled, isTypingTarget } from './single-keys.ts';

const pickedFieldByKey = { a: 'assignee', d: 'deadline', p: 'priority', l: 'tags' } as const;

const inputNames = {
  assignee: 'assigneeId',
  deadline: 'deadline',
  priority: 'priority',
  tags: 'tags',
} as const;

export type PickedField = (typeof pickedFieldByKey)[keyof typeof pickedFieldByKey];

export interface PickTarget {
  readonly task: string;
  readonly field: PickedField;
  /** The picker opens next to this element. */
  readonly anchor: HTMLElement;
  /** The element that gets focus when the picker closes. */
  readonly opener: HTMLElement;
  /** Returns the text typed while the picker was loading. Afterwards, the picker receives the keys. */
  readonly takeTyped: () => string;
}

/**
 * Opens a picker for a task's value on click. Shortcuts open it for the focused row or card, and on the task's page.
 */
export function enablePickers() {
  if (!isFirstCall('pickers')) return;
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-pick]') : null;
    const row = link?.closest<HTMLElement>('li, tr');
    const task = row && findTaskOfRow(row);
    if (!link || !task || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void openPicker({ task, field: link.dataset.pick as PickedField, anchor: link, opener: link });
  });
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || isTypingTarget(target) || !(target instanceof HTMLElement)) return;
    const field = (pickedFieldByKey as Record<string, PickedField | undefined>)[key];
    const found = field && areSingleKeyShortcutsEnabled() ? findTarget(target, field) : null;
    if (!found) return;
    event.preventDefault();
    void openPicker(found);
  });
}

/** @param focused an element inside a row or card, which determines the task, or any element of a task page */
export function findTarget(focused: HTMLElement, field: PickedField): Omit<PickTarget, 'takeTyped'> | null {
  const row = focused.closest<HTMLElement>('li, tr');
  if (row) {
    const task = findTaskOfRow(row);
    const anchor = row.querySelector<HTMLElement>(`[data-pick="${field}"]`) ?? row;
    return task === null ? null : { task, field, anchor, opener: focused };
  }
  const page =
    focused.closest<HTMLElement>('article[data-task]') ??
    (findPanelContent() ?? document.querySelector('main'))?.querySelector<HTMLElement>('article[data-task]');
  const anchor = page?.querySelector<HTMLElement>(`[name="${inputNames[field]}"]:not([type="hidden"])`);
  const task = page?.dataset.task;
  return task && anchor ? { task, field, anchor, opener: anchor } : null;
}

export function findTaskOfRow(row: HTMLElement): string | null {
  const { id = '' } = row.id ? row : (row.querySelector<HTMLElement>('[id^="task-"]') ?? {});
  return /^(?:panel-)?(?:sub)?task-(\d+)$/.exec(id)?.[1] ?? null;
}

/** The exports of src/web/client/picker/picker.ts. */
interface PickerModule {
  readonly loadStyles: () => Promise<unknown>;
  readonly openPicker: (target: PickTarget) => void;
}

export async function openPicker(target: Omit<PickTarget, 'takeTyped'>) {
  const address = document.querySelector<HTMLElement>('.pickers')?.dataset.module;
  if (!address) return;
  const keys = holdKeys();
  try {
    const module: PickerModule = await import(address);
    await module.loadStyles();
    if (!keys.isCanceled()) module.openPicker({ ...target, takeTyped: keys.take });
  } catch {
    keys.take();
    if (target.anchor instanceof HTMLAnchorElement) location.assign(target.anchor.href);
  }
}
