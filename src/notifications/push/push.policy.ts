import { quoteValue } from '../../kernel/errors/describe-parse-error.ts';
import { type AppError, invalidRequestError } from '../../kernel/errors/errors.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { describeUnknownEndpoint } from './push-services.ts';
import type { PushOutcome } from './send-push.ts';

export const BROWSERS_MAX = 10;

export function requirePushEndpoint({ config, origin }: RequestScope, endpoint: string) {
  const unknown = describeUnknownEndpoint(endpoint, {
    isLocal: config.isLocal,
    deploymentHost: new URL(origin).hostname,
  });
  if (unknown === null) return;
  const { host = '' } = URL.parse(endpoint) ?? {};
  throw invalidRequestError(({ field }) => `${field('endpoint')} ${unknown}; got ${quoteValue(host)}`);
}

export function pushUnavailableError(): AppError {
  return invalidRequestError("Push notifications aren't set up on this server.");
}

export function invalidBrowserKeyError(): AppError {
  return invalidRequestError(({ field }) => `${field('p256dh')} must be a public key on the curve P-256`);
}

/** The browser subscribed before the operator replaced the key. */
export function formerServerKeyError(): AppError {
  return invalidRequestError('The key for push notifications has changed. Reload the page and try again.');
}

export function testFailedError(outcome: Exclude<PushOutcome, { kind: 'sent' }>): AppError {
  return invalidRequestError(
    outcome.kind === 'gone'
      ? 'Push notifications no longer work in this browser. Turn them on again.'
      : `This browser's push service didn't accept the test (${outcome.reason}). Try again later. If this error appears again, turn push notifications off and on.`,
  );
}

export function notSubscribedError(): AppError {
  return invalidRequestError('Push notifications are off in this browser. Turn them on first.');
}

/** A subscription belongs to a browser's session, which a session token doesn't have. */
export function notInBrowserError(): AppError {
  return invalidRequestError('Your session has ended. Sign in and try again.');
}

export function tooManyBrowsersError(): AppError {
  return invalidRequestError(
    `You can get push notifications in up to ${BROWSERS_MAX} browsers. Turn them off in one of the others first, or sign it out on your account page.`,
  );
}
