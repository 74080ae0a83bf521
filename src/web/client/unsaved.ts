import { isAuto } from './forms.ts';

type Values = readonly (readonly [name: string, value: string])[];

const sent = new WeakMap<HTMLFormElement, Values>();
const unsaved = new Map<HTMLFormElement, Values>();

/** Restores the stored value when a change can't be saved, and offers a retry. */
export function showUnsaved() {
  document.addEventListener('submit', ({ target: form }) => {
    if (!(form instanceof HTMLFormElement) || !isAuto(form) || form.method === 'get') return;
    sent.set(form, getValues(form));
    unsaved.delete(form);
    show();
  });
  document.addEventListener('edgework:unsent', (event) => {
    const { detail: form } = event as CustomEvent<HTMLFormElement>;
    const values = sent.get(form);
    // Newer input is saved when the field loses focus.
    if (!isAuto(form) || !values || String(values) !== String(getValues(form))) return;
    unsaved.set(form, values);
    form.reset();
    show();
    // The change may have been stored and only the response lost.
    document.dispatchEvent(new CustomEvent('edgework:stale'));
  });
}

function listFields(form: HTMLFormElement): (HTMLInputElement | HTMLSelectElement)[] {
  return [...form.querySelectorAll<HTMLInputElement>('select, textarea, input:not([type="hidden"])')];
}

function getValues(form: HTMLFormElement): Values {
  return listFields(form).map(({ name, value }) => [name, value] as const);
}

function show() {
  const shown = document.getElementById('unsaved');
  if (unsaved.size === 0) {
    shown?.remove();
    return;
  }
  const place = shown ?? document.createElement('div');
  Object.assign(place, { id: 'unsaved', className: 'toast', role: 'alert' });
  place.style.bottom = '64px';
  const said = document.getElementById('said');
  const why = navigator.onLine ? said?.textContent : "You're offline.";
  said?.replaceChildren();
  const button = document.createElement('button');
  Object.assign(button, { className: 'quiet', textContent: 'Retry', onclick: retry });
  place.replaceChildren(`Couldn't save. ${why} `, button);
  if (!shown) document.body.append(place);
}

function retry() {
  for (const [form, values] of [...unsaved]) {
    const isGone = !form.isConnected;
    if (isGone) {
      form.hidden = true;
      document.body.append(form);
    }
    for (const [at, field] of listFields(form).entries()) field.value = values[at]?.[1] ?? field.value;
    form.requestSubmit();
    if (isGone) form.remove();
  }
}
