import { createSecret, hashSecret } from '../../kernel/secrets/tokens.ts';

export const VERIFICATION_HOURS = 48;
const VERIFICATION_MS = VERIFICATION_HOURS * 60 * 60_000;

export function createVerificationLink(origin: string, now: number) {
  const token = createSecret();
  return {
    link: `${origin}/verify-email?token=${token}`,
    tokenHash: hashSecret(token),
    expiresAt: now + VERIFICATION_MS,
  };
}
