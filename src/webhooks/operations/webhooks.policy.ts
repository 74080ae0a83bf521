import type { Caller } from '../../kernel/access/access.ts';
import type { Reach } from '../../kernel/access/capabilities.ts';
import { quoteValue } from '../../kernel/errors/describe-parse-error.ts';
import {
  type AppError,
  forbiddenError,
  invalidRequestError,
  notFoundError,
} from '../../kernel/errors/errors.ts';
import { describeUnsafeUrl } from '../../kernel/net/outbound-url.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { WEBHOOKS_MAX } from './webhooks.schema.ts';

export function webhookNotFoundError(id: number): AppError {
  return notFoundError('webhook', id, ({ call }) => call('listWebhooks'));
}

export function requireWebhookRole(reach: Reach) {
  if (reach === 'none') {
    throw forbiddenError("Clients can't have webhooks. Ask an owner, admin, lead or member to create one.");
  }
}

export function tooManyWebhooksError(): AppError {
  return invalidRequestError(
    ({ call }) =>
      `This workspace has reached its limit of ${WEBHOOKS_MAX} webhooks. Delete one with ${call('deleteWebhook')}.`,
  );
}

/** Owners and admins can pause and delete any webhook, but only its creator decides where events are sent. */
export function requireCreator(caller: Caller, { id, member }: { id: number; member: number }) {
  if (member === caller.member) return;
  throw forbiddenError(
    `Webhook ${id} belongs to another person. You can only pause it (status paused) or delete it.`,
  );
}

export function requireSafeUrl({ config, origin }: RequestScope, url: string) {
  const unsafe = describeUnsafeUrl(url, {
    isLocal: config.isLocal,
    deploymentHost: new URL(origin).hostname,
  });
  if (unsafe) throw invalidRequestError(({ field }) => `${field('url')} ${unsafe}; got ${quoteValue(url)}`);
}
