import type { PropsWithChildren } from 'hono/jsx';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-names.ts';

export function EmptyState({ icon, children }: PropsWithChildren<{ icon: IconName }>) {
  return (
    <div class="empty-state">
      <Icon name={icon} />
      {children}
    </div>
  );
}
