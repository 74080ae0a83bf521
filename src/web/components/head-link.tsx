import { Icon } from './icon.tsx';
import type { IconName } from './icon-names.ts';

interface Props {
  readonly href: string;
  readonly icon: IconName;
  readonly label: string;
  readonly isPrimary?: boolean;
}

export function HeadLink({ href, icon, label, isPrimary = false }: Props) {
  return (
    <a class={isPrimary ? 'button' : 'button plain'} href={href} title={label}>
      <Icon name={icon} />
      <span>{label}</span>
    </a>
  );
}
