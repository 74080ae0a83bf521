import { assets } from '../page-model/assets.ts';
import type { IconName } from './icon-names.ts';

/** Icons are decorative, so they need text or a label next to them. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" width="16" height="16" aria-hidden="true">
      <use href={`${assets.icons}#${name}`} />
    </svg>
  );
}
