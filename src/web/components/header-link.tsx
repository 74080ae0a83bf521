import { Icon } from './icon.tsx';
import type { IconName } from './icon-names.ts';

interface HeaderLinkProps {
  readonly href: string;
  readonly icon: IconName;
  readonly label: string;
  readonly isPrimary?: boolean;
}

export function HeaderLink({ href, icon, label, isPrimary = false }: HeaderLinkProps) {
  return (
    <a class={isPrimary ? 'button' : 'button plain'} href={href} title={label}>
      <Icon name={icon} />
      <span>{label}</span>
    </a>
  );
}
