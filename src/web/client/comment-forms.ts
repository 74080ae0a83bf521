import { isEdited } from './edited-fields.ts';
import { isFirstCall } from './first-call.ts';

/** Moves the focus into a comment form when it opens. Escape moves it back to the button that opened the form. */
export function enableCommentForms() {
  if (!isFirstCall('commentForms')) return;
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest('.text-edit > summary') : null;
    const section = button?.parentElement;
    if (!(section instanceof HTMLDetailsElement) || section.open) return;
    // The browser would open the form later, and keys pressed until then would be lost.
    event.preventDefault();
    section.open = true;
    const field = section.querySelector('textarea');
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  });
  document.addEventListener('keydown', ({ key, target, isComposing }) => {
    if (key !== 'Escape' || isComposing || !(target instanceof HTMLTextAreaElement)) return;
    const section = target.closest<HTMLDetailsElement>('.text-edit');
    // A form with unsent text stays open.
    if (section && !isEdited(target)) section.open = false;
    section?.querySelector('summary')?.focus();
  });
}
