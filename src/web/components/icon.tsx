import { assets } from '../page-model/assets.ts';
import type { IconName } from './icon-names.ts';

/** A picture of the sprite. It carries no meaning by itself: a text or a label beside it does. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" width="16" height="16" aria-hidden="true">
      <use href={`${assets.icons}#${name}`} />
    </svg>
  );
}
