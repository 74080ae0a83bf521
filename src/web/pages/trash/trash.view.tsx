import { EmptyState } from '../../components/empty-state.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { Pager } from '../../components/pager.tsx';
import { SettingsNavigation } from '../../components/settings-navigation.tsx';
import { RelativeTime } from '../../components/time.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import type { trashParams, trashReads } from './trash.tsx';

type Props = ViewProps<typeof trashParams, typeof trashReads, Record<never, never>>;

export function TrashView({ visit: { base }, answers: { trash } }: Props) {
  return (
    <div class="settings">
      <header class="head">
        <h1>Trash</h1>
      </header>
      <SettingsNavigation />
      {trash.data.length === 0 ? (
        <EmptyState icon="trash-2">
          <p>No deleted tasks. You can restore tasks here for 30 days after they're deleted.</p>
        </EmptyState>
      ) : (
        <>
          <ul class="rows panel">
            {trash.data.map((task) => (
              <li>
                <span class="row-name">
                  <bdi>{task.name}</bdi>
                </span>
                <a class="row-meta" href={`${base}/projects/${task.project.id}`}>
                  <bdi>{task.project.name}</bdi>
                </a>
                <span class="row-meta wide-only">
                  <bdi>{task.deletedBy.name}</bdi>
                </span>
                <span class="row-meta">
                  <RelativeTime at={task.deletedAt} />
                </span>
                <Form action={`${base}/trash/${task.id}/restore`}>
                  <button type="submit" class="quiet" aria-label={`Restore ${task.name}`}>
                    <Icon name="archive-restore" />
                    Restore
                  </button>
                </Form>
              </li>
            ))}
          </ul>
          <p class="hint">Tasks and their files are permanently deleted after 30 days.</p>
        </>
      )}
      <Pager meta={trash.meta} />
    </div>
  );
}
