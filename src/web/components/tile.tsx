import { toInitials } from '../../workspaces/reference/initials.ts';
import { getHueClass } from './hue.ts';

/** Shows the first letter of a project's or workspace's name on its color. */
export function Tile({ name, of }: { name: string; of: string }) {
  return (
    <span class={`tile ${getHueClass(of)}`} aria-hidden="true">
      {toInitials(name).slice(0, 1)}
    </span>
  );
}
