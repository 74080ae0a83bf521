import type { PickerTarget } from '../pickers.ts';
import { setControlValue } from './chips.ts';
import type { MenuChoice } from './menu.ts';

interface PendingSave {
  readonly form: HTMLFormElement;
  readonly anchor: HTMLElement;
  readonly stored: readonly Node[];
}

interface PickedValue {
  readonly name: string;
  readonly value: string;
}

const pendingSaves = new Set<PendingSave>();

export function saveChoice(target: PickerTarget, name: string, choice: MenuChoice) {
  if (target.control && target.task === '') return setControlValue(target.control, choice);
  const form = document.querySelector<HTMLFormElement>('.pickers form');
  if (form) savePickedValue(target, form, { name, value: choice.value }, choice);
}

/** Shows the choice and submits a copy of the form, so that several values can be saved at the same time. */
export function savePickedValue(
  { task, field, anchor }: PickerTarget,
  source: HTMLFormElement,
  picked: PickedValue,
  choice: Pick<MenuChoice, 'label' | 'mark' | 'shown'>,
) {
  const form = buildPickedForm(source, field, picked);
  form.action = form.action.replace(/\/tasks\/0$/, `/tasks/${task}`);
  if (anchor.dataset.pick === field) {
    const before = [...pendingSaves].find((save) => save.anchor === anchor);
    pendingSaves.add({ form, anchor, stored: before?.stored ?? [...anchor.childNodes] });
    showChoice(anchor, choice);
  }
  document.body.append(form);
  form.requestSubmit();
}

export async function waitForSaves(path: string) {
  const listBusyForms = () => [...document.querySelectorAll<HTMLFormElement>('form.picked[aria-busy]')];
  while (listBusyForms().some(({ action }) => new URL(action).pathname === path))
    await new Promise((resolve) => document.addEventListener('edgework:settled', resolve, { once: true }));
}

function buildPickedForm(
  source: HTMLFormElement,
  field: string,
  { name, value }: PickedValue,
): HTMLFormElement {
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action: source.action, hidden: true, className: 'picked' });
  form.dataset.auto = '';
  for (const each of source.querySelectorAll<HTMLInputElement>('[type="hidden"]'))
    if (each.name !== 'field') form.append(document.importNode(each));
  form.querySelector('[name="back"]')?.setAttribute('value', location.pathname + location.search);
  const kind = document.createElement('input');
  Object.assign(kind, { type: 'hidden', name: 'field', defaultValue: `picked-${field}` });
  const label = document.createElement('label');
  const input = document.createElement('input');
  Object.assign(input, { name, defaultValue: value });
  label.append(field.charAt(0).toUpperCase() + field.slice(1), input);
  form.append(kind, label);
  return form;
}

function showChoice(
  anchor: HTMLElement,
  { shown, mark, label }: Pick<MenuChoice, 'label' | 'mark' | 'shown'>,
) {
  anchor.classList.remove('unset');
  const element = (shown ?? mark)?.cloneNode(true);
  const isChip = anchor.matches('.chip *');
  const icon = isChip ? anchor.querySelector(':scope > .icon') : null;
  const text = shown ? '' : isChip || anchor.matches('.cell') || !mark ? ` ${label}` : '';
  anchor.replaceChildren(icon ?? '', element ?? '', text);
}

/**
 * Shows the stored value again if the server can't be reached. If the server rejects the change, its response contains
 * the stored value.
 */
export function enableRollback() {
  document.addEventListener('edgework:unsent', ({ detail }: CustomEventInit<HTMLFormElement>) => {
    for (const save of pendingSaves) if (save.form === detail) save.anchor.replaceChildren(...save.stored);
  });
  document.addEventListener('edgework:settled', () => {
    for (const save of pendingSaves) if (save.form.ariaBusy !== 'true') pendingSaves.delete(save);
    for (const form of document.querySelectorAll('form.picked:not([aria-busy])')) form.remove();
  });
}
