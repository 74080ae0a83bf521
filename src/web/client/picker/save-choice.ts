import type { PickTarget } from '../pickers.ts';
import type { Choice } from './menu.ts';

interface Save {
  readonly form: HTMLFormElement;
  readonly anchor: HTMLElement;
  /** The stored content of the anchor. */
  readonly stored: readonly Node[];
}

const saves = new Set<Save>();

/** Shows the choice, and sends it with a form of its own, so that saves of several values don't wait for each other. */
export function saveChoice({ task, field, anchor }: PickTarget, name: string, choice: Choice) {
  const form = buildForm(task, field, { name, value: choice.value });
  if (!form) return;
  if (anchor.dataset.pick === field) {
    const before = [...saves].find((save) => save.anchor === anchor);
    saves.add({ form, anchor, stored: before?.stored ?? [...anchor.childNodes] });
    showChoice(anchor, choice);
  }
  document.body.append(form);
  form.requestSubmit();
}

function buildForm(task: string, field: string, { name, value }: { name: string; value: string }) {
  const form = document.querySelector('#pickers form')?.cloneNode(true);
  if (!(form instanceof HTMLFormElement)) return null;
  form.hidden = true;
  form.classList.add('picked');
  form.dataset.auto = '';
  form.action = form.action.replace(/\/0$/, `/${task}`);
  const [kind] = form.querySelectorAll<HTMLInputElement>('[name="field"]');
  kind?.setAttribute('value', `${kind.value}${field}`);
  const label = document.createElement('label');
  const input = document.createElement('input');
  Object.assign(input, { name, defaultValue: value });
  label.append(field.charAt(0).toUpperCase() + field.slice(1), input);
  form.append(label);
  return form;
}

/** Cards show only the mark. */
function showChoice(anchor: HTMLElement, { shown, mark, label }: Choice) {
  anchor.classList.remove('unset');
  const content = [shown ?? mark, !shown && (anchor.matches('.cell') || !mark) && label];
  anchor.replaceChildren(
    ...content
      .filter((each) => each != null && each !== false)
      .map((each) => (typeof each === 'string' ? ` ${each}` : each.cloneNode(true))),
  );
}

/** Shows the stored value again if the server can't be reached. If it refuses, its page has the stored value. */
export function enableRollback() {
  document.addEventListener('edgework:unsent', ({ detail }: CustomEventInit<HTMLFormElement>) => {
    for (const save of saves) if (save.form === detail) save.anchor.replaceChildren(...save.stored);
  });
  document.addEventListener('edgework:settled', () => {
    for (const save of saves) if (save.form.ariaBusy !== 'true') saves.delete(save);
    for (const form of document.querySelectorAll('form.picked:not([aria-busy])')) form.remove();
  });
}
