import { getScreen } from '../regions.ts';
import { listCommandItems } from './commands.ts';
import { groupItems, groupMatches, type ItemGroup } from './group-items.ts';
import { buildPalette, renderGroups } from './palette-elements.ts';
import type { PaletteItem } from './palette-item.ts';
import {
  findCurrentTask,
  listRecentItems,
  listScreenItems,
  listSelectionItems,
  listSidebarItems,
  listTaskItems,
} from './screen-items.ts';
import { searchServer } from './search-server.ts';

const DEBOUNCE_MS = 120;
const SEARCHING_DELAY_MS = 300;

let palette: Palette | null = null;

export function openPalette(typed: string, isEntered: boolean) {
  if (palette) palette.focus();
  else palette = new Palette(typed, isEntered);
}

class Palette {
  readonly #elements;
  readonly #opener: HTMLElement | null;
  readonly #localItems: readonly PaletteItem[];
  readonly #currentName: string | undefined;
  readonly #resultsByText = new Map<string, readonly PaletteItem[] | null>();
  #items: readonly PaletteItem[] = [];
  #highlighted = 0;
  #isChosen = false;
  #isEnterPending: boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #statusTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(typed: string, isEntered: boolean) {
    const { activeElement } = document;
    this.#opener =
      activeElement instanceof HTMLElement && activeElement !== document.body ? activeElement : null;
    const current = findCurrentTask(activeElement);
    this.#currentName = current?.name;
    this.#localItems = [
      ...listSelectionItems(),
      ...listRecentItems(current),
      ...(current ? listTaskItems(current, this.#opener ?? document.body) : []),
      ...listScreenItems(),
      ...listCommandItems(),
      ...listSidebarItems(),
    ];
    this.#isEnterPending = isEntered;
    this.#elements = buildPalette(typed);
    this.#addListeners();
    document.body.append(this.#elements.dialog);
    this.#render();
    this.#elements.dialog.showModal();
    this.#elements.field.focus();
    if (typed) void this.#search();
    this.#runPendingEnter();
  }

  focus() {
    this.#elements.field.focus();
    this.#elements.field.select();
  }

  #addListeners() {
    const { dialog, field, list, close } = this.#elements;
    field.addEventListener('input', () => {
      this.#isChosen = false;
      this.#isEnterPending = false;
      this.#render();
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#search(), DEBOUNCE_MS);
    });
    dialog.addEventListener('keydown', (event) => this.#handleKey(event));
    dialog.addEventListener('close', () => this.#close());
    close.addEventListener('click', () => this.#close());
    dialog.addEventListener('click', ({ target }) => {
      if (target === dialog) this.#close();
    });
    list.addEventListener('pointerdown', (event) => event.preventDefault());
    for (const name of ['click', 'auxclick'] as const)
      list.addEventListener(name, (event) => {
        const { target, button, ctrlKey, metaKey } = event;
        const option = target instanceof Element ? target.closest('[role="option"]') : null;
        if (!option || button > 1) return;
        this.#choose(this.#listOptions().indexOf(option), ctrlKey || metaKey || button === 1);
      });
  }

  /** Doesn't wait for the browser's close event, which can come after the next key press. */
  #close() {
    const { dialog } = this.#elements;
    if (!dialog.isConnected) return;
    clearTimeout(this.#timer);
    clearTimeout(this.#statusTimer);
    dialog.close();
    dialog.remove();
    palette = null;
    this.#opener?.focus({ preventScroll: true });
  }

  #handleKey(event: KeyboardEvent) {
    const { key, isComposing, ctrlKey, metaKey, altKey } = event;
    if (!((ctrlKey || metaKey) && key === 'k')) event.stopPropagation();
    if (isComposing || altKey) return;
    const isEmpty = this.#elements.field.value === '';
    if (key === 'Escape') this.#close();
    else if (event.target !== this.#elements.field) return;
    else if (key === 'ArrowDown') this.#moveHighlight(this.#highlighted + 1);
    else if (key === 'ArrowUp') this.#moveHighlight(this.#highlighted - 1);
    else if (key === 'Home' && isEmpty) this.#moveHighlight(0);
    else if (key === 'End' && isEmpty) this.#moveHighlight(-1);
    else if (key === 'Enter') this.#handleEnter(ctrlKey || metaKey);
    else return;
    event.preventDefault();
  }

  #handleEnter(isNewTab: boolean) {
    const isWaiting = this.#text !== '' && !this.#hasServerResults() && this.#items.length <= 1;
    if (isWaiting && !this.#isChosen) this.#isEnterPending = true;
    else this.#choose(this.#highlighted, isNewTab);
  }

  #runPendingEnter() {
    if (!this.#isEnterPending) return;
    this.#isEnterPending = false;
    this.#handleEnter(false);
  }

  get #text(): string {
    return this.#elements.field.value.trim();
  }

  #hasServerResults(): boolean {
    return this.#resultsByText.has(this.#text);
  }

  async #search() {
    const text = this.#text;
    clearTimeout(this.#statusTimer);
    if (text === '' || this.#resultsByText.get(text)) return;
    this.#statusTimer = setTimeout(() => this.#showStatus('Searching…'), SEARCHING_DELAY_MS);
    const results = await searchServer(text);
    // A late response must not replace newer results, but is kept in case the person types the same text again.
    if (results || !this.#resultsByText.has(text)) this.#resultsByText.set(text, results);
    if (!palette || text !== this.#text) return;
    clearTimeout(this.#statusTimer);
    this.#render();
    this.#showStatus(
      results
        ? this.#describeNoResults()
        : "Couldn't search tasks, projects and people. Commands still work.",
    );
    this.#runPendingEnter();
  }

  #render() {
    const text = this.#text;
    const before = this.#items[this.#highlighted];
    const results = this.#resultsByText.get(text) ?? (this.#hasServerResults() ? [] : null);
    const groups = text === '' ? groupItems(this.#localItems) : groupMatches(text, this.#localItems, results);
    this.#items = groups.flatMap(({ items }) => items);
    renderGroups(this.#elements.list, this.#addGroupTitles(groups), text);
    this.#showStatus('');
    const same = this.#items.findIndex(
      ({ label, address }) => label === before?.label && address === before.address,
    );
    this.#highlight(this.#isChosen && same >= 0 ? same : 0);
    if (!this.#isChosen) this.#elements.list.scrollTop = 0;
  }

  #addGroupTitles(groups: readonly ItemGroup[]) {
    return groups.map(({ title, items }) => ({
      title: title === 'Task' ? (this.#currentName ?? title) : title,
      items,
    }));
  }

  #describeNoResults(): string {
    const { length } = this.#items;
    return length > 1 ? '' : `No results for “${this.#text}”.`;
  }

  #showStatus(text: string) {
    this.#elements.status.textContent = text;
  }

  #listOptions(): Element[] {
    return [...this.#elements.list.querySelectorAll('[role="option"]')];
  }

  #moveHighlight(to: number) {
    this.#isChosen = true;
    this.#highlight(to);
  }

  #highlight(to: number) {
    const options = this.#listOptions();
    this.#highlighted = options.length === 0 ? 0 : (to + options.length) % options.length;
    for (const [index, option] of options.entries())
      option.ariaSelected = String(index === this.#highlighted);
    const option = options[this.#highlighted];
    const isFirst = this.#highlighted === 0;
    // Scrolling to the top also shows the title of the first group.
    if (isFirst) this.#elements.list.scrollTop = 0;
    else option?.scrollIntoView({ block: 'nearest' });
    this.#elements.field.setAttribute('aria-activedescendant', option?.id ?? '');
  }

  #choose(index: number, isNewTab: boolean) {
    const item = this.#items[index];
    if (!item) return;
    if (isNewTab && item.address) {
      window.open(item.address, '_blank', 'noopener');
      return;
    }
    this.#close();
    if (item.address) followLink(item.address);
    else item.run?.();
  }
}

/** Clicks a temporary link, so that listeners can open a task in the panel, or cancel the visit while offline. */
function followLink(address: string) {
  const link = document.createElement('a');
  link.href = address;
  link.hidden = true;
  getScreen().append(link);
  link.click();
  link.remove();
}
