import { hmac } from '@oslojs/crypto/hmac';
import { SHA256 } from '@oslojs/crypto/sha2';
import { constantTimeEqual } from '@oslojs/crypto/subtle';
import { encodeBase64urlNoPadding } from '@oslojs/encoding';

/**
 * Returns an HMAC-SHA-256 in base64url. The text must start with its purpose, so that the signature isn't valid for
 * another purpose.
 */
export function signText(secret: string, text: string): string {
  const encoder = new TextEncoder();
  return encodeBase64urlNoPadding(hmac(SHA256, encoder.encode(secret), encoder.encode(text)));
}

export function isSameSecret(known: string, sent: string): boolean {
  const encoder = new TextEncoder();
  return constantTimeEqual(encoder.encode(known), encoder.encode(sent));
}
