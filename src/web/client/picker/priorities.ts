import type { PickTarget } from '../pickers.ts';
import type { Choice } from './menu.ts';

const PRIORITIES = ['high', 'medium', 'low'];

export function listPriorities({ anchor }: PickTarget, text: string): Choice[] {
  const bars = anchor.querySelector('.bars')?.classList;
  const isCurrent = (value: string) =>
    anchor instanceof HTMLSelectElement ? anchor.value === value : (bars?.contains(value) ?? false);
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
