import { assets } from '../page-model/assets.ts';
import type { IconName } from './icon-names.ts';

/** Decorative: it needs text or a label next to it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" width="16" height="16" aria-hidden="true">
      <use href={`${assets.icons}#${name}`} />
    </svg>
  );
}
