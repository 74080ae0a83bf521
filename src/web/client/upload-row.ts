import { formatBytes } from '../pages/files/format-bytes.ts';
import type { UploadState } from './upload.ts';

export class UploadRow {
  readonly #row: HTMLElement;
  readonly #list: string | null;
  readonly #progress = document.createElement('progress');
  readonly #details = document.createElement('span');
  readonly #actions = document.createElement('span');
  readonly #name: string;
  #kind = '';

  /** `list` selects the list that contains the row. If it is null, the caller inserts `element`. */
  constructor(name: string, list: string | null = '#uploads') {
    this.#row = document.createElement(list === null ? 'span' : 'li');
    this.#list = list;
    this.#name = name;
    const label = document.createElement('bdi');
    label.className = 'row-name';
    label.textContent = name;
    this.#progress.ariaLabel = name;
    this.#progress.max = 1;
    this.#details.className = 'row-meta number';
    this.#actions.className = 'row-actions';
    this.#row.append(label, this.#progress, this.#details, this.#actions);
    this.attach();
  }

  get element(): HTMLElement {
    return this.#row;
  }

  attach() {
    const list = this.#findList();
    list?.append(this.#row);
    if (list) list.hidden = false;
  }

  show(state: UploadState, size: number) {
    // Keeps the buttons and their focus until the state changes.
    if (state.kind !== this.#kind) this.#actions.replaceChildren();
    this.#kind = state.kind;
    this.#row.dataset.state = state.kind;
    this.#progress.hidden = state.kind === 'failed';
    if ('sent' in state) this.#progress.value = size === 0 ? 0 : state.sent / size;
    this.#details.textContent = describeUploadState(state, size);
  }

  addAction(label: string, onClick: () => void) {
    const existing = [...this.#actions.children].find(({ textContent }) => textContent === label);
    if (existing) return;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'quiet';
    button.textContent = label;
    button.ariaLabel = `${label}: ${this.#name}`;
    button.addEventListener('click', onClick);
    this.#actions.append(button);
  }

  remove() {
    this.#row.remove();
    const list = this.#findList();
    if (list) list.hidden = list.childElementCount === 0;
  }

  #findList(): HTMLElement | null {
    return this.#list === null ? null : document.querySelector<HTMLElement>(this.#list);
  }
}

function describeUploadState(state: UploadState, size: number): string {
  if (state.kind === 'failed') return state.message;
  if (state.kind === 'done') return formatBytes(size);
  const part = `${formatBytes(state.sent)} of ${formatBytes(size)}`;
  if (state.kind === 'paused') return `${part}, paused`;
  if (state.kind === 'waiting' && state.isSignedOut) return `${part}, paused until you sign in`;
  if (state.kind === 'waiting') return `${part}, waiting for the server`;
  return part;
}
