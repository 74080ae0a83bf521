import { getScreen } from '../regions.ts';
import { arrangeAll, arrangeMatches, type ShownGroup } from './arrange.ts';
import { listCommands } from './commands.ts';
import { findOnServer } from './find-on-server.ts';
import type { Item } from './item.ts';
import { buildPalette, renderGroups } from './palette-elements.ts';
import {
  findCurrentTask,
  listRecent,
  listScreenItems,
  listSidebarItems,
  listTaskItems,
} from './screen-items.ts';

const DEBOUNCE_MS = 120;
/** No message is shown if the results arrive sooner. */
const SEARCHING_DELAY_MS = 300;

let palette: Palette | null = null;

export function openPalette(typed: string, isEntered: boolean) {
  if (palette) palette.focus();
  else palette = new Palette(typed, isEntered);
}

class Palette {
  readonly #elements;
  readonly #opener: HTMLElement | null;
  readonly #local: readonly Item[];
  readonly #currentName: string | undefined;
  /** The server's results by search text. Null if the server couldn't be reached. */
  readonly #found = new Map<string, readonly Item[] | null>();
  #items: readonly Item[] = [];
  #highlighted = 0;
  #isChosen = false;
  #isEnterPending: boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waitTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(typed: string, isEntered: boolean) {
    const { activeElement } = document;
    this.#opener =
      activeElement instanceof HTMLElement && activeElement !== document.body ? activeElement : null;
    const current = findCurrentTask(activeElement);
    this.#currentName = current?.name;
    this.#local = [
      ...listRecent(current),
      ...(current ? listTaskItems(current, this.#opener ?? document.body) : []),
      ...listScreenItems(),
      ...listCommands(),
      ...listSidebarItems(),
    ];
    this.#isEnterPending = isEntered;
    this.#elements = buildPalette(typed);
    this.#listen();
    document.body.append(this.#elements.dialog);
    this.#render();
    this.#elements.dialog.showModal();
    this.#elements.field.focus();
    if (typed) void this.#search();
    this.#runPending();
  }

  focus() {
    this.#elements.field.focus();
    this.#elements.field.select();
  }

  #listen() {
    const { dialog, field, list, close } = this.#elements;
    field.addEventListener('input', () => {
      this.#isChosen = false;
      this.#isEnterPending = false;
      this.#render();
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#search(), DEBOUNCE_MS);
    });
    dialog.addEventListener('keydown', (event) => this.#takeKey(event));
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
    clearTimeout(this.#waitTimer);
    dialog.close();
    dialog.remove();
    palette = null;
    this.#opener?.focus({ preventScroll: true });
  }

  #takeKey(event: KeyboardEvent) {
    const { key, isComposing, ctrlKey, metaKey, altKey } = event;
    // Stops keys from triggering the page's shortcuts.
    if (!((ctrlKey || metaKey) && key === 'k')) event.stopPropagation();
    if (isComposing || altKey) return;
    const isEmpty = this.#elements.field.value === '';
    if (key === 'Escape') this.#close();
    else if (event.target !== this.#elements.field) return;
    else if (key === 'ArrowDown') this.#move(this.#highlighted + 1);
    else if (key === 'ArrowUp') this.#move(this.#highlighted - 1);
    else if (key === 'Home' && isEmpty) this.#move(0);
    else if (key === 'End' && isEmpty) this.#move(-1);
    else if (key === 'Enter') this.#enter(ctrlKey || metaKey);
    else return;
    event.preventDefault();
  }

  #enter(isNewTab: boolean) {
    const isWaiting = this.#text !== '' && !this.#isAnswered() && this.#items.length <= 1;
    if (isWaiting && !this.#isChosen) this.#isEnterPending = true;
    else this.#choose(this.#highlighted, isNewTab);
  }

  #runPending() {
    if (!this.#isEnterPending) return;
    this.#isEnterPending = false;
    this.#enter(false);
  }

  get #text(): string {
    return this.#elements.field.value.trim();
  }

  #isAnswered(): boolean {
    return this.#found.has(this.#text);
  }

  async #search() {
    const text = this.#text;
    clearTimeout(this.#waitTimer);
    if (text === '' || this.#found.get(text)) return;
    this.#waitTimer = setTimeout(() => this.#say('Searching…'), SEARCHING_DELAY_MS);
    const found = await findOnServer(text);
    // A late response must not replace newer results, but is kept in case the person returns to its text.
    if (found || !this.#found.has(text)) this.#found.set(text, found);
    if (!palette || text !== this.#text) return;
    clearTimeout(this.#waitTimer);
    this.#render();
    this.#say(
      found ? this.#describeCount() : "Couldn't search tasks, projects and people. Commands still work.",
    );
    this.#runPending();
  }

  #render() {
    const text = this.#text;
    const before = this.#items[this.#highlighted];
    const found = this.#found.get(text) ?? (this.#isAnswered() ? [] : null);
    const groups = text === '' ? arrangeAll(this.#local) : arrangeMatches(text, this.#local, found);
    this.#items = groups.flatMap(({ items }) => items);
    renderGroups(this.#elements.list, this.#nameGroups(groups), text);
    this.#say('');
    const same = this.#items.findIndex(
      ({ label, address }) => label === before?.label && address === before.address,
    );
    this.#highlight(this.#isChosen && same >= 0 ? same : 0);
    if (!this.#isChosen) this.#elements.list.scrollTop = 0;
  }

  #nameGroups(groups: readonly ShownGroup[]) {
    return groups.map(({ title, items }) => ({
      title: title === 'Task' ? (this.#currentName ?? title) : title,
      items,
    }));
  }

  #describeCount(): string {
    const { length } = this.#items;
    return length > 1 ? '' : `No results for “${this.#text}”.`;
  }

  #say(text: string) {
    this.#elements.status.textContent = text;
  }

  #listOptions(): Element[] {
    return [...this.#elements.list.querySelectorAll('[role="option"]')];
  }

  #move(to: number) {
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

/** Clicking a link in the page can open the task panel, and waits while the server can't be reached. */
function followLink(address: string) {
  const link = document.createElement('a');
  link.href = address;
  link.hidden = true;
  getScreen().append(link);
  link.click();
  link.remove();
}
