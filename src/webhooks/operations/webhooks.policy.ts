import type { Caller } from '../../kernel/access/access.ts';
import type { Reach } from '../../kernel/access/capabilities.ts';
import { type AppError, forbidden, invalidRequest, notFound } from '../../kernel/errors/errors.ts';
import { show } from '../../kernel/errors/explain.ts';
import { describeUnsafeTarget } from '../../kernel/net/outbound-address.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { WEBHOOKS_MAX } from './webhooks.schema.ts';

export function webhookNotFound(id: number): AppError {
  return notFound('webhook', id, ({ call }) => call('listWebhooks'));
}

export function requireRole(reach: Reach) {
  if (reach === 'none') {
    throw forbidden('The role client may have no webhooks. An owner, admin, lead or member may make one.');
  }
}

export function tooManyWebhooks(): AppError {
  return invalidRequest(
    ({ call }) =>
      `The workspace has ${WEBHOOKS_MAX} webhooks, the most it may have is ${WEBHOOKS_MAX}. Remove one with ${call('deleteWebhook')}.`,
  );
}

/** Owners and admins see every webhook, and may pause and delete it; where it sends to is up to whoever made it. */
export function requireCreator(caller: Caller, { id, member }: { id: number; member: number }) {
  if (member === caller.member) return;
  throw forbidden(
    `Webhook ${id} is another person's: you may pause it with the status paused, and delete it, and nothing else.`,
  );
}

/** Throws 400 for an address that this deployment does not send to. */
export function requireSafeTarget({ config, origin }: RequestScope, url: string) {
  const unsafe = describeUnsafeTarget(url, {
    isLocal: config.isLocal,
    ownHost: new URL(origin).hostname,
  });
  if (unsafe) throw invalidRequest(({ field }) => `${field('url')} ${unsafe}; got ${show(url)}`);
}
