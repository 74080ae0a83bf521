import { isAutoSubmitted, isEdited } from './edited-fields.ts';
import { forgetQueuedTasks } from './queued-tasks.ts';
import { forgetRecentTasks } from './recent-tasks.ts';
import { findRegion, getRegionPath } from './regions.ts';
import { forgetStoredPages } from './stored-pages.ts';
import { showToast } from './toast.ts';
import { removeUploadMarkers } from './upload-marker.ts';

const DRAFT_PREFIX = 'draft:';
const DRAFT_OWNER_KEY = 'draft-owner';
const SAVE_DELAY_MS = 300;
const VOLATILE_FIELDS = new Set(['csrf', 'once', 'back', 'shown']);

interface Draft {
  /** The form's snapshot when the draft was saved. The server uses it to detect later changes. */
  readonly shown: string | null;
  readonly fields: readonly (readonly [name: string, values: readonly string[]])[];
}

type FormField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const submittedForms = new WeakSet<HTMLFormElement>();
let isSigningOut = false;

/** Keeps unsent input in this tab's storage and restores it after a reload, except in auto-saved forms. */
export function enableDrafts() {
  deleteDraftsOfOtherPeople();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const saveSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(saveAllDrafts, SAVE_DELAY_MS);
  };
  // The rich-text editor changes its field without an `input` event.
  for (const name of ['input', 'change', 'keyup', 'click', 'reset', 'edgework:morphed'])
    document.addEventListener(name, saveSoon);
  document.addEventListener('input', ({ target }) => {
    const form = target instanceof Element && target.closest('form');
    if (form) submittedForms.delete(form);
    isSigningOut = false;
  });
  document.addEventListener('submit', ({ target: form }) => {
    if (!(form instanceof HTMLFormElement)) return;
    submittedForms.add(form);
    isSigningOut = form.matches('.sign-out');
    if (!isSigningOut) return;
    deleteAllDrafts();
    forgetRecentTasks();
    forgetQueuedTasks();
    void forgetStoredPages();
  });
  for (const name of ['edgework:morphed', 'edgework:unsent'])
    document.addEventListener(name, () => {
      for (const form of listForms()) if (form.ariaBusy === 'true') submittedForms.delete(form);
    });
  // Dispatched if the server rejects a form after the person has left its task.
  document.addEventListener('edgework:form-gone', (event) => {
    const { form, html } = (event as CustomEvent<{ form: HTMLFormElement; html: string }>).detail;
    saveOrDeleteDraft(form);
    const page = new DOMParser().parseFromString(html, 'text/html');
    const problem = page.querySelector('main :is([role="alert"], .problem)')?.textContent;
    showToast(`${problem ?? "Couldn't save."} Open the task again to see your text.`, { isProblem: true });
  });
  document.addEventListener('edgework:unsent', (event) => {
    const { detail: form } = event as CustomEvent<HTMLFormElement | undefined>;
    if (form && !form.isConnected && !isAutoSubmitted(form)) saveOrDeleteDraft(form);
  });
  document.addEventListener('edgework:task-closing', saveAllDrafts);
  document.addEventListener('edgework:task-opened', restoreAllDrafts);
  addEventListener('beforeunload', (event) => {
    saveAllDrafts();
    if (listForms().some((form) => !submittedForms.has(form) && hasUnsavedText(form))) event.preventDefault();
  });
  addEventListener('pagehide', saveAllDrafts);
  restoreAllDrafts();
  saveSoon();
}

function listForms(): HTMLFormElement[] {
  return [
    ...document.querySelectorAll<HTMLFormElement>(
      ':is(main, #task-panel) form[method="post"]:not([data-auto])',
    ),
  ];
}

function listFields(form: HTMLFormElement): FormField[] {
  return [...form.elements].filter(
    (each): each is FormField =>
      (each instanceof HTMLTextAreaElement ||
        each instanceof HTMLSelectElement ||
        (each instanceof HTMLInputElement && !['hidden', 'password', 'file'].includes(each.type))) &&
      each.name !== '',
  );
}

function hasUnsavedText(form: HTMLFormElement): boolean {
  return listFields(form).some((each) => each instanceof HTMLTextAreaElement && isEdited(each));
}

function findSnapshotField(form: HTMLFormElement): HTMLInputElement | null {
  return form.querySelector('input[type="hidden"][name="shown"]');
}

function getDraftKey(form: HTMLFormElement): string {
  const hidden = [...form.querySelectorAll<HTMLInputElement>(':scope > input[type="hidden"]')]
    .filter(({ name }) => !VOLATILE_FIELDS.has(name))
    .map(({ name, value }) => `${name}=${value}`);
  return [DRAFT_PREFIX + getRegionPath(findRegion(form)), form.getAttribute('action'), ...hidden].join(' ');
}

function saveAllDrafts() {
  if (isSigningOut) return;
  for (const form of listForms()) {
    if (submittedForms.has(form)) sessionStorage.removeItem(getDraftKey(form));
    else saveOrDeleteDraft(form);
  }
}

function saveOrDeleteDraft(form: HTMLFormElement) {
  const key = getDraftKey(form);
  const names = new Set(
    listFields(form)
      .filter(isEdited)
      .map(({ name }) => name),
  );
  if (names.size === 0) sessionStorage.removeItem(key);
  else storeDraft(form, key, names);
}

function storeDraft(form: HTMLFormElement, key: string, names: ReadonlySet<string>) {
  const formData = new FormData(form);
  const draft: Draft = {
    shown: findSnapshotField(form)?.value ?? null,
    fields: [...names].map((name) => [
      name,
      formData
        .getAll(name)
        .filter((each) => typeof each === 'string')
        .map(removeUploadMarkers),
    ]),
  };
  try {
    sessionStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // If the tab's storage is full, the page still warns people before they close it.
  }
}

function restoreAllDrafts() {
  for (const form of listForms()) {
    const draft = readDraft(getDraftKey(form));
    if (draft && !listFields(form).some(isEdited)) restoreDraft(form, draft);
  }
}

function readDraft(key: string): Draft | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

function restoreDraft(form: HTMLFormElement, { shown, fields }: Draft) {
  const valuesByName = new Map(fields);
  for (const field of listFields(form)) {
    const values = valuesByName.get(field.name);
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
  const snapshotField = findSnapshotField(form);
  if (snapshotField && shown !== null) snapshotField.value = shown;
}

function deleteDraftsOfOtherPeople() {
  const person = document.querySelector<HTMLElement>('.sign-out button')?.title ?? '';
  if (sessionStorage.getItem(DRAFT_OWNER_KEY) !== person) deleteAllDrafts();
  sessionStorage.setItem(DRAFT_OWNER_KEY, person);
}

function deleteAllDrafts() {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(DRAFT_PREFIX)) sessionStorage.removeItem(key);
}
