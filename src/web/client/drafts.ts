import { isEdited } from './edited.ts';

const PREFIX = 'draft:';
const OWNER = 'draft-owner';
const SAVED_AFTER_MS = 300;
/** These fields change with every page load. */
const OF_THE_FRAME = new Set(['csrf', 'once', 'back', 'shown']);

interface Draft {
  /** The snapshot from when the draft was saved, to detect later changes. */
  readonly shown: string | null;
  readonly fields: readonly (readonly [name: string, values: readonly string[]])[];
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const sent = new WeakSet<HTMLFormElement>();
let isSigningOut = false;

/** Keeps unsent input in this tab's storage and restores it after a reload, except in forms that save themselves. */
export function keepDrafts() {
  forgetOthers();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const saveSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(saveAll, SAVED_AFTER_MS);
  };
  // The rich-text editor changes its field without an `input` event.
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
  for (const name of ['edgework:morphed', 'edgework:unsent'])
    document.addEventListener(name, () => {
      for (const form of listForms()) if (form.ariaBusy === 'true') sent.delete(form);
    });
  addEventListener('beforeunload', (event) => {
    saveAll();
    if (listForms().some((form) => !sent.has(form) && hasUnsavedText(form))) event.preventDefault();
  });
  addEventListener('pagehide', saveAll);
  restoreAll();
  // Saves what was typed before this module loaded.
  saveSoon();
}

function listForms(): HTMLFormElement[] {
  return [...document.querySelectorAll<HTMLFormElement>('main form[method="post"]:not([data-auto])')];
}

function listFields(form: HTMLFormElement): Field[] {
  return [...form.elements].filter(
    (each): each is Field =>
      (each instanceof HTMLTextAreaElement ||
        each instanceof HTMLSelectElement ||
        (each instanceof HTMLInputElement && !['hidden', 'password', 'file'].includes(each.type))) &&
      each.name !== '',
  );
}

function hasUnsavedText(form: HTMLFormElement): boolean {
  return listFields(form).some((each) => each instanceof HTMLTextAreaElement && isEdited(each));
}

function shownBy(form: HTMLFormElement): HTMLInputElement | null {
  return form.querySelector('input[type="hidden"][name="shown"]');
}

/** Identifies a form by its page, action and hidden fields. */
function getDraftKey(form: HTMLFormElement): string {
  const hidden = [...form.querySelectorAll<HTMLInputElement>(':scope > input[type="hidden"]')]
    .filter(({ name }) => !OF_THE_FRAME.has(name))
    .map(({ name, value }) => `${name}=${value}`);
  return [PREFIX + location.pathname, form.getAttribute('action'), ...hidden].join(' ');
}

function saveAll() {
  if (isSigningOut) return;
  for (const form of listForms()) {
    const key = getDraftKey(form);
    const names = new Set(
      listFields(form)
        .filter(isEdited)
        .map(({ name }) => name),
    );
    if (names.size === 0 || sent.has(form)) sessionStorage.removeItem(key);
    else save(form, key, names);
  }
}

function save(form: HTMLFormElement, key: string, names: ReadonlySet<string>) {
  const formData = new FormData(form);
  const draft: Draft = {
    shown: shownBy(form)?.value ?? null,
    fields: [...names].map((name) => [
      name,
      formData.getAll(name).filter((each) => typeof each === 'string'),
    ]),
  };
  try {
    sessionStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // The tab's storage is full. The warning before leaving the page remains.
  }
}

function restoreAll() {
  for (const form of listForms()) {
    const draft = readDraft(getDraftKey(form));
    if (draft && !listFields(form).some(isEdited)) restore(form, draft);
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
  for (const field of listFields(form)) {
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

function forgetOthers() {
  const person = document.querySelector<HTMLElement>('.sign-out button')?.title ?? '';
  if (sessionStorage.getItem(OWNER) !== person) forgetAll();
  sessionStorage.setItem(OWNER, person);
}

function forgetAll() {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
}
