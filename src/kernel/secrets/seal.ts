import { createHmac, timingSafeEqual } from 'node:crypto';

const SIGNATURE_CHARACTERS = 22;

/** Appends 132 bits of a signature to a text: nobody else can make one, and it holds for this purpose alone. */
export function seal(secret: string, purpose: string, text: string): string {
  return text + signatureOf(secret, purpose, text);
}

/** The text that one of the secrets has sealed for this purpose; null for anything else. */
export function openSeal(
  secrets: readonly (string | null)[],
  purpose: string,
  sealed: string,
): string | null {
  const text = sealed.slice(0, -SIGNATURE_CHARACTERS);
  const signature = Buffer.from(sealed.slice(-SIGNATURE_CHARACTERS));
  const isOurs = secrets.some((secret) => {
    if (secret === null) return false;
    const known = Buffer.from(signatureOf(secret, purpose, text));
    return signature.length === known.length && timingSafeEqual(signature, known);
  });
  return isOurs ? text : null;
}

/** A derived key, not the secret itself: the key of a seal must not be able to sign a session token. */
function signatureOf(secret: string, purpose: string, text: string): string {
  const mac = createHmac('sha256', `seal ${secret}`).update(`${purpose}\n${text}`);
  return mac.digest('base64url').slice(0, SIGNATURE_CHARACTERS);
}
