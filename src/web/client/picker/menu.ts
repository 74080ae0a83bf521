import type { PickerTarget } from '../pickers.ts';
import { showToast } from '../toast.ts';

const DEBOUNCE_MS = 120;
const GAP_PX = 4;
const MARGIN_PX = 8;

export interface MenuChoice {
  readonly value: string;
  readonly label: string;
  readonly note?: string;
  readonly mark?: Element | null;
  /** Displayed in the row or card until the page is refreshed. Defaults to the mark and the label. */
  readonly shown?: Element;
  readonly isCurrent?: boolean;
}

export interface MenuOptions {
  readonly label: string;
  readonly placeholder: string;
  readonly list: (text: string) => readonly MenuChoice[];
  /** Searches the server. Afterwards, `list` includes the results. */
  readonly search?: (text: string) => Promise<void>;
  readonly choose: (choice: MenuChoice) => void;
  /** If true, choosing keeps the menu open, and `isCurrent` marks the selected choices. */
  readonly isMultiple?: boolean;
  readonly onClose?: () => void;
  readonly hint?: string;
  /** Displayed below the list. Tab moves between the search field and this element. */
  readonly footer?: HTMLElement;
  readonly onInput?: (text: string) => void;
}

let closeMenu: (() => void) | null = null;

export function openMenu({ anchor, opener, task, takeTyped }: PickerTarget, options: MenuOptions) {
  closeMenu?.();
  const menu = document.createElement('div');
  Object.assign(menu, { className: 'picker', popover: 'auto', role: 'dialog', ariaLabel: options.label });
  const list = document.createElement('ul');
  Object.assign(list, { id: 'picker-list', role: 'listbox', ariaLabel: options.label });
  if (options.isMultiple) list.ariaMultiSelectable = 'true';
  const field = buildSearchField(options);
  const empty = document.createElement('p');
  Object.assign(empty, { className: 'hint', textContent: options.hint ?? 'No matches' });
  menu.append(field, list, empty, options.footer ?? '');
  let choices: readonly MenuChoice[] = [];
  let highlighted = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const highlight = (to: number) => {
    highlighted = choices.length === 0 ? 0 : (to + choices.length) % choices.length;
    for (const [index, each] of [...list.children].entries()) {
      each.classList.toggle('active', index === highlighted);
      if (!options.isMultiple) each.ariaSelected = String(index === highlighted);
    }
    const option = list.children[highlighted];
    option?.scrollIntoView({ block: 'nearest' });
    field.setAttribute('aria-activedescendant', option?.id ?? '');
  };
  const render = () => {
    choices = options.list(field.value.trim());
    list.replaceChildren(...choices.map((choice, index) => renderOption(choice, index, options)));
    list.hidden = choices.length === 0;
    empty.hidden = choices.length > 0;
    highlight(0);
  };
  const search = async () => {
    const text = field.value.trim();
    await options.search?.(text);
    if (!menu.isConnected || field.value.trim() !== text) return;
    render();
    if (text) showToast(`${choices.length} found`, { isShown: false });
  };
  const close = (hasFocus = true) => {
    if (closeMenu !== closeThisMenu) return;
    closeMenu = null;
    clearTimeout(timer);
    menu.remove();
    options.onClose?.();
    if (hasFocus) focusOpener(opener, task);
  };
  const closeThisMenu = () => close();
  const choose = (choice: MenuChoice | undefined) => {
    if (!choice) return;
    if (!options.isMultiple) close();
    options.choose(choice);
    if (!options.isMultiple) return;
    const at = highlighted;
    const { value } = field;
    field.value = '';
    render();
    if (value === '') highlight(at);
  };

  field.addEventListener('input', () => {
    render();
    options.onInput?.(field.value.trim());
    clearTimeout(timer);
    if (options.search) timer = setTimeout(() => void search(), DEBOUNCE_MS);
  });
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  list.addEventListener('click', ({ target }) => {
    const option = target instanceof Element ? target.closest('[role="option"]') : null;
    if (option) choose(choices[[...list.children].indexOf(option)]);
  });
  menu.addEventListener('keydown', (event) => {
    // Prevents Escape from also closing the task panel.
    event.stopPropagation();
    const { key, isComposing } = event;
    if (isComposing || event.defaultPrevented) return;
    if (key === 'Escape') close();
    else if (key === 'Tab') {
      if (moveFocusInMenu(event, menu, options.footer)) return;
      // The browser then moves focus from the opener to the next element.
      close();
      return;
    } else if (event.target !== field) return;
    else if (key === 'ArrowDown') highlight(highlighted + 1);
    else if (key === 'ArrowUp') highlight(highlighted - 1);
    else if (key === 'Home') highlight(0);
    else if (key === 'End') highlight(-1);
    else if (key === 'Enter') choose(choices[highlighted]);
    else return;
    event.preventDefault();
  });
  menu.addEventListener('toggle', (event) => {
    // A click outside closes the menu. The opener gets the focus only if the click didn't move it elsewhere.
    if (event.newState === 'closed') close(document.activeElement === document.body);
  });

  closeMenu = closeThisMenu;
  field.value = takeTyped();
  render();
  document.body.append(menu);
  menu.showPopover();
  positionMenu(menu, anchor);
  highlight(0);
  field.focus();
  void search();
  return { choose };
}

function buildSearchField({ label, placeholder }: MenuOptions): HTMLInputElement {
  const field = document.createElement('input');
  Object.assign(field, { type: 'text', role: 'combobox', placeholder, ariaLabel: label, maxLength: 200 });
  Object.assign(field, { autocomplete: 'off', spellcheck: false, ariaExpanded: 'true' });
  field.setAttribute('aria-controls', 'picker-list');
  field.setAttribute('aria-autocomplete', 'list');
  return field;
}

function renderOption(
  { label, note, mark, isCurrent }: MenuChoice,
  index: number,
  { isMultiple }: MenuOptions,
): HTMLElement {
  const option = document.createElement('li');
  Object.assign(option, { id: `picker-option-${index}`, role: 'option' });
  if (isMultiple) option.ariaSelected = String(isCurrent ?? false);
  else if (isCurrent) option.setAttribute('aria-current', 'true');
  const text = document.createElement('bdi');
  text.textContent = label;
  option.append(mark?.cloneNode(true) ?? '', text);
  if (note) {
    const small = document.createElement('small');
    small.textContent = note;
    option.append(small);
  }
  return option;
}

/** Returns false if Tab must leave the menu. */
function moveFocusInMenu(event: KeyboardEvent, menu: HTMLElement, footer: HTMLElement | undefined): boolean {
  if (!footer) return false;
  const stops = [...menu.querySelectorAll<HTMLElement>('input, button:not([tabindex="-1"])')];
  const at = stops.indexOf(event.target as HTMLElement);
  stops[(at + (event.shiftKey ? -1 : 1) + stops.length) % stops.length]?.focus();
  event.preventDefault();
  return true;
}

/** A refresh may have replaced the opener. */
function focusOpener(opener: HTMLElement, task: string) {
  const row = document.getElementById(`task-${task}`);
  const next = opener.isConnected ? opener : (row?.querySelector<HTMLElement>('a') ?? row);
  next?.focus({ preventScroll: true });
}

function positionMenu(menu: HTMLElement, anchor: HTMLElement) {
  const { left, top, bottom } = anchor.getBoundingClientRect();
  const { offsetWidth, offsetHeight, style } = menu;
  const lowest = window.innerHeight - offsetHeight - MARGIN_PX;
  const fitsBelow = bottom + GAP_PX <= lowest;
  const y = fitsBelow ? bottom + GAP_PX : top - GAP_PX - offsetHeight;
  style.top = `${Math.max(MARGIN_PX, Math.min(y, lowest))}px`;
  style.left = `${Math.max(MARGIN_PX, Math.min(left, window.innerWidth - offsetWidth - MARGIN_PX))}px`;
}
