import { formatCount } from '../../../kernel/text/number-format.ts';
import { Confirmation } from '../../components/confirm.tsx';
import { Field } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { SettingsNavigation } from '../../components/settings-navigation.tsx';
import { RelativeTime } from '../../components/time.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import { Deliveries } from './deliveries.view.tsx';
import { NewSecret, type Webhook, WebhookFields } from './webhook-fields.view.tsx';
import { describeWebhookState } from './webhook-state.ts';
import type { webhookParams, webhookReads } from './webhooks.tsx';

type Props = ViewProps<typeof webhookParams, typeof webhookReads, Record<never, never>>;

export function WebhookView({ visit, answers: { webhook, deliveries, projects } }: Props) {
  const { base, caller, secret, rejected } = visit;
  const own = `${base}/webhooks/${webhook.id}`;
  const { url, types, description, batch, project } = webhook;
  const projectId = project?.id ?? null;
  const isMine = webhook.createdBy.id === caller.userId;
  return (
    <div class="settings">
      <header class="head">
        <h1 class="address">{webhook.url}</h1>
      </header>
      <SettingsNavigation />
      <NewSecret secret={secret} />
      <WebhookDetails webhook={webhook} />
      <div class="actions">
        <PauseSwitch webhook={webhook} own={own} isMine={isMine} />
        {isMine ? (
          <Form action={`${own}/test`}>
            <button type="submit" class="plain">
              Send test
            </button>
          </Form>
        ) : null}
        {isMine ? (
          <Form action={`${own}/secret`}>
            <button type="submit" class="plain">
              New secret
            </button>
          </Form>
        ) : null}
      </div>
      <Deliveries deliveries={deliveries} own={own} isMine={isMine} />
      {isMine ? (
        <>
          <details class="edit" open={rejected?.action === `${own}/replay`}>
            <summary>Resend events</summary>
            <Form action={`${own}/replay`} class="panel padded">
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
          <details class="edit" open={rejected?.action === own}>
            <summary>Edit webhook</summary>
            <Form action={own} class="panel padded" shown={{ url, types, description, batch, projectId }}>
              <WebhookFields projects={projects} webhook={webhook} />
              <button type="submit">Save</button>
            </Form>
          </details>
        </>
      ) : null}
      <Confirmation label="Delete…" action={`${own}/remove`} confirm="Delete webhook">
        <p>This also deletes its delivery history. Pending events will not be sent.</p>
      </Confirmation>
    </div>
  );
}

/** The creator can pause and resume a webhook. Owners and admins can only pause it. */
function PauseSwitch({ webhook, own, isMine }: { webhook: Webhook; own: string; isMine: boolean }) {
  const isActive = webhook.status === 'active';
  if (!isActive && !isMine) return null;
  return (
    <Form action={own} of={{ status: isActive ? 'paused' : 'active' }}>
      <button type="submit" class="plain">
        {isActive ? 'Pause' : 'Start'}
      </button>
    </Form>
  );
}

function WebhookDetails({ webhook }: { webhook: Webhook }) {
  const { failingSince, nextAttemptAt, lastDeliveredAt, previousSecretUntil, types, project } = webhook;
  return (
    <dl class="props panel">
      <Detail label="Status">
        {describeWebhookState(webhook)}
        {failingSince ? (
          <>
            {' '}
            since <RelativeTime at={failingSince} />, {formatCount(webhook.failures, 'attempt')}
          </>
        ) : null}
        {nextAttemptAt && failingSince ? <>, next attempt at {formatTime(nextAttemptAt)}</> : null}
      </Detail>
      <Detail label="Description">
        <bdi>{webhook.description ?? 'None'}</bdi>
      </Detail>
      <Detail label="Events">
        {types === null ? 'All events' : types.join(', ')},{' '}
        {project ? <bdi>{project.name}</bdi> : 'all projects'}, {webhook.batch ? 'up to 100' : 'one'} per
        request
      </Detail>
      <Detail label="Last sent">
        {lastDeliveredAt ? (
          <>
            <RelativeTime at={lastDeliveredAt} />, up to event {webhook.cursor}
          </>
        ) : (
          'Never'
        )}
      </Detail>
      <Detail label="Created by">
        <bdi>{webhook.createdBy.name}</bdi>
        {{ session: '', api_key: ' with an API key', oauth: ' through an app' }[webhook.madeWith]}
      </Detail>
      {previousSecretUntil ? (
        <Detail label="Previous secret">valid until {formatTime(previousSecretUntil)}</Detail>
      ) : null}
    </dl>
  );
}

function formatTime(at: string) {
  return <time datetime={at}>{at.slice(0, 16).replace('T', ' ')} UTC</time>;
}

function Detail({ label, children }: { label: string; children?: unknown }) {
  return (
    <div class="prop">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
