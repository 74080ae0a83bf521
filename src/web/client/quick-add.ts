export interface QuickAddForm {
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

  accept({ field }: QuickAddForm) {
    this.#keepTypedText(field);
    this.sent = null;
  }

  sendNext({ form, field }: QuickAddForm) {
    const following = this.#queued.shift();
    if (following !== undefined) {
      field.value = following;
      form.requestSubmit();
    }
    if (this.#queued.length > 0 || (following === undefined && field.value !== '')) return;
    const typed = this.#unsubmitted.shift();
    if (typed !== undefined) field.value = typed;
  }

  /** Puts a rejected item back in the field. Later items return to the field after that item is submitted. */
  restoreRejected({ field }: QuickAddForm, rejected: string) {
    const typed = this.#unsubmitted;
    this.#unsubmitted = this.#queued;
    this.#keepTypedText(field);
    this.#unsubmitted.push(...typed);
    field.value = rejected;
    this.#queued = [];
    this.sent = null;
  }

  #keepTypedText({ value }: HTMLInputElement) {
    if (value !== this.#submittedText && value.trim() !== '') this.#unsubmitted.push(value);
  }
}

/** Keyed by field id, because a refresh may replace the element. */
const queues = new Map<string, QuickAddQueue>();

function getQueue({ field }: QuickAddForm): QuickAddQueue {
  const queue = queues.get(field.id) ?? new QuickAddQueue();
  queues.set(field.id, queue);
  return queue;
}

export function findQuickAddForm(target: EventTarget | null): QuickAddForm | null {
  const form = target instanceof Element ? target.closest<HTMLFormElement>('form.quick-add') : null;
  const field = form?.querySelector<HTMLInputElement>('input[name="name"]');
  return form && field ? { form, field } : null;
}

function listQuickAddForms(): QuickAddForm[] {
  return [...document.querySelectorAll('form.quick-add')]
    .map(findQuickAddForm)
    .filter((quickAdd) => quickAdd !== null);
}

export function enableQuickAdd() {
  document.addEventListener(
    'submit',
    (event) => {
      const quickAdd = findQuickAddForm(event.target);
      if (!quickAdd) return;
      if (!getQueue(quickAdd).send(quickAdd.field.value)) event.preventDefault();
      quickAdd.field.select();
    },
    { capture: true },
  );
  document.addEventListener('reset', ({ target }) => {
    const quickAdd = findQuickAddForm(target);
    if (quickAdd) getQueue(quickAdd).accept(quickAdd);
  });
  document.addEventListener('edgework:morphed', () => {
    for (const quickAdd of listQuickAddForms())
      if (getQueue(quickAdd).sent === null) getQueue(quickAdd).sendNext(quickAdd);
  });
  document.addEventListener('edgework:settled', () => {
    for (const quickAdd of listQuickAddForms()) {
      const { sent } = getQueue(quickAdd);
      if (sent !== null && quickAdd.form.ariaBusy !== 'true')
        getQueue(quickAdd).restoreRejected(quickAdd, sent);
    }
  });
}
