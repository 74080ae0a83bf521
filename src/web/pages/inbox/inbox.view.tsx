import type * as z from 'zod';
import { toWallClock } from '../../../kernel/dates/civil-date.ts';
import { describeImages } from '../../../kernel/rich-text/attachment-images.ts';
import { shorten } from '../../../kernel/text/shorten.ts';
import { describeNotification } from '../../../notifications/inbox/notification-text.ts';
import type { notification } from '../../../notifications/inbox/notifications.schema.ts';
import { replaceMentions } from '../../../tasks/mentions/mentions.ts';
import { useVisit } from '../../components/context.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { Pager } from '../../components/pager.tsx';
import { Avatar } from '../../components/people.tsx';
import { formatDayHeading, RelativeTime } from '../../components/time.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import type { inboxParams, inboxReads } from './inbox.tsx';

const SHOWN_COMMENT_CHARACTERS_MAX = 200;

type Props = ViewProps<typeof inboxParams, typeof inboxReads, Record<never, never>>;
type Notification = z.output<typeof notification>;

export function InboxView({ visit, params, answers: { notifications } }: Props) {
  const { base, caller, today } = visit;
  const { meta, isCounted } = notifications;
  const days = Map.groupBy(
    notifications.data,
    ({ createdAt }) => toWallClock(Date.parse(createdAt), caller.timezone).date,
  );
  return (
    <>
      <header class="head">
        <h1>Inbox</h1>
        <InboxTabs here={params.show ?? 'all'} />
        {notifications.data.some(({ isRead }) => !isRead) ? (
          <Form action={`${base}/inbox/read`}>
            <button type="submit" class="plain">
              <Icon name="check" />
              Mark all as read
            </button>
          </Form>
        ) : null}
      </header>
      {notifications.data.length === 0 ? (
        <EmptyState icon="inbox">
          <p>
            {params.show
              ? "You're all caught up."
              : 'Nothing here yet. Assignments, mentions and updates to tasks you follow appear here.'}
          </p>
        </EmptyState>
      ) : null}
      {[...days].map(([day, items]) => (
        <section class="group">
          <h2>{formatDayHeading(day, today)}</h2>
          <ul class="rows panel inbox">
            {items.map((item) => (
              <NotificationItem item={item} />
            ))}
          </ul>
        </section>
      ))}
      <Pager meta={isCounted ? meta : { ...meta, total: meta.total + 1 }} countedTo={meta.total} />
    </>
  );
}

export function InboxTabs({ here }: { here: 'all' | 'unread' | 'settings' }) {
  const { base } = useVisit();
  const tabs = [
    ['all', '/inbox', 'All'],
    ['unread', '/inbox?show=unread', 'Unread'],
    ['settings', '/inbox/mail', 'Settings'],
  ] as const;
  return (
    <nav class="tabs" aria-label="Notifications">
      {tabs.map(([name, path, label]) => (
        <a href={base + path} aria-current={name === here ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}

function NotificationItem({ item }: { item: Notification }) {
  const { base, caller, names } = useVisit();
  const elsewhere = item.workspace.id === caller.workspaceId ? null : item.workspace.name;
  return (
    <li class={item.isRead ? 'read' : 'unread'} id={`notification-${item.id}`}>
      {item.isRead ? (
        <span class="unread-mark" />
      ) : (
        <span class="unread-mark" role="img" aria-label="Unread" />
      )}
      {item.actor ? <Avatar person={item.actor} hasVisibleName /> : <Icon name="inbox" />}
      <Form action={`${base}/inbox/${item.id}/open`} class="inbox-text">
        <button
          type="submit"
          class="row-button"
          data-task={elsewhere === null && item.type !== 'changes_proposed' ? item.task?.id : undefined}
        >
          <span>
            <strong>{item.actor?.name ?? 'Edgework'}</strong> {describeNotification(item.type)}{' '}
            <bdi>{item.task?.name ?? item.project?.name ?? ''}</bdi>
          </span>
          {item.comment ? (
            <q>
              {shorten(
                describeImages(replaceMentions(item.comment.content, names)),
                SHOWN_COMMENT_CHARACTERS_MAX,
              )}
            </q>
          ) : null}
        </button>
      </Form>
      <span class="row-meta wide-only">{elsewhere ?? item.project?.name ?? ''}</span>
      <span class="row-meta">
        <RelativeTime at={item.createdAt} />
      </span>
      {item.isRead ? null : (
        <Form action={`${base}/inbox/${item.id}/read`}>
          <button type="submit" class="quiet" aria-label="Mark as read" title="Mark as read">
            <Icon name="check" />
          </button>
        </Form>
      )}
      <Form action={`${base}/inbox/${item.id}/remove`}>
        <button type="submit" class="quiet" aria-label="Remove from inbox" title="Remove">
          <Icon name="x" />
        </button>
      </Form>
    </li>
  );
}
