export interface QuickAdd {
  readonly form: HTMLFormElement;
  readonly field: HTMLInputElement;
}

export class QuickAddQueue {
  /** The item that is being sent. Only one item is sent at a time so that an error can be matched to its item. */
  sent: string | null = null;
  #submittedText = '';
  #queued: string[] = [];
  /** Text typed while items are being sent. Each entry returns to the field once the field is empty. */
  #unsubmitted: string[] = [];

  /** Returns false if the item must wait until another item has been sent. */
  send(value: string): boolean {
    this.#submittedText = value;
    if (this.sent === null || value === this.sent) {
      this.sent = value;
      return true;
    }
    if (value !== this.#queued.at(-1)) this.#queued.push(value);
    return false;
  }

  accept({ field }: QuickAdd) {
    this.#keepTyped(field);
    this.sent = null;
  }

  sendNext({ form, field }: QuickAdd) {
    const following = this.#queued.shift();
    if (following !== undefined) {
      field.value = following;
      form.requestSubmit();
    }
    if (this.#queued.length > 0 || (following === undefined && field.value !== '')) return;
    const typed = this.#unsubmitted.shift();
    if (typed !== undefined) field.value = typed;
  }

  /** Returns a rejected item to the field. Later items wait until that item is submitted again. */
  returnRejected({ field }: QuickAdd, rejected: string) {
    const typed = this.#unsubmitted;
    this.#unsubmitted = this.#queued;
    this.#keepTyped(field);
    this.#unsubmitted.push(...typed);
    field.value = rejected;
    this.#queued = [];
    this.sent = null;
  }

  #keepTyped({ value }: HTMLInputElement) {
    if (value !== this.#submittedText && value.trim() !== '') this.#unsubmitted.push(value);
  }
}

/** Keyed by field id, because a refresh may replace the element. */
const queues = new Map<string, QuickAddQueue>();

function getQueue({ field }: QuickAdd): QuickAddQueue {
  const queue = queues.get(field.id) ?? new QuickAddQueue();
  queues.set(field.id, queue);
  return queue;
}

export function findQuickAdd(target: EventTarget | null): QuickAdd | null {
  const form = target instanceof Element ? target.closest<HTMLFormElement>('form.quick-add') : null;
  const field = form?.querySelector<HTMLInputElement>('input[name="name"]');
  return form && field ? { form, field } : null;
}

function listQuickAdds(): QuickAdd[] {
  return [...document.querySelectorAll('form.quick-add')].map(findQuickAdd).filter((found) => found !== null);
}

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
    if (found) getQueue(found).accept(found);
  });
  document.addEventListener('edgework:morphed', () => {
    for (const found of listQuickAdds()) if (getQueue(found).sent === null) getQueue(found).sendNext(found);
  });
  document.addEventListener('edgework:settled', () => {
    for (const found of listQuickAdds()) {
      const { sent } = getQueue(found);
      if (sent !== null && found.form.ariaBusy !== 'true') getQueue(found).returnRejected(found, sent);
    }
  });
}
