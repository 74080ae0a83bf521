import { formatCount } from '../../../kernel/text/number-format.ts';
import { Confirmation } from '../../components/confirmation.tsx';
import { Field } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { SettingsNavigation } from '../../components/settings-navigation.tsx';
import { RelativeTime } from '../../components/time.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import { DeliveriesSection } from './deliveries.view.tsx';
import { NewSecretNotice, type Webhook, WebhookFields } from './webhook-fields.view.tsx';
import { describeWebhookState } from './webhook-state.ts';
import type { webhookParams, webhookReads } from './webhooks.tsx';

type Props = ViewProps<typeof webhookParams, typeof webhookReads, Record<never, never>>;

export function WebhookView({ visit, answers: { webhook, deliveries, projects } }: Props) {
  const { base, caller, secret, rejected } = visit;
  const webhookUrl = `${base}/webhooks/${webhook.id}`;
  const { url, types, description, batch, project } = webhook;
  const projectId = project?.id ?? null;
  const isMine = webhook.createdBy.id === caller.userId;
  return (
    <div class="settings">
      <header class="head">
        <h1 class="address">{webhook.url}</h1>
      </header>
      <SettingsNavigation />
      <NewSecretNotice secret={secret} />
      <WebhookDetails webhook={webhook} />
      <div class="actions">
        <PauseButton webhook={webhook} webhookUrl={webhookUrl} isMine={isMine} />
        {isMine ? (
          <Form action={`${webhookUrl}/test`}>
            <button type="submit" class="plain">
              Send test
            </button>
          </Form>
        ) : null}
        {isMine ? (
          <Form action={`${webhookUrl}/secret`}>
            <button type="submit" class="plain">
              Replace secret
            </button>
          </Form>
        ) : null}
      </div>
      <DeliveriesSection deliveries={deliveries} webhookUrl={webhookUrl} isMine={isMine} />
      {isMine ? (
        <>
          <details class="edit" open={rejected?.action === `${webhookUrl}/replay`}>
            <summary>Resend events</summary>
            <Form action={`${webhookUrl}/replay`} class="panel padded">
              <Field
                name="after"
                label="After event number"
                type="number"
                min={0}
                value={String(webhook.cursor)}
                hint="Resends all later events in order, with the same message IDs. 0 starts with the oldest event of the last 30 days."
              />
              <button type="submit">Resend</button>
            </Form>
          </details>
          <details class="edit" open={rejected?.action === webhookUrl}>
            <summary>Edit webhook</summary>
            <Form
              action={webhookUrl}
              class="panel padded"
              snapshot={{ url, types, description, batch, projectId }}
            >
              <WebhookFields projects={projects} webhook={webhook} />
              <button type="submit">Save</button>
            </Form>
          </details>
        </>
      ) : null}
      <Confirmation label="Delete webhook…" action={`${webhookUrl}/remove`} confirm="Delete webhook">
        <p>This also deletes its delivery history. Pending events won't be sent.</p>
      </Confirmation>
    </div>
  );
}

/** The creator can pause and resume a webhook. Owners and admins can only pause it. */
function PauseButton({
  webhook,
  webhookUrl,
  isMine,
}: {
  webhook: Webhook;
  webhookUrl: string;
  isMine: boolean;
}) {
  const isActive = webhook.status === 'active';
  if (!isActive && !isMine) return null;
  return (
    <Form action={webhookUrl} of={{ status: isActive ? 'paused' : 'active' }}>
      <button type="submit" class="plain">
        {isActive ? 'Pause' : 'Resume'}
      </button>
    </Form>
  );
}

function WebhookDetails({ webhook }: { webhook: Webhook }) {
  const { failingSince, nextAttemptAt, lastDeliveredAt, previousSecretUntil, types, project } = webhook;
  return (
    <dl class="property-list panel">
      <WebhookDetail label="Status">
        {describeWebhookState(webhook)}
        {failingSince ? (
          <>
            {' '}
            · first failed <RelativeTime at={failingSince} />, {formatCount(webhook.failures, 'attempt')}
          </>
        ) : null}
        {nextAttemptAt && failingSince ? <>, next attempt at {renderUtcTime(nextAttemptAt)}</> : null}
      </WebhookDetail>
      <WebhookDetail label="Description">
        <bdi>{webhook.description ?? 'None'}</bdi>
      </WebhookDetail>
      <WebhookDetail label="Events">
        {types === null ? 'All events' : types.join(', ')},{' '}
        {project ? <bdi>{project.name}</bdi> : 'all projects'}, {webhook.batch ? 'up to 100' : 'one'} per
        request
      </WebhookDetail>
      <WebhookDetail label="Last sent">
        {lastDeliveredAt ? (
          <>
            <RelativeTime at={lastDeliveredAt} />, up to event {webhook.cursor}
          </>
        ) : (
          'Never'
        )}
      </WebhookDetail>
      <WebhookDetail label="Created by">
        <bdi>{webhook.createdBy.name}</bdi>
        {{ session: '', api_key: ' with an API key', oauth: ' through an app' }[webhook.madeWith]}
      </WebhookDetail>
      {previousSecretUntil ? (
        <WebhookDetail label="Previous secret">
          valid until {renderUtcTime(previousSecretUntil)}
        </WebhookDetail>
      ) : null}
    </dl>
  );
}

function renderUtcTime(at: string) {
  return <time datetime={at}>{at.slice(0, 16).replace('T', ' ')} UTC</time>;
}

function WebhookDetail({ label, children }: { label: string; children?: unknown }) {
  return (
    <div class="property">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
