import { hmac } from '@oslojs/crypto/hmac';
import { SHA256 } from '@oslojs/crypto/sha2';
import { constantTimeEqual } from '@oslojs/crypto/subtle';
import { encodeBase64urlNoPadding } from '@oslojs/encoding';

/** HMAC-SHA-256 in base64url. Start the text with its purpose, so that the signature isn't valid for any other. */
export function signText(secret: string, text: string): string {
  const encoder = new TextEncoder();
  return encodeBase64urlNoPadding(hmac(SHA256, encoder.encode(secret), encoder.encode(text)));
}

/** Compares in constant time, so that the time reveals nothing about the secrets. */
export function isSameSecret(known: string, sent: string): boolean {
  const encoder = new TextEncoder();
  return constantTimeEqual(encoder.encode(known), encoder.encode(sent));
}
