import { areSingleKeyShortcutsEnabled, isTypingTarget } from './single-keys.ts';

const pickedFieldByKey = { a: 'assignee', d: 'deadline', p: 'priority', l: 'tags' } as const;

export type PickedField = (typeof pickedFieldByKey)[keyof typeof pickedFieldByKey];

export interface PickTarget {
  readonly task: string;
  readonly field: PickedField;
  /** The picker opens next to this element. */
  readonly anchor: HTMLElement;
  /** Gets the focus when the picker closes. */
  readonly opener: HTMLElement;
}

/** Opens a picker for a task's value on click, or by key for the focused row or card. */
export function enablePickers() {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-pick]') : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void openPicker(link.dataset.pick as PickedField, link, link);
  });
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || isTypingTarget(target) || !(target instanceof HTMLElement)) return;
    const field = (pickedFieldByKey as Record<string, PickedField | undefined>)[key];
    const row = target.closest<HTMLElement>('li, tr');
    if (!field || !row || findTask(row) === null || !areSingleKeyShortcutsEnabled()) return;
    event.preventDefault();
    void openPicker(field, row.querySelector<HTMLElement>(`[data-pick="${field}"]`) ?? row, target);
  });
}

function findTask(row: HTMLElement): string | null {
  const { id = '' } = row.id ? row : (row.querySelector<HTMLElement>('[id^="task-"]') ?? {});
  return /^task-(\d+)$/.exec(id)?.[1] ?? null;
}

async function openPicker(field: PickedField, anchor: HTMLElement, opener: HTMLElement) {
  const row = anchor.closest<HTMLElement>('li, tr');
  const task = row && findTask(row);
  const address = document.getElementById('pickers')?.dataset.module;
  if (!task || !address) return;
  try {
    const module: { openPicker: (target: PickTarget) => void } = await import(address);
    module.openPicker({ task, field, anchor, opener });
  } catch {
    if (anchor instanceof HTMLAnchorElement) location.assign(anchor.href);
  }
}
