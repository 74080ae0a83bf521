import { quoteValue } from '../../kernel/errors/describe-parse-error.ts';
import { type AppError, invalidRequestError } from '../../kernel/errors/errors.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { describeUnknownEndpoint } from './push-services.ts';

export const BROWSERS_MAX = 10;

export function requirePushEndpoint({ config, origin }: RequestScope, endpoint: string) {
  const unknown = describeUnknownEndpoint(endpoint, {
    isLocal: config.isLocal,
    deploymentHost: new URL(origin).hostname,
  });
  if (unknown === null) return;
  throw invalidRequestError(({ field }) => `${field('endpoint')} ${unknown}; got ${quoteValue(endpoint)}`);
}

export function pushUnavailableError(): AppError {
  return invalidRequestError("Push notifications aren't set up on this server.");
}

export function invalidBrowserKeyError(): AppError {
  return invalidRequestError(({ field }) => `${field('p256dh')} must be a public key on the curve P-256`);
}

export function notSubscribedError(): AppError {
  return invalidRequestError('Push notifications are off in this browser. Turn them on first.');
}

/** A subscription belongs to a browser's session, which a session token doesn't have. */
export function notInBrowserError(): AppError {
  return invalidRequestError('Only a signed-in browser can get push notifications. Sign in and try again.');
}

export function tooManyBrowsersError(): AppError {
  return invalidRequestError(
    `You can get push notifications in up to ${BROWSERS_MAX} browsers. Turn them off in one of the others first, or sign it out on your account page.`,
  );
}
