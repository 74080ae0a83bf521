import { createHmac } from 'node:crypto';
import { hashSecret } from './tokens.ts';

const MAC_CHARACTERS = 32;
const TOKEN_PATTERN = /^(\d{1,4})-([\w-]{32})$/;

/** The database stores only the nonce and the token's hash, but the Worker can display the token again. */
export interface DerivedToken {
  readonly purpose: 'calendar' | 'public link' | 'intake form';
  readonly cell: number;
  /** The number of the member or workspace that the token belongs to. */
  readonly owner: number;
  readonly nonce: string;
}

interface TokenIssuer {
  readonly config: {
    readonly cells: ReadonlyMap<number, unknown>;
    readonly sessionSecret: string;
    readonly sessionSecretPrevious: string | null;
  };
}

/** Returns the cell number and a MAC that only the Worker can compute. */
export function createDerivedToken(secret: string, { purpose, cell, owner, nonce }: DerivedToken): string {
  const mac = createHmac('sha256', `${purpose} ${secret}`).update(`${cell} ${owner} ${nonce}`);
  return `${cell}-${mac.digest('base64url').slice(0, MAC_CHARACTERS)}`;
}

export function findTokenCell({ config }: TokenIssuer, token: string): number | null {
  const cell = Number(TOKEN_PATTERN.exec(token)?.[1] ?? Number.NaN);
  return config.cells.has(cell) ? cell : null;
}

/**
 * Returns null if the Worker no longer has the secret that created the token. The token still works but can't be
 * displayed.
 */
export function recreateDerivedToken(
  { config }: TokenIssuer,
  { hash, ...token }: DerivedToken & { readonly hash: string },
): string | null {
  for (const secret of [config.sessionSecret, config.sessionSecretPrevious]) {
    if (secret === null) continue;
    const recreated = createDerivedToken(secret, token);
    if (hashSecret(recreated) === hash) return recreated;
  }
  return null;
}
