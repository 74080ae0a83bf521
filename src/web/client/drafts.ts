import { isEdited } from './edited.ts';

const PREFIX = 'draft:';
const OWNER = 'draft-owner';
const SAVED_AFTER_MS = 300;
/** What a form is for, which another page load says again. */
const OF_THE_FRAME = new Set(['csrf', 'once', 'back', 'shown']);

/** What was typed into one form since its page came. */
interface Draft {
  /** What the page showed then: somebody else may have changed it since. */
  readonly shown: string | null;
  readonly fields: readonly (readonly [name: string, values: readonly string[]])[];
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Forms that are on their way, or have arrived where the page is left because of it. */
const sent = new WeakSet<HTMLFormElement>();
let isSigningOut = false;

/**
 * Keeps what is typed into forms in this tab until it is sent, and puts it back after a reload. Forms that save by
 * themselves have nothing to keep.
 */
export function keepDrafts() {
  forgetOthers();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const saveSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(saveAll, SAVED_AFTER_MS);
  };
  // The editor of descriptions changes its field by keys and buttons as well.
  for (const name of ['input', 'change', 'keyup', 'click', 'reset', 'edgework:morphed'])
    document.addEventListener(name, saveSoon);
  document.addEventListener('input', ({ target }) => {
    const form = target instanceof Element && target.closest('form');
    if (form) sent.delete(form);
    isSigningOut = false;
  });
  document.addEventListener('submit', ({ target: form }) => {
    if (!(form instanceof HTMLFormElement)) return;
    sent.add(form);
    isSigningOut = form.matches('.sign-out');
    if (isSigningOut) forgetAll();
  });
  // A form is answered while it is busy; what else renews the page says nothing of it.
  for (const name of ['edgework:morphed', 'edgework:unsent'])
    document.addEventListener(name, () => {
      for (const form of forms()) if (form.ariaBusy === 'true') sent.delete(form);
    });
  addEventListener('beforeunload', (event) => {
    saveAll();
    if (forms().some((form) => !sent.has(form) && hasUnsavedText(form))) event.preventDefault();
  });
  addEventListener('pagehide', saveAll);
  restoreAll();
  // Something was typed before this module was there.
  saveSoon();
}

function forms(): HTMLFormElement[] {
  return [...document.querySelectorAll<HTMLFormElement>('main form[method="post"]:not([data-auto])')];
}

function fieldsOf(form: HTMLFormElement): Field[] {
  return [...form.elements].filter(
    (each): each is Field =>
      (each instanceof HTMLTextAreaElement ||
        each instanceof HTMLSelectElement ||
        (each instanceof HTMLInputElement && !['hidden', 'password', 'file'].includes(each.type))) &&
      each.name !== '',
  );
}

function hasUnsavedText(form: HTMLFormElement): boolean {
  return fieldsOf(form).some((each) => each instanceof HTMLTextAreaElement && isEdited(each));
}

function shownBy(form: HTMLFormElement): HTMLInputElement | null {
  return form.querySelector('input[type="hidden"][name="shown"]');
}

/** By its page, its address and what its hidden fields say, which tell it from others with the same address. */
function keyOf(form: HTMLFormElement): string {
  const hidden = [...form.querySelectorAll<HTMLInputElement>(':scope > input[type="hidden"]')]
    .filter(({ name }) => !OF_THE_FRAME.has(name))
    .map(({ name, value }) => `${name}=${value}`);
  return [PREFIX + location.pathname, form.getAttribute('action'), ...hidden].join(' ');
}

function saveAll() {
  if (isSigningOut) return;
  for (const form of forms()) {
    const key = keyOf(form);
    const names = new Set(
      fieldsOf(form)
        .filter(isEdited)
        .map(({ name }) => name),
    );
    if (names.size === 0 || sent.has(form)) sessionStorage.removeItem(key);
    else save(form, key, names);
  }
}

function save(form: HTMLFormElement, key: string, names: ReadonlySet<string>) {
  // As it would be sent: a mention is an id, and not the name that the field shows.
  const said = new FormData(form);
  const draft: Draft = {
    shown: shownBy(form)?.value ?? null,
    fields: [...names].map((name) => [name, said.getAll(name).filter((each) => typeof each === 'string')]),
  };
  try {
    sessionStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // The tab's storage is full: the warning before leaving remains.
  }
}

function restoreAll() {
  for (const form of forms()) {
    const draft = readDraft(keyOf(form));
    if (draft && !fieldsOf(form).some(isEdited)) restore(form, draft);
  }
}

function readDraft(key: string): Draft | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

function restore(form: HTMLFormElement, { shown, fields }: Draft) {
  const said = new Map(fields);
  for (const field of fieldsOf(form)) {
    const values = said.get(field.name);
    if (!values) continue;
    if (field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio'))
      field.checked = values.includes(field.value);
    else field.value = values[0] ?? '';
    if (!isEdited(field)) continue;
    for (
      let around = field.closest('details');
      around;
      around = around.parentElement?.closest('details') ?? null
    )
      around.open = true;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  const print = shownBy(form);
  if (print && shown !== null) print.value = shown;
}

/** Nobody sees the drafts of whoever used this tab before them. */
function forgetOthers() {
  const person = document.querySelector<HTMLElement>('.sign-out button')?.title ?? '';
  if (sessionStorage.getItem(OWNER) !== person) forgetAll();
  sessionStorage.setItem(OWNER, person);
}

function forgetAll() {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
}
