import { bufferKeys } from './buffer-keys.ts';
import { isEdited } from './edited-fields.ts';
import { isFirstCall } from './first-call.ts';
import { findPanelContent } from './regions.ts';
import { areSingleKeyShortcutsEnabled, isTypingTarget } from './single-keys.ts';

const pickerFieldByKey = { a: 'assignee', d: 'deadline', p: 'priority', l: 'tags', s: 'status' } as const;

/** Which picker to open. `list` and `date` are for fields without their own picker, and `filter` adds a filter. */
export type PickerField =
  | (typeof pickerFieldByKey)[keyof typeof pickerFieldByKey]
  | 'startDate'
  | 'date'
  | 'list'
  | 'filter';

export interface PickerTarget {
  /** The id of the task to save the value to. Empty in forms that aren't saved automatically, and for `filter`. */
  readonly task: string;
  readonly field: PickerField;
  readonly anchor: HTMLElement;
  readonly opener: HTMLElement;
  readonly control?: HTMLSelectElement | HTMLInputElement;
  /** Returns the text typed while the picker was loading. Afterwards, the picker receives the keys. */
  readonly takeTyped: () => string;
}

type PickerTargetBase = Omit<PickerTarget, 'takeTyped'>;

/** In a native list, browsers treat Space as text if it is pressed within a second of a letter, as in "To do". */
const TYPING_PAUSE_MS = 1_000;

let lastTypedAt = Number.NEGATIVE_INFINITY;

/** Opens a picker on click. Shortcuts open it for the focused row, card or chip, and on the task's page. */
export function enablePickers() {
  if (!isFirstCall('pickers')) return;
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target.closest<HTMLElement>('[data-pick], .chip, .chip > button');
    if (link?.matches('.chip > button')) return removeFilter(link);
    const pickerTarget = link && (findChipTarget(link) ?? findLinkTarget(link));
    if (!pickerTarget) return;
    event.preventDefault();
    void openPicker(pickerTarget);
  });
  document.addEventListener('keydown', handleKey);
  for (const name of ['input', 'reset', 'edgework:morphed', 'edgework:unsent'])
    document.addEventListener(name, (event) => void showEditedValues(event));
  document.addEventListener('focusout', ({ target }) => {
    if (target instanceof Element) target.closest('.chip')?.classList.remove('typing');
  });
}

function handleKey(event: KeyboardEvent) {
  const { key, target, ctrlKey, metaKey, altKey, defaultPrevented } = event;
  if (ctrlKey || metaKey || defaultPrevented || !(target instanceof HTMLElement)) return;
  const chip = target.closest<HTMLElement>('.chip');
  if (chip && isTypingTarget(target)) return handleChipKey(event, chip, target);
  if (altKey || isTypingTarget(target)) return;
  const field = (pickerFieldByKey as Record<string, PickerField | undefined>)[key];
  const pickerTarget = field && areSingleKeyShortcutsEnabled() ? findFieldTarget(target, field) : null;
  if (!pickerTarget) return;
  event.preventDefault();
  void openPicker(pickerTarget);
}

/**
 * Space, F4, or Alt with ↓ opens the picker of a focused chip. So does Enter if the chip's native control is a list.
 * Other keys go to that control.
 */
function handleChipKey(event: KeyboardEvent, chip: HTMLElement, control: HTMLElement) {
  const { key, altKey } = event;
  const isList = control instanceof HTMLSelectElement;
  const isLetter = key.length === 1 && key !== ' ' && !altKey;
  // A chip for adding people doesn't show the value of its native list, so typing and arrow keys also open the picker.
  const isAdding = chip.matches('[data-without]') && (isLetter || key === 'ArrowDown' || key === 'ArrowUp');
  const isSpaceInText = isList && key === ' ' && event.timeStamp - lastTypedAt < TYPING_PAUSE_MS;
  if (key !== 'Shift') lastTypedAt = isLetter || isSpaceInText ? event.timeStamp : Number.NEGATIVE_INFINITY;
  if (isSpaceInText) return;
  const isOpening =
    isAdding || key === ' ' || key === 'F4' || (altKey && key === 'ArrowDown') || (isList && key === 'Enter');
  if (isOpening && !chip.matches('.typing')) {
    const pickerTarget = findChipTarget(chip);
    if (!pickerTarget) return;
    event.preventDefault();
    void openPicker(pickerTarget, isAdding && isLetter ? key : '');
  } else if (!isList && !['Enter', 'Escape', 'Tab', 'Shift', 'Alt'].includes(key)) {
    // Shows the native control, which is transparent until then.
    chip.classList.add('typing');
  }
}

function findChipTarget(element: HTMLElement): PickerTargetBase | null {
  const chip = element.closest('.chip');
  const anchor = chip?.querySelector<HTMLElement>('[data-pick]');
  const control = chip?.querySelector<HTMLInputElement | HTMLSelectElement>(
    'select, input:not([type="hidden"])',
  );
  if (!chip || !anchor || !control) return null;
  const isSaved = control.form?.matches('[data-auto][method="post"]') ?? false;
  const task = isSaved ? (chip.closest<HTMLElement>('[data-task]')?.dataset.task ?? '') : '';
  return { task, field: anchor.dataset.pick as PickerField, anchor, opener: control, control };
}

function removeFilter(button: HTMLElement) {
  const control = findChipTarget(button)?.control;
  if (!control) return;
  const form = control.form;
  control.value = '';
  form?.requestSubmit();
  // The focused button disappears together with the chip.
  form?.querySelector<HTMLElement>('[data-pick="filter"]')?.focus();
}

function findLinkTarget(link: HTMLElement): PickerTargetBase | null {
  const field = link.dataset.pick as PickerField | undefined;
  if (field === undefined) return null;
  if (field === 'filter') return { task: '', field, anchor: link, opener: link };
  const row = link.closest<HTMLElement>('li, tr');
  const task = row && findRowTaskId(row);
  return task ? { task, field, anchor: link, opener: link } : null;
}

/** @param focused an element inside a row or card, which determines the task, or any element of a task page */
export function findFieldTarget(focused: HTMLElement, field: PickerField): PickerTargetBase | null {
  const row = focused.closest<HTMLElement>('li, tr');
  if (row) {
    const task = findRowTaskId(row);
    const anchor = row.querySelector<HTMLElement>(`[data-pick="${field}"]`) ?? row;
    return task === null || field === 'status' ? null : { task, field, anchor, opener: focused };
  }
  const page =
    focused.closest<HTMLElement>('article[data-task]') ??
    (findPanelContent() ?? document.querySelector('main'))?.querySelector<HTMLElement>('article[data-task]');
  const chipValue = page?.querySelector<HTMLElement>(`.chip > [data-pick="${field}"]`);
  const pickerTarget = chipValue && findChipTarget(chipValue);
  return pickerTarget ? { ...pickerTarget, opener: focused } : null;
}

async function showEditedValues({ target }: Event) {
  const chips = [...document.querySelectorAll<HTMLElement>('.chip:not(.filters *, [data-without])')].filter(
    (chip) => {
      const control = findChipTarget(chip)?.control;
      return control && (control === target || isEdited(control));
    },
  );
  if (chips.length === 0) return;
  const module = await loadPicker();
  for (const chip of chips) module?.showChipValue(chip);
}

export function findRowTaskId(row: HTMLElement): string | null {
  const { id = '' } = row.id ? row : (row.querySelector<HTMLElement>('[id^="task-"]') ?? {});
  return /^(?:panel-)?(?:sub)?task-(\d+)$/.exec(id)?.[1] ?? null;
}

interface PickerModule {
  readonly loadStyles: () => Promise<unknown>;
  readonly openPicker: (target: PickerTarget) => void;
  readonly showChipValue: (chip: HTMLElement) => void;
}

async function loadPicker(): Promise<PickerModule | null> {
  const address = document.querySelector<HTMLElement>('.pickers')?.dataset.module;
  return address ? import(address) : null;
}

/** @param typed the text that precedes the keys typed while the picker is loading */
export async function openPicker(target: PickerTargetBase, typed = '') {
  const keys = bufferKeys();
  try {
    const module = await loadPicker();
    if (!module) return void keys.take();
    await module.loadStyles();
    if (!keys.isCanceled()) module.openPicker({ ...target, takeTyped: () => typed + keys.take() });
  } catch {
    keys.take();
    if (target.anchor instanceof HTMLAnchorElement) location.assign(target.anchor.href);
  }
}
