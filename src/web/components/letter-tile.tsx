import { toInitials } from '../../workspaces/reference/initials.ts';
import { getHueClass } from './hue-class.ts';

export function LetterTile({ name, of }: { name: string; of: string }) {
  return (
    <span class={`tile ${getHueClass(of)}`} aria-hidden="true">
      {toInitials(name).slice(0, 1)}
    </span>
  );
}
