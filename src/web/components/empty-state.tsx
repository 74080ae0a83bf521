import type { PropsWithChildren } from 'hono/jsx';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-names.ts';

/** What stands where nothing is yet: what belongs here, and how to make it. */
export function EmptyState({ icon, children }: PropsWithChildren<{ icon: IconName }>) {
  return (
    <div class="empty-state">
      <Icon name={icon} />
      {children}
    </div>
  );
}
