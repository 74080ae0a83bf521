import type { DerivedToken } from '../../kernel/secrets/derived-token.ts';

export const FEED_PATH = '/calendar';

export function toFeedToken(cell: number, member: number, nonce: string): DerivedToken {
  return { purpose: 'calendar', cell, owner: member, nonce };
}
