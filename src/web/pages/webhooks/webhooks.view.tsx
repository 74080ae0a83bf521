import { getReach } from '../../../kernel/access/capabilities.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { Pager } from '../../components/pager.tsx';
import { SettingsNavigation } from '../../components/settings-navigation.tsx';
import { RelativeTime } from '../../components/time.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import { NewSecretNotice, type Webhook, WebhookFields } from './webhook-fields.view.tsx';
import { describeWebhookState } from './webhook-state.ts';
import type { webhooksParams, webhooksReads } from './webhooks.tsx';

type Props = ViewProps<typeof webhooksParams, typeof webhooksReads, Record<never, never>>;

export function WebhooksView({ visit, answers: { webhooks, projects } }: Props) {
  const { base, caller, secret, rejected } = visit;
  const action = `${base}/webhooks`;
  return (
    <div class="settings">
      <header class="head">
        <h1>Webhooks</h1>
      </header>
      <SettingsNavigation />
      <NewSecretNotice secret={secret} />
      {webhooks.data.length === 0 ? (
        <EmptyState icon="link">
          <p>
            Webhooks send workspace events to your server as they happen.{' '}
            <a href="/docs/events">Read the guide</a>
          </p>
        </EmptyState>
      ) : (
        <ul class="rows panel group webhooks">
          {webhooks.data.map((webhook) => (
            <WebhookRow webhook={webhook} href={`${action}/${webhook.id}`} />
          ))}
        </ul>
      )}
      <Pager meta={webhooks.meta} />
      {getReach(caller, 'manageWebhooks') === 'none' ? (
        <p class="hint">Clients can't create webhooks.</p>
      ) : (
        <details class="edit" open={rejected?.action === action}>
          <summary class="button">
            <Icon name="plus" />
            New webhook
          </summary>
          <Form action={action} class="panel padded">
            <WebhookFields projects={projects} />
            <button type="submit">Create webhook</button>
          </Form>
        </details>
      )}
    </div>
  );
}

function WebhookRow({ webhook, href }: { webhook: Webhook; href: string }) {
  return (
    <li>
      <a class="row-name" href={href}>
        {webhook.url}
      </a>
      <span class="row-meta">
        <bdi>{webhook.description ?? ''}</bdi>
      </span>
      <span class="row-meta">{describeWebhookState(webhook)}</span>
      <span class="row-date">
        {webhook.lastDeliveredAt ? <RelativeTime at={webhook.lastDeliveredAt} /> : 'Never sent'}
      </span>
    </li>
  );
}
