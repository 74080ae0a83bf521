import { isAutoSubmitted } from './edited-fields.ts';
import { getScreenUrl } from './screen-url.ts';

type FieldValues = readonly (readonly [name: string, value: string])[];

const sentValues = new WeakMap<HTMLFormElement, FieldValues>();
const unsavedValues = new Map<HTMLFormElement, FieldValues>();

/** Restores the stored value when a change can't be saved, and offers a retry. */
export function enableUnsavedWarnings() {
  const { dataset } = document.documentElement;
  // Both the page's script and the picker contain this module.
  if (dataset.unsavedWarnings !== undefined) return;
  dataset.unsavedWarnings = '';
  document.addEventListener('submit', ({ target: form }) => {
    if (!(form instanceof HTMLFormElement) || !isAutoSubmitted(form) || form.method === 'get') return;
    sentValues.set(form, getFieldValues(form));
    unsavedValues.delete(form);
    updateUnsavedToast();
  });
  document.addEventListener('edgework:unsent', (event) => {
    const { detail: form } = event as CustomEvent<HTMLFormElement>;
    const values = sentValues.get(form);
    // If the field has changed since, the newer input is saved when the field loses focus.
    if (!isAutoSubmitted(form) || !values || String(values) !== String(getFieldValues(form))) return;
    unsavedValues.set(form, values);
    form.reset();
    updateUnsavedToast();
    // The server may have stored the change even though the response was lost.
    document.dispatchEvent(new CustomEvent('edgework:stale'));
  });
}

function listFields(form: HTMLFormElement): (HTMLInputElement | HTMLSelectElement)[] {
  return [...form.querySelectorAll<HTMLInputElement>('select, textarea, input:not([type="hidden"])')];
}

function getFieldValues(form: HTMLFormElement): FieldValues {
  return listFields(form).map(({ name, value }) => [name, value] as const);
}

function updateUnsavedToast() {
  const existingToast = document.getElementById('unsaved');
  if (unsavedValues.size === 0) {
    existingToast?.remove();
    return;
  }
  const unsavedToast = existingToast ?? document.createElement('div');
  Object.assign(unsavedToast, { id: 'unsaved', className: 'toast', role: 'alert' });
  unsavedToast.style.bottom = '64px';
  const toast = document.getElementById('toast');
  const reason = navigator.onLine ? toast?.textContent : "You're offline.";
  toast?.replaceChildren();
  const button = document.createElement('button');
  Object.assign(button, { className: 'quiet', textContent: 'Retry', onclick: retryUnsavedForms });
  unsavedToast.replaceChildren(`Couldn't save. ${reason} `, button);
  if (!existingToast) document.body.append(unsavedToast);
}

function retryUnsavedForms() {
  for (const [form, values] of [...unsavedValues]) {
    const isGone = !form.isConnected;
    if (isGone) {
      form.hidden = true;
      form.querySelector('[name=back]')?.setAttribute('value', getScreenUrl());
      document.body.append(form);
    }
    for (const [at, field] of listFields(form).entries()) field.value = values[at]?.[1] ?? field.value;
    form.requestSubmit();
    if (isGone) form.remove();
  }
}
