import type { PickTarget } from '../pickers.ts';
import { getControlLabel } from './chips.ts';
import { openMenu } from './menu.ts';

export function openFilterMenu(target: PickTarget, openPicker: (target: PickTarget) => void) {
  const chips = [...(target.anchor.closest('form')?.querySelectorAll<HTMLElement>('.chip') ?? [])];
  const fields = chips.flatMap((chip) => {
    const shown = chip.querySelector<HTMLElement>('[data-pick]');
    const control = chip.querySelector<HTMLSelectElement | HTMLInputElement>('select, input');
    return shown && control ? [{ shown, control, label: getControlLabel(control) }] : [];
  });
  openMenu(target, {
    label: 'Filter',
    placeholder: 'Filter by…',
    list: (text) =>
      fields
        .map(({ label, control }, at) => ({ value: String(at), label, note: control.value ? 'Set' : '' }))
        .filter(({ label }) => label.toLowerCase().includes(text.toLowerCase())),
    choose: ({ value }) => {
      const chosen = fields[Number(value)];
      if (!chosen) return;
      const field = chosen.shown.dataset.pick as PickTarget['field'];
      openPicker({ ...target, field, control: chosen.control, takeTyped: () => '' });
    },
  });
}
