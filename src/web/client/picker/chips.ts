import { toInitials } from '../../../workspaces/reference/initials.ts';
import { getHueClass } from '../../components/hue.ts';
import type { PickTarget } from '../pickers.ts';
import { buildDateChip } from './date-chip.ts';
import { findNames } from './find-names.ts';
import type { Choice } from './menu.ts';

type Control = NonNullable<PickTarget['control']>;

export const isPersonId = (value: string) => value.startsWith('usr_');

export function getControlLabel(control: Control): string {
  return control.ariaLabel ?? control.labels?.[0]?.textContent.trim() ?? '';
}

export function setControl(control: Control, { value, label }: Pick<Choice, 'value' | 'label'>) {
  if (control instanceof HTMLSelectElement && ![...control.options].some((each) => each.value === value))
    control.add(new Option(label, value));
  control.value = value;
  const { form } = control;
  if (form?.method === 'get' || control.closest('[data-without]')) form?.requestSubmit();
  else for (const name of ['input', 'change']) control.dispatchEvent(new Event(name, { bubbles: true }));
}

export function showValue(chip: HTMLElement) {
  const shown = chip.querySelector<HTMLElement>('[data-pick]');
  const control = chip.querySelector<Control>('select, input:not([type="hidden"])');
  if (!shown || !control) return;
  const icon = shown.querySelector(':scope > .icon') ?? '';
  const empty = Object.assign(document.createElement('span'), {
    className: 'unset',
    textContent: chip.dataset.empty ?? '',
  });
  if (control instanceof HTMLSelectElement) {
    const [option] = control.selectedOptions;
    const mark = buildMark(shown.dataset.pick ?? '', control.value, option?.text ?? '');
    shown.replaceChildren(icon, mark ?? '', ` ${option?.text ?? ''}`);
  } else if (control.value === '') shown.replaceChildren(icon, empty);
  else if (control.type === 'date') shown.replaceChildren(icon, buildDateChip(control.value));
  else shown.replaceChildren(icon, control.value);
}

function buildMark(field: string, value: string, name: string): Element | null {
  const mark = document.createElement('span');
  if (field === 'status' && value) mark.className = `ring ${value}`;
  else if (field === 'priority' && value) mark.className = `bars ${value}`;
  else if (field === 'assignee' && isPersonId(value)) {
    mark.className = `avatar ${getHueClass(value)}`;
    mark.textContent = toInitials(name);
  } else if (field === 'assignee') mark.className = 'avatar unassigned';
  else return null;
  return mark;
}

const foundByControl = new WeakMap<Control, readonly Choice[]>();

export async function searchOptions(control: Control, text: string) {
  const finder = control.closest('.chip')?.querySelector<HTMLElement>('[data-finds]');
  const found = finder && text !== '' ? await findNames(finder.dataset.finds ?? '', text) : null;
  foundByControl.set(control, found?.map(({ id, name, note }) => ({ value: id, label: name, note })) ?? []);
}

export function listOptions({ control, field }: PickTarget, text: string): Choice[] {
  if (!(control instanceof HTMLSelectElement)) return listSuggestions(control, text);
  const listed = [...control.options].map(({ value, text: label, parentElement }) => ({
    value,
    label,
    note: parentElement instanceof HTMLOptGroupElement ? parentElement.label : '',
    mark: buildMark(field, value, label),
    isCurrent: value === control.value,
  }));
  const matching = listed.filter(({ label, note }) =>
    `${label} ${note}`.toLowerCase().includes(text.toLowerCase()),
  );
  const found = text === '' ? [] : (foundByControl.get(control) ?? []);
  return [...matching, ...found.filter(({ value }) => !listed.some((each) => each.value === value))];
}

/** A text field also accepts text that isn't suggested. */
function listSuggestions(control: HTMLInputElement | undefined, text: string): Choice[] {
  const names = [...(control?.list?.options ?? [])].map(({ value }) => value);
  const matching = names.filter((name) => name.toLowerCase().includes(text.toLowerCase()));
  const all = text === '' || names.includes(text) ? matching : [...matching, text];
  return all.map((value) => ({ value, label: value, isCurrent: value === control?.value }));
}
