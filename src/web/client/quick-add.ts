/** A form that adds one item after another. */
export interface QuickAdd {
  readonly form: HTMLFormElement;
  readonly field: HTMLInputElement;
}

class QuickAddQueue {
  /** Items are sent one at a time, so that errors can be attributed. */
  sent: string | null = null;
  /** The field's text at the last Enter. */
  #left = '';
  #next: string[] = [];
  /** Unsubmitted text, restored as soon as the field is empty. */
  #waiting: string[] = [];

  /** Returns false if the item has to wait for another one. */
  send(value: string): boolean {
    this.#left = value;
    if (this.sent === null || value === this.sent) {
      this.sent = value;
      return true;
    }
    if (value !== this.#next.at(-1)) this.#next.push(value);
    return false;
  }

  taken({ field }: QuickAdd) {
    this.#keepTyped(field);
    this.sent = null;
  }

  /** Puts the next waiting text into the field. Submits it if it was submitted before. */
  goOn({ form, field }: QuickAdd) {
    const following = this.#next.shift();
    if (following !== undefined) {
      field.value = following;
      form.requestSubmit();
    }
    if (this.#next.length > 0 || (following === undefined && field.value !== '')) return;
    const typed = this.#waiting.shift();
    if (typed !== undefined) field.value = typed;
  }

  /** Returns the failed item to the field. Later items wait. */
  takeBack({ field }: QuickAdd, refused: string) {
    const typed = this.#waiting;
    this.#waiting = this.#next;
    this.#keepTyped(field);
    this.#waiting.push(...typed);
    field.value = refused;
    this.#next = [];
    this.sent = null;
  }

  #keepTyped({ value }: HTMLInputElement) {
    if (value !== this.#left && value.trim() !== '') this.#waiting.push(value);
  }
}

/** Keyed by field id, because a refresh may replace the element. */
const queues = new Map<string, QuickAddQueue>();

function getQueue({ field }: QuickAdd): QuickAddQueue {
  const row = queues.get(field.id) ?? new QuickAddQueue();
  queues.set(field.id, row);
  return row;
}

export function findQuickAdd(target: EventTarget | null): QuickAdd | null {
  const form = target instanceof Element ? target.closest<HTMLFormElement>('form.quick-add') : null;
  const field = form?.querySelector<HTMLInputElement>('input[name="name"]');
  return form && field ? { form, field } : null;
}

function listQuickAdds(): QuickAdd[] {
  return [...document.querySelectorAll('form.quick-add')].map(findQuickAdd).filter((found) => found !== null);
}

/** Lets people keep typing while items are sent. */
export function enableQuickAdd() {
  document.addEventListener(
    'submit',
    (event) => {
      const found = findQuickAdd(event.target);
      if (!found) return;
      if (!getQueue(found).send(found.field.value)) event.preventDefault();
      found.field.select();
    },
    { capture: true },
  );
  document.addEventListener('reset', ({ target }) => {
    const found = findQuickAdd(target);
    if (found) getQueue(found).taken(found);
  });
  document.addEventListener('edgework:morphed', () => {
    for (const found of listQuickAdds()) if (getQueue(found).sent === null) getQueue(found).goOn(found);
  });
  document.addEventListener('edgework:settled', () => {
    for (const found of listQuickAdds()) {
      const { sent } = getQueue(found);
      if (sent !== null && found.form.ariaBusy !== 'true') getQueue(found).takeBack(found, sent);
    }
  });
}
