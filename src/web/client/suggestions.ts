import { showToast } from './toast.ts';

export interface Suggestion {
  readonly id: string;
  readonly name: string;
  readonly note: string;
  readonly value: string;
}

export type TextField = HTMLInputElement | HTMLTextAreaElement;

const GAP_PX = 4;

export class Suggestions<F extends TextField> {
  readonly #onSelect: (field: F, found: Suggestion) => void;
  readonly #list = document.createElement('ul');
  #field: F | null = null;
  #suggestions: readonly Suggestion[] = [];
  #highlighted = 0;

  constructor(onSelect: (field: F, found: Suggestion) => void) {
    this.#onSelect = onSelect;
    const list = this.#list;
    list.id = 'suggestions';
    list.className = 'suggestions';
    list.popover = 'manual';
    list.role = 'listbox';
    list.addEventListener('pointerdown', (event) => event.preventDefault());
    list.addEventListener('click', ({ target }) => {
      const item = target instanceof Element ? target.closest('[role="option"]') : null;
      if (item) this.#choose([...list.children].indexOf(item));
    });
  }

  open(field: F, found: readonly Suggestion[]) {
    if (found.length === 0) {
      this.close();
      return;
    }
    this.#field = field;
    this.#suggestions = found;
    this.#list.replaceChildren(...found.map(renderOption));
    // A refresh of `#content` would remove the list, so `isPageBusy` postpones refreshes while it is open.
    document.getElementById('content')?.append(this.#list);
    this.#list.ariaLabel = field.dataset.lists ?? 'People';
    this.#list.showPopover();
    this.#positionList(field);
    field.setAttribute('aria-controls', this.#list.id);
    this.#highlight(0);
    showToast(`${found.length} found`, { isShown: false });
  }

  close() {
    if (!this.#field) return;
    this.#field.removeAttribute('aria-activedescendant');
    this.#field.removeAttribute('aria-controls');
    this.#field = null;
    this.#list.hidePopover();
  }

  handleKey(event: KeyboardEvent) {
    if (event.target !== this.#field || this.#field === null || event.isComposing) return;
    const { key, shiftKey } = event;
    if (key === 'ArrowDown') this.#highlight(this.#highlighted + 1);
    else if (key === 'ArrowUp') this.#highlight(this.#highlighted - 1);
    else if ((key === 'Enter' || key === 'Tab') && !shiftKey) this.#choose(this.#highlighted);
    else if (key === 'Escape') this.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #highlight(to: number) {
    const options = [...this.#list.children];
    this.#highlighted = (to + options.length) % options.length;
    for (const [index, each] of options.entries()) each.ariaSelected = String(index === this.#highlighted);
    const highlighted = options[this.#highlighted];
    highlighted?.scrollIntoView({ block: 'nearest' });
    this.#field?.setAttribute('aria-activedescendant', highlighted?.id ?? '');
  }

  #choose(index: number) {
    const field = this.#field;
    const suggestion = this.#suggestions[index];
    this.close();
    if (field && suggestion) this.#onSelect(field, suggestion);
  }

  #positionList(field: F) {
    const { left, top, bottom, width } = field.getBoundingClientRect();
    const { style } = this.#list;
    style.maxWidth = `${width}px`;
    const { offsetHeight, offsetWidth } = this.#list;
    const fitsBelow = bottom + GAP_PX + offsetHeight <= window.innerHeight;
    style.left = `${Math.max(0, Math.min(left, window.innerWidth - offsetWidth - GAP_PX))}px`;
    style.top = `${fitsBelow ? bottom + GAP_PX : Math.max(0, top - GAP_PX - offsetHeight)}px`;
  }
}

function renderOption({ id, name, note }: Suggestion): HTMLElement {
  const item = document.createElement('li');
  item.id = `suggestion-${id}`;
  item.role = 'option';
  const small = document.createElement('small');
  small.textContent = note;
  item.append(name, ' ', small);
  return item;
}
