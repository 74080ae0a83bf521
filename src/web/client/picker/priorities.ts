import type { PickerTarget } from '../pickers.ts';
import { listOptionChoices } from './chips.ts';
import type { MenuChoice } from './menu.ts';

const PRIORITIES = ['high', 'medium', 'low'];

export function listPriorityChoices(target: PickerTarget, text: string): MenuChoice[] {
  const { anchor, control } = target;
  // In a filter, the list also has the option "Any priority".
  if (control) return listOptionChoices(target, text);
  const bars = anchor.querySelector('.bars')?.classList;
  const isCurrent = (value: string) => bars?.contains(value) ?? false;
  return PRIORITIES.flatMap((value) => {
    const option = document.querySelector(`.pickers [data-priority="${value}"]`);
    const label = option?.textContent ?? value;
    if (!label.toLowerCase().includes(text.toLowerCase())) return [];
    return [
      {
        value,
        label,
        mark: option?.querySelector('.bars') ?? null,
        isCurrent: isCurrent(value),
      },
    ];
  });
}
