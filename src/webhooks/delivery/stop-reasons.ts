import type { OAuthScope } from '../../kernel/access/access.ts';

/** A webhook reads the feed on behalf of its receiver, so it needs both scopes. */
export const webhookScopes = ['webhooks:write', 'events:read'] as const satisfies readonly OAuthScope[];

/** Every reason stops the webhook, except `scope`, which pauses it. */
export const stopReasons = [
  'receiver_gone',
  'failed_too_long',
  'access_ended',
  'address_refused',
  'secret_unreadable',
  'scope',
] as const;
export type StopReason = (typeof stopReasons)[number];
