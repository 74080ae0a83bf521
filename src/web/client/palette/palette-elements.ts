import { splitWords } from '../../pages/search/rank.ts';
import { buildIcon, type PaletteItem } from './palette-item.ts';

const SEARCH_CHARACTERS_MAX = 200;

export interface PaletteElements {
  readonly dialog: HTMLDialogElement;
  readonly field: HTMLInputElement;
  readonly list: HTMLElement;
  readonly status: HTMLElement;
  readonly close: HTMLElement;
}

export function buildPalette(typed: string): PaletteElements {
  const dialog = document.createElement('dialog');
  Object.assign(dialog, { className: 'palette', ariaLabel: 'Command palette' });
  const head = document.createElement('div');
  head.className = 'palette-head';
  const field = document.createElement('input');
  Object.assign(field, { type: 'text', role: 'combobox', value: typed, maxLength: SEARCH_CHARACTERS_MAX });
  Object.assign(field, { autocomplete: 'off', spellcheck: false, ariaExpanded: 'true' });
  Object.assign(field, { placeholder: 'Search or run a command…', ariaLabel: 'Search or run a command' });
  field.enterKeyHint = 'go';
  field.setAttribute('aria-controls', 'palette-list');
  field.setAttribute('aria-autocomplete', 'list');
  const close = document.createElement('button');
  Object.assign(close, { type: 'button', className: 'quiet', ariaLabel: 'Close' });
  close.append(buildIcon('x') ?? '');
  head.append(buildIcon('search') ?? '', field, close);
  const list = document.createElement('div');
  Object.assign(list, { id: 'palette-list', role: 'listbox', ariaLabel: 'Results' });
  const status = document.createElement('p');
  Object.assign(status, { className: 'palette-status hint', role: 'status' });
  dialog.append(head, list, status, buildKeyHints());
  return { dialog, field, list, status, close };
}

function buildKeyHints(): HTMLElement {
  const keys = document.createElement('p');
  keys.className = 'palette-keys';
  keys.ariaHidden = 'true';
  for (const [names, effect] of [
    [[buildIcon('chevron-up'), buildIcon('chevron-down')], 'Select'],
    [['Enter'], 'Open'],
    [['Ctrl Enter'], 'New tab'],
    [['Esc'], 'Close'],
  ] as const) {
    const hint = document.createElement('span');
    hint.append(...names.map(buildKeyElement), ` ${effect}`);
    keys.append(hint);
  }
  return keys;
}

function buildKeyElement(keyLabel: string | Element | null): HTMLElement {
  const key = document.createElement('kbd');
  key.append(keyLabel ?? '');
  return key;
}

interface TitledGroup {
  readonly title: string;
  readonly items: readonly PaletteItem[];
}

export function renderGroups(list: HTMLElement, groups: readonly TitledGroup[], text: string) {
  let number = 0;
  const words = splitWords(text);
  list.replaceChildren(
    ...groups.map(({ title, items }, index) => {
      const group = document.createElement('div');
      group.role = 'group';
      if (title) group.append(buildGroupTitle(title, `palette-group-${index}`));
      if (title) group.setAttribute('aria-labelledby', `palette-group-${index}`);
      else group.ariaLabel = 'Search';
      for (const item of items) {
        group.append(renderOption(item, `palette-option-${number}`, words));
        number += 1;
      }
      return group;
    }),
  );
}

function buildGroupTitle(title: string, id: string): HTMLElement {
  const heading = document.createElement('div');
  Object.assign(heading, { id, className: 'palette-title', role: 'presentation' });
  const name = document.createElement('bdi');
  name.textContent = title;
  heading.append(name);
  return heading;
}

function renderOption(
  { label, note, mark, key }: PaletteItem,
  id: string,
  words: readonly string[],
): HTMLElement {
  const option = document.createElement('div');
  Object.assign(option, { id, role: 'option', ariaSelected: 'false' });
  const name = document.createElement('bdi');
  name.append(...highlightMatches(label, words));
  option.append(mark?.cloneNode(true) ?? '', name);
  if (note) {
    const small = document.createElement('small');
    small.textContent = note;
    option.append(small);
  }
  if (key) option.append(buildKeyElement(key));
  return option;
}

function highlightMatches(label: string, words: readonly string[]): (string | HTMLElement)[] {
  const typedWords = words.toSorted((one, other) => other.length - one.length);
  if (typedWords.length === 0) return [label];
  // `splitWords` leaves only letters and digits, so the words need no escaping.
  const pieces = label.split(new RegExp(`(?<![\\p{L}\\p{N}])(${typedWords.join('|')})`, 'giu'));
  return pieces.map((piece, index) => {
    if (index % 2 === 0) return piece;
    const matched = document.createElement('mark');
    matched.textContent = piece;
    return matched;
  });
}
