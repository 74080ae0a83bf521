/** A form with one line of text that adds something, and then something else. */
export interface QuickAdd {
  readonly form: HTMLFormElement;
  readonly field: HTMLInputElement;
}

/** What one such form holds besides its field. */
class Row {
  /** What is on its way. One goes after the other, so that what is refused is known. */
  sent: string | null = null;
  /** What the field held when Enter was pressed last. */
  #left = '';
  /** What Enter was pressed for meanwhile. */
  #next: string[] = [];
  /** What was typed meanwhile, and comes back into the field as soon as it is empty. */
  #waiting: string[] = [];

  /** False if something else is on its way, behind which this waits. */
  send(value: string): boolean {
    this.#left = value;
    if (this.sent === null || value === this.sent) {
      this.sent = value;
      return true;
    }
    if (value !== this.#next.at(-1)) this.#next.push(value);
    return false;
  }

  /** What was sent is taken, and the field becomes empty. */
  taken({ field }: QuickAdd) {
    this.#keepTyped(field);
    this.sent = null;
  }

  /** What waits comes into the empty field, and is sent if it was asked to. */
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

  /** What was sent did not arrive, or was refused: it comes back into the field, and what came after it waits. */
  takeBack({ field }: QuickAdd, refused: string) {
    const typed = this.#waiting;
    this.#waiting = this.#next;
    this.#keepTyped(field);
    this.#waiting.push(...typed);
    field.value = refused;
    this.#next = [];
    this.sent = null;
  }

  /** Keeps what was typed since the last Enter, which the field does not hold any longer. */
  #keepTyped({ value }: HTMLInputElement) {
    if (value !== this.#left && value.trim() !== '') this.#waiting.push(value);
  }
}

/** By the id of the field: a refresh may bring another element for it. */
const rows = new Map<string, Row>();

function rowOf({ field }: QuickAdd): Row {
  const row = rows.get(field.id) ?? new Row();
  rows.set(field.id, row);
  return row;
}

/** The line, if that is what the event is about. */
export function findQuickAdd(target: EventTarget | null): QuickAdd | null {
  const form = target instanceof Element ? target.closest<HTMLFormElement>('form.quick-add') : null;
  const field = form?.querySelector<HTMLInputElement>('input[name="name"]');
  return form && field ? { form, field } : null;
}

function lines(): QuickAdd[] {
  return [...document.querySelectorAll('form.quick-add')].map(findQuickAdd).filter((found) => found !== null);
}

/** Whoever adds several things types on while the first is on its way, and loses nothing if it fails. */
export function enableQuickAdd() {
  document.addEventListener(
    'submit',
    (event) => {
      const found = findQuickAdd(event.target);
      if (!found) return;
      if (!rowOf(found).send(found.field.value)) event.preventDefault();
      // What is typed now takes its place.
      found.field.select();
    },
    { capture: true },
  );
  document.addEventListener('reset', ({ target }) => {
    const found = findQuickAdd(target);
    if (found) rowOf(found).taken(found);
  });
  document.addEventListener('edgework:morphed', () => {
    for (const found of lines()) if (rowOf(found).sent === null) rowOf(found).goOn(found);
  });
  document.addEventListener('edgework:settled', () => {
    for (const found of lines()) {
      const { sent } = rowOf(found);
      if (sent !== null && found.form.ariaBusy !== 'true') rowOf(found).takeBack(found, sent);
    }
  });
}
