import type { PickTarget } from '../pickers.ts';
import type { Choice } from './menu.ts';

const PRIORITIES = ['high', 'medium', 'low'];

export function listPriorities({ anchor }: PickTarget, text: string): Choice[] {
  const current = anchor.querySelector('.bars')?.classList;
  return PRIORITIES.flatMap((value) => {
    const shown = document.querySelector(`#pickers [data-priority="${value}"]`);
    const label = shown?.textContent ?? value;
    if (!label.toLowerCase().includes(text.toLowerCase())) return [];
    return [
      {
        value,
        label,
        mark: shown?.querySelector('.bars') ?? null,
        isCurrent: current?.contains(value) ?? false,
      },
    ];
  });
}
