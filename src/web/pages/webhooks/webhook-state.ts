import type { StopReason } from '../../../webhooks/delivery/stop-reasons.ts';
import type { Webhook } from './webhook-fields.view.tsx';

const stopReasonLabels: Readonly<Record<Exclude<StopReason, 'scope'>, string>> = {
  receiver_gone: 'Stopped: the receiver returned 410 Gone',
  failed_too_long: 'Stopped: failed for too long',
  access_ended: 'Stopped: its creator lost access',
  address_refused: "Stopped: its URL isn't allowed",
  secret_unreadable: 'Stopped: needs a new secret',
};

export function describeWebhookState({ status, stopReason, failures }: Webhook): string {
  if (stopReason === 'scope') return 'Paused: its API key or app is missing a scope';
  if (status === 'stopped') return stopReason === null ? 'Stopped' : stopReasonLabels[stopReason];
  if (status === 'paused') return 'Paused';
  return failures > 0 ? 'Failing' : 'Active';
}
