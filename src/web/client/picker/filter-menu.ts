import type { PickerTarget } from '../pickers.ts';
import { getControlLabel } from './chips.ts';
import { openMenu } from './menu.ts';

export function openFilterMenu(target: PickerTarget, openPicker: (target: PickerTarget) => void) {
  const chips = [...(target.anchor.closest('form')?.querySelectorAll<HTMLElement>('.chip') ?? [])];
  const fields = chips.flatMap((chip) => {
    const chipValue = chip.querySelector<HTMLElement>('[data-pick]');
    const control = chip.querySelector<HTMLSelectElement | HTMLInputElement>('select, input');
    return chipValue && control ? [{ chipValue, control, label: getControlLabel(control) }] : [];
  });
  openMenu(target, {
    label: 'Filter',
    placeholder: 'Filter by…',
    list: (text) =>
      fields
        .map(({ label, control }, at) => ({ value: String(at), label, note: control.value ? 'Set' : '' }))
        .filter(({ label }) => label.toLowerCase().includes(text.toLowerCase())),
    choose: ({ value }) => {
      const selectedField = fields[Number(value)];
      if (!selectedField) return;
      const field = selectedField.chipValue.dataset.pick as PickerTarget['field'];
      openPicker({ ...target, field, control: selectedField.control, takeTyped: () => '' });
    },
  });
}
