import { Confirm } from '../../components/confirm.tsx';
import { Field } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { SettingsTabs } from '../../components/settings-tabs.tsx';
import { Ago, count } from '../../components/time.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import { Deliveries } from './deliveries.view.tsx';
import { ShownSecret, type Webhook, WebhookFields } from './webhook-fields.view.tsx';
import { stateOf } from './webhook-state.ts';
import type { webhookParams, webhookReads } from './webhooks.tsx';

type Props = ViewProps<typeof webhookParams, typeof webhookReads, Record<never, never>>;

export function WebhookView({ visit, answers: { webhook, deliveries, projects } }: Props) {
  const { base, caller, secret, refused } = visit;
  const own = `${base}/webhooks/${webhook.id}`;
  const { url, types, description, batch, project } = webhook;
  const projectId = project?.id ?? null;
  const isMine = webhook.createdBy.id === caller.userId;
  return (
    <div class="column-page">
      <header class="head">
        <h1 class="address">{webhook.url}</h1>
        <SettingsTabs />
      </header>
      <ShownSecret secret={secret} />
      <Facts webhook={webhook} />
      <div class="actions">
        <Switch webhook={webhook} own={own} isMine={isMine} />
        {isMine ? (
          <Form action={`${own}/test`}>
            <button type="submit" class="plain">
              Send a test
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
          <details class="edit" open={refused?.action === `${own}/replay`}>
            <summary>Send events again</summary>
            <Form action={`${own}/replay`} class="panel padded">
              <Field
                name="after"
                label="Everything after event number"
                type="number"
                min={0}
                value={String(webhook.cursor)}
                hint="In order, under the same message ids. 0 begins with the oldest of the last 30 days."
              />
              <button type="submit">Send again</button>
            </Form>
          </details>
          <details class="edit" open={refused?.action === own}>
            <summary>Change the webhook</summary>
            <Form action={own} class="panel padded" shown={{ url, types, description, batch, projectId }}>
              <WebhookFields projects={projects} webhook={webhook} />
              <button type="submit">Save</button>
            </Form>
          </details>
        </>
      ) : null}
      <Confirm label="Delete…" action={`${own}/remove`} confirm="Delete the webhook">
        <p>It goes with the record of its deliveries, and what it has not sent yet is not sent.</p>
      </Confirm>
    </div>
  );
}

/** Whoever made it starts and pauses it; owners and admins may pause those of others. */
function Switch({ webhook, own, isMine }: { webhook: Webhook; own: string; isMine: boolean }) {
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

function Facts({ webhook }: { webhook: Webhook }) {
  const { failingSince, nextAttemptAt, lastDeliveredAt, previousSecretUntil, types, project } = webhook;
  return (
    <dl class="props panel">
      <Fact label="State">
        {stateOf(webhook)}
        {failingSince ? (
          <>
            {' '}
            since <Ago at={failingSince} />, {count(webhook.failures, 'attempt')}
          </>
        ) : null}
        {nextAttemptAt && failingSince ? <>, tried again at {clock(nextAttemptAt)}</> : null}
      </Fact>
      <Fact label="For">
        <bdi>{webhook.description ?? 'not said'}</bdi>
      </Fact>
      <Fact label="Gets">
        {types === null ? 'every event' : types.join(', ')} of{' '}
        {project ? <bdi>{project.name}</bdi> : 'every project'}, {webhook.batch ? 'up to 100' : 'one'} a
        request
      </Fact>
      <Fact label="Last sent">
        {lastDeliveredAt ? <Ago at={lastDeliveredAt} /> : 'never'}, up to event {webhook.cursor}
      </Fact>
      <Fact label="Made by">
        <bdi>{webhook.createdBy.name}</bdi>
        {{ session: '', api_key: ', with an API key', oauth: ', through an app' }[webhook.madeWith]}
      </Fact>
      {previousSecretUntil ? (
        <Fact label="Old secret">signs as well until {clock(previousSecretUntil)}</Fact>
      ) : null}
    </dl>
  );
}

function clock(at: string) {
  return <time datetime={at}>{at.slice(0, 16).replace('T', ' ')} UTC</time>;
}

function Fact({ label, children }: { label: string; children?: unknown }) {
  return (
    <div class="prop">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
