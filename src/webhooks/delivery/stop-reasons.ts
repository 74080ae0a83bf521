import type { OAuthScope } from '../../kernel/access/access.ts';

/** What it takes to have events sent: a webhook reads the feed for its receiver. */
export const webhookScopes = ['webhooks:write', 'events:read'] as const satisfies readonly OAuthScope[];

/** Why a webhook stopped by itself; for want of a `scope` it is paused. */
export const stopReasons = [
  'receiver_gone',
  'failed_too_long',
  'access_ended',
  'address_refused',
  'secret_unreadable',
  'scope',
] as const;
export type StopReason = (typeof stopReasons)[number];
