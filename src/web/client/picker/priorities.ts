import type { PickTarget } from '../pickers.ts';
import { listOptions } from './chips.ts';
import type { Choice } from './menu.ts';

const PRIORITIES = ['high', 'medium', 'low'];

export function listPriorities(target: PickTarget, text: string): Choice[] {
  const { anchor, control } = target;
  // A filter's list also has an option for any priority.
  if (control) return listOptions(target, text);
  const bars = anchor.querySelector('.bars')?.classList;
  const isCurrent = (value: string) => bars?.contains(value) ?? false;
  return PRIORITIES.flatMap((value) => {
    const shown = document.querySelector(`.pickers [data-priority="${value}"]`);
    const label = shown?.textContent ?? value;
    if (!label.toLowerCase().includes(text.toLowerCase())) return [];
    return [
      {
        value,
        label,
        mark: shown?.querySelector('.bars') ?? null,
        isCurrent: isCurrent(value),
      },
    ];
  });
}
