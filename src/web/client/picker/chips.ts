import { toInitials } from '../../../workspaces/reference/initials.ts';
import { getHueClass } from '../../components/hue-class.ts';
import type { PickerTarget } from '../pickers.ts';
import { buildDateChip } from './date-chip.ts';
import { findNames } from './find-names.ts';
import type { MenuChoice } from './menu.ts';

type Control = NonNullable<PickerTarget['control']>;

export const isPersonId = (value: string) => value.startsWith('usr_');

export function getControlLabel(control: Control): string {
  return control.ariaLabel ?? control.labels?.[0]?.textContent.trim() ?? '';
}

export function setControlValue(control: Control, { value, label }: Pick<MenuChoice, 'value' | 'label'>) {
  if (control instanceof HTMLSelectElement && ![...control.options].some((each) => each.value === value))
    control.add(new Option(label, value));
  control.value = value;
  const { form } = control;
  if (form?.method === 'get' || control.closest('[data-without]')) form?.requestSubmit();
  else for (const name of ['input', 'change']) control.dispatchEvent(new Event(name, { bubbles: true }));
}

export function showChipValue(chip: HTMLElement) {
  const chipValue = chip.querySelector<HTMLElement>('[data-pick]');
  const control = chip.querySelector<Control>('select, input:not([type="hidden"])');
  if (!chipValue || !control) return;
  const icon = chipValue.querySelector(':scope > .icon') ?? '';
  const empty = Object.assign(document.createElement('span'), {
    className: 'unset',
    textContent: chip.dataset.empty ?? '',
  });
  if (control instanceof HTMLSelectElement) {
    const [option] = control.selectedOptions;
    const mark = buildMark(chipValue.dataset.pick ?? '', control.value, option?.text ?? '');
    chipValue.replaceChildren(icon, mark ?? '', ` ${option?.text ?? ''}`);
  } else if (control.value === '') chipValue.replaceChildren(icon, empty);
  else if (control.type === 'date') chipValue.replaceChildren(icon, buildDateChip(control.value));
  else chipValue.replaceChildren(icon, control.value);
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

const resultsByControl = new WeakMap<Control, readonly MenuChoice[]>();

export async function searchOptions(control: Control, text: string) {
  const finder = control.closest('.chip')?.querySelector<HTMLElement>('[data-finds]');
  const results = finder && text !== '' ? await findNames(finder.dataset.finds ?? '', text) : null;
  resultsByControl.set(
    control,
    results?.map(({ id, name, note }) => ({ value: id, label: name, note })) ?? [],
  );
}

export function listOptionChoices({ control, field }: PickerTarget, text: string): MenuChoice[] {
  if (!(control instanceof HTMLSelectElement)) return listTextChoices(control, text);
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
  const results = text === '' ? [] : (resultsByControl.get(control) ?? []);
  return [...matching, ...results.filter(({ value }) => !listed.some((each) => each.value === value))];
}

/** A text field also accepts text that isn't suggested. */
function listTextChoices(control: HTMLInputElement | undefined, text: string): MenuChoice[] {
  const names = [...(control?.list?.options ?? [])].map(({ value }) => value);
  const matching = names.filter((name) => name.toLowerCase().includes(text.toLowerCase()));
  const all = text === '' || names.includes(text) ? matching : [...matching, text];
  return all.map((value) => ({ value, label: value, isCurrent: value === control?.value }));
}
