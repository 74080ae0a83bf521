import { REQUIRED_MESSAGE, TOO_EARLY_MESSAGE } from '../page-model/field-problems.ts';
import { isAutoSubmitted } from './edited-fields.ts';
import { isFirstCall } from './first-call.ts';
import { showToast } from './toast.ts';
import { enableUnsavedWarnings } from './unsaved-changes.ts';

type FormField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const AUTO_SAVED_FIELD_SELECTOR =
  'select, textarea, input:not([type="hidden"], [type="search"], [type="checkbox"], [type="radio"])';

let formWithUnsentChange: HTMLFormElement | null = null;
let isTyping = false;

/**
 * Saves forms that have no Save button. A value picked from an open list or calendar is saved immediately. A typed
 * value is saved on Enter or when the field loses focus, and Escape restores the stored value.
 */
export function enableAutoSave() {
  if (!isFirstCall('autoSave')) return;
  const listen = (name: string, listener: (event: Event) => void) =>
    // Uses the capture phase to handle Escape before another listener blurs the field.
    document.addEventListener(name, listener, { capture: true });
  listen('pointerdown', () => {
    isTyping = false;
  });
  listen('keydown', (event) => handleKey(event as KeyboardEvent));
  listen('input', ({ target }) => {
    const field = findAutoSavedField(target);
    if (!field) return;
    formWithUnsentChange = field.form;
    if (field instanceof HTMLTextAreaElement && field.value.includes('\n')) {
      const { selectionEnd } = field;
      field.value = field.value.replaceAll('\n', ' ');
      field.setSelectionRange(selectionEnd, selectionEnd);
    }
  });
  listen('change', ({ target }) => {
    const field = findAutoSavedField(target);
    if (field && !isTyping && (field.type === 'date' || field instanceof HTMLSelectElement))
      saveForm(field.form);
  });
  listen('focusout', ({ target }) => {
    const field = findAutoSavedField(target);
    if (field && (field.form === formWithUnsentChange || field.validity.badInput)) saveForm(field.form);
  });
  listen('submit', handleSubmit);
  enableUnsavedWarnings();
  document.addEventListener('edgework:rejected', (event) => {
    const { form, html } = (event as CustomEvent<{ form: HTMLFormElement; html: string }>).detail;
    const page = new DOMParser().parseFromString(html, 'text/html');
    form.dataset.rejected = '';
    announceProblem(form, page.querySelector('main :is(.problem, .alert)')?.textContent ?? '');
  });
}

function findAutoSavedField(target: EventTarget | null): FormField | null {
  if (!(target instanceof Element) || !target.matches(AUTO_SAVED_FIELD_SELECTOR)) return null;
  const field = target as FormField;
  const { form } = field;
  if (!form || !isAutoSubmitted(form)) return null;
  return form.method === 'get' && field.type !== 'date' ? null : field;
}

function handleKey(event: KeyboardEvent) {
  const { key, altKey } = event;
  const field = findAutoSavedField(event.target);
  // Space, F4 and Alt open a list or calendar, which then handles the keyboard itself.
  isTyping = field !== null && !altKey && key !== ' ' && key !== 'F4';
  const form = field?.form;
  if (!form || event.isComposing || document.querySelector('.suggestions:popover-open')) return;
  const isChoice = field instanceof HTMLSelectElement;
  if (isChoice && form !== formWithUnsentChange) return;
  if (key === 'Escape') {
    formWithUnsentChange = null;
    form.reset();
    clearProblems(form);
  } else if (key === 'Enter') {
    event.preventDefault();
    saveForm(form);
  }
}

function saveForm(form: HTMLFormElement | null) {
  if (!form) return;
  // The browser's own validation would move focus back to the invalid field.
  form.noValidate = true;
  form.requestSubmit();
}

function handleSubmit(event: Event) {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !isAutoSubmitted(form)) return;
  if (form === formWithUnsentChange) formWithUnsentChange = null;
  clearProblems(form);
  const fields = [...form.querySelectorAll<FormField>(AUTO_SAVED_FIELD_SELECTOR)];
  const invalidField = fields.find(({ validity }) => !validity.valid);
  if (!invalidField) return;
  event.preventDefault();
  showFieldProblem(invalidField, form);
}

function showFieldProblem(field: FormField, form: HTMLFormElement) {
  const problem = document.createElement('p');
  Object.assign(problem, {
    id: `${field.id}-problem`,
    className: 'problem',
    textContent: describeFieldProblem(field),
  });
  (field.closest('.field') ?? field.parentElement)?.append(problem);
  field.setAttribute('aria-invalid', 'true');
  field.setAttribute('aria-describedby', problem.id);
  form.dataset.rejected = '';
  announceProblem(form, problem.textContent);
}

function describeFieldProblem({ type, validity, validationMessage }: FormField): string {
  if (type === 'date' && validity.badInput) return 'Enter a complete date.';
  if (type === 'date' && validity.rangeUnderflow) return TOO_EARLY_MESSAGE;
  return validity.valueMissing ? REQUIRED_MESSAGE : validationMessage;
}

function clearProblems(form: HTMLFormElement) {
  delete form.dataset.rejected;
  for (const each of form.querySelectorAll('.problem, .alert')) each.remove();
  for (const each of form.querySelectorAll('[aria-invalid]')) {
    each.removeAttribute('aria-invalid');
    each.removeAttribute('aria-describedby');
  }
}

function announceProblem(form: HTMLFormElement, problem: string) {
  const field =
    form.querySelector<FormField>('[aria-invalid]') ??
    form.querySelector<FormField>(AUTO_SAVED_FIELD_SELECTOR);
  showToast(`${field?.labels?.[0]?.textContent.trim() ?? ''}: ${problem}`, { isProblem: true });
}
