import type { DerivedToken } from '../../kernel/secrets/derived-token.ts';

export const SHARED_PATH = '/shared';

export function toLinkToken(cell: number, ws: number, nonce: string): DerivedToken {
  return { purpose: 'public link', cell, owner: ws, nonce };
}
