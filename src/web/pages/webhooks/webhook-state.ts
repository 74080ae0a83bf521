import type { StopReason } from '../../../webhooks/delivery/stop-reasons.ts';
import type { Webhook } from './webhook-fields.view.tsx';

const whyStopped: Readonly<Record<Exclude<StopReason, 'scope'>, string>> = {
  receiver_gone: 'Stopped: the receiver is gone',
  failed_too_long: 'Stopped: it failed for too long',
  access_ended: 'Stopped: the access of its maker ended',
  address_refused: 'Stopped: nothing is sent to its address',
  secret_unreadable: 'Stopped: it needs a new secret',
};

/** How a webhook is, in a word or two. */
export function stateOf({ status, stopReason, failures }: Webhook): string {
  if (stopReason === 'scope') return 'Paused: its API key or app lacks a scope';
  if (status === 'stopped') return stopReason === null ? 'Stopped' : whyStopped[stopReason];
  if (status === 'paused') return 'Paused';
  return failures > 0 ? 'Failing' : 'Active';
}
