import { REQUIRED, TOO_EARLY } from '../page-model/field-problems.ts';
import { isAuto } from './forms.ts';
import { showToast } from './toast.ts';
import { showUnsaved } from './unsaved.ts';

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const FIELDS =
  'select, textarea, input:not([type="hidden"], [type="search"], [type="checkbox"], [type="radio"])';

let unsent: HTMLFormElement | null = null;
let isTyping = false;

/**
 * Saves forms that have no save button: selections immediately, typed text on Enter or when the field loses focus.
 * Escape restores the stored value.
 */
export function enhanceAutoSave() {
  const listen = (name: string, listener: (event: Event) => void) =>
    // Listens in the capture phase, because Escape must be handled before another listener blurs the field.
    document.addEventListener(name, listener, { capture: true });
  listen('pointerdown', () => {
    isTyping = false;
  });
  listen('keydown', (event) => onKey(event as KeyboardEvent));
  listen('input', ({ target }) => {
    const field = findSavedField(target);
    if (!field) return;
    unsent = field.form;
    if (field instanceof HTMLTextAreaElement && field.value.includes('\n')) {
      const { selectionEnd } = field;
      field.value = field.value.replaceAll('\n', ' ');
      field.setSelectionRange(selectionEnd, selectionEnd);
    }
  });
  listen('change', ({ target }) => {
    const field = findSavedField(target);
    if (field && !isTyping && (field.type === 'date' || field instanceof HTMLSelectElement)) save(field.form);
  });
  listen('focusout', ({ target }) => {
    const field = findSavedField(target);
    if (field && (field.form === unsent || field.validity.badInput)) save(field.form);
  });
  listen('submit', onSubmit);
  showUnsaved();
  document.addEventListener('edgework:refused', (event) => {
    const { form, html } = (event as CustomEvent<{ form: HTMLFormElement; html: string }>).detail;
    const page = new DOMParser().parseFromString(html, 'text/html');
    form.dataset.refused = '';
    announce(form, page.querySelector('main :is(.problem, .alert)')?.textContent ?? '');
  });
}

function findSavedField(target: EventTarget | null): Field | null {
  if (!(target instanceof Element) || !target.matches(FIELDS)) return null;
  const field = target as Field;
  const { form } = field;
  if (!form || !isAuto(form)) return null;
  return form.method === 'get' && field.type !== 'date' ? null : field;
}

function onKey(event: KeyboardEvent) {
  const { key, altKey } = event;
  const field = findSavedField(event.target);
  // Space, F4 and Alt open a list or calendar, which then handles the keyboard itself.
  isTyping = field !== null && !altKey && key !== ' ' && key !== 'F4';
  const form = field?.form;
  if (!form || event.isComposing || document.querySelector('.suggestions:popover-open')) return;
  const isChoice = field instanceof HTMLSelectElement;
  if (isChoice && form !== unsent) return;
  if (key === 'Escape') {
    unsent = null;
    form.reset();
    unmark(form);
  } else if (key === 'Enter') {
    event.preventDefault();
    save(form);
  }
}

function save(form: HTMLFormElement | null) {
  if (!form) return;
  // Browsers would otherwise move the focus back to the invalid field.
  form.noValidate = true;
  form.requestSubmit();
}

function onSubmit(event: Event) {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !isAuto(form)) return;
  if (form === unsent) unsent = null;
  unmark(form);
  const fields = [...form.querySelectorAll<Field>(FIELDS)];
  const wrong = fields.find(({ validity }) => !validity.valid);
  if (!wrong) return;
  event.preventDefault();
  mark(wrong, form);
}

function mark(field: Field, form: HTMLFormElement) {
  const problem = document.createElement('p');
  Object.assign(problem, {
    id: `${field.id}-problem`,
    className: 'problem',
    textContent: describeProblem(field),
  });
  (field.closest('.field') ?? field.parentElement)?.append(problem);
  field.setAttribute('aria-invalid', 'true');
  field.setAttribute('aria-describedby', problem.id);
  form.dataset.refused = '';
  announce(form, problem.textContent);
}

function describeProblem({ type, validity, validationMessage }: Field): string {
  if (type === 'date' && validity.badInput) return 'Enter a complete date.';
  if (type === 'date' && validity.rangeUnderflow) return TOO_EARLY;
  return validity.valueMissing ? REQUIRED : validationMessage;
}

function unmark(form: HTMLFormElement) {
  delete form.dataset.refused;
  for (const each of form.querySelectorAll('.problem, .alert')) each.remove();
  for (const each of form.querySelectorAll('[aria-invalid]')) {
    each.removeAttribute('aria-invalid');
    each.removeAttribute('aria-describedby');
  }
}

/** The message names the field, because the person may already be elsewhere. */
function announce(form: HTMLFormElement, problem: string) {
  const field = form.querySelector<Field>('[aria-invalid]') ?? form.querySelector<Field>(FIELDS);
  showToast(`${field?.labels?.[0]?.textContent.trim() ?? ''}: ${problem}`, { isProblem: true });
}
