import { createHmac, timingSafeEqual } from 'node:crypto';

const SIGNATURE_CHARACTERS = 22;

/** Appends a 132-bit signature that is valid only for the given purpose. */
export function appendSeal(secret: string, purpose: string, text: string): string {
  return text + buildSignature(secret, purpose, text);
}

export function removeSeal(
  secrets: readonly (string | null)[],
  purpose: string,
  sealed: string,
): string | null {
  const text = sealed.slice(0, -SIGNATURE_CHARACTERS);
  const signature = Buffer.from(sealed.slice(-SIGNATURE_CHARACTERS));
  const isOurs = secrets.some((secret) => {
    if (secret === null) return false;
    const known = Buffer.from(buildSignature(secret, purpose, text));
    return signature.length === known.length && timingSafeEqual(signature, known);
  });
  return isOurs ? text : null;
}

/** Uses a separate key, so that a seal is never valid as the signature of a session token. */
function buildSignature(secret: string, purpose: string, text: string): string {
  const mac = createHmac('sha256', `seal ${secret}`).update(`${purpose}\n${text}`);
  return mac.digest('base64url').slice(0, SIGNATURE_CHARACTERS);
}
