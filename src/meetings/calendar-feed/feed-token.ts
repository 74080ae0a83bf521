import { createHmac } from 'node:crypto';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { hashSecret } from '../../kernel/secrets/tokens.ts';

const MAC_CHARACTERS = 32;
const TOKEN_PATTERN = /^(\d{1,4})-([\w-]{32})$/;

export const FEED_PATH = '/calendar';

/** Creates the secret part of the feed URL: the cell number, and a MAC that only the Worker can compute. */
export function createFeedToken(secret: string, cell: number, member: number, nonce: string): string {
  const mac = createHmac('sha256', `calendar ${secret}`).update(`${cell} ${member} ${nonce}`);
  return `${cell}-${mac.digest('base64url').slice(0, MAC_CHARACTERS)}`;
}

export function findFeedCell({ config }: RequestScope, token: string): number | null {
  const cell = Number(TOKEN_PATTERN.exec(token)?.[1] ?? Number.NaN);
  return config.cells.has(cell) ? cell : null;
}

/**
 * Returns null if the Worker no longer has the secret that created the token. The feed URL still works but can't be
 * shown.
 */
export function recreateFeedToken(
  { config }: RequestScope,
  { cell, member }: { cell: number; member: number },
  { hash, nonce }: { hash: string; nonce: string },
): string | null {
  for (const secret of [config.sessionSecret, config.sessionSecretPrevious]) {
    if (secret === null) continue;
    const token = createFeedToken(secret, cell, member, nonce);
    if (hashSecret(token) === hash) return token;
  }
  return null;
}
