import { sha256 } from '@oslojs/crypto/sha2';
import { encodeBase64urlNoPadding } from '@oslojs/encoding';

/** SHA-256 in base64url, the only form of S256 challenges (RFC 7636 §4.2). */
const CHALLENGE_PATTERN = /^[\w-]{43}$/;
const VERIFIER_PATTERN = /^[\w.~-]{43,128}$/;

export function isValidChallenge(text: string): boolean {
  return CHALLENGE_PATTERN.test(text);
}

export function computeChallenge(verifier: string): string | null {
  if (!VERIFIER_PATTERN.test(verifier)) return null;
  return encodeBase64urlNoPadding(sha256(new TextEncoder().encode(verifier)));
}
