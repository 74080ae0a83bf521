import { unauthorizedError } from '../../kernel/errors/errors.ts';
import { parseTokenCell } from '../../kernel/secrets/tokens.ts';

export const API_KEY_PREFIX = 'ew_live_';
export const OAUTH_TOKEN_PREFIX = 'ew_oat_';

export type PresentedCredential =
  | { readonly kind: 'api_key' | 'oauth'; readonly credential: string; readonly cell: number }
  | { readonly kind: 'session'; readonly credential: string };

export function parseCredential(authorization: string | undefined): PresentedCredential {
  const credential = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (!credential) {
    throw unauthorizedError(
      ({ call }) =>
        `Send an Authorization: Bearer <credential> header with an API key (ew_live_…), an OAuth access token (ew_oat_…) or a session token from ${call('login')}.`,
    );
  }
  if (credential.startsWith(API_KEY_PREFIX))
    return parseCellCredential('api_key', API_KEY_PREFIX, credential);
  if (credential.startsWith(OAUTH_TOKEN_PREFIX))
    return parseCellCredential('oauth', OAUTH_TOKEN_PREFIX, credential);
  return { kind: 'session', credential };
}

function parseCellCredential(
  kind: 'api_key' | 'oauth',
  prefix: string,
  credential: string,
): PresentedCredential {
  const cell = parseTokenCell(prefix, credential);
  if (cell === null) throw unknownCredentialError(kind);
  return { kind, credential, cell };
}

/** Each kind has one message, which doesn't reveal whether a credential is unknown, mistyped, expired or revoked. */
export function unknownCredentialError(kind: PresentedCredential['kind']) {
  return unauthorizedError(
    ({ call }) =>
      ({
        api_key:
          "This API key was revoked or doesn't exist. Check that you copied the whole key, or create a new one under Connected apps.",
        oauth:
          "This access token has expired, was revoked or doesn't exist. Authorize the app again to get a new one.",
        session: `This session token has expired or doesn't exist. Sign in again with ${call('login')}.`,
      })[kind],
  );
}
