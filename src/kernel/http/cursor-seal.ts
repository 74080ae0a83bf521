import { createHmac, timingSafeEqual } from 'node:crypto';

const SEAL_CHARACTERS = 22;
/** Parameters that change what a page shows, but not which page it is. */
const besideTheList = ['cursor', 'offset', 'limit', 'fields', 'expand'];

/** What a cursor belongs to: a path with its filters and its order. */
export function listOf({ pathname, searchParams }: URL): string {
  const filters = new URLSearchParams(searchParams);
  for (const name of besideTheList) filters.delete(name);
  filters.sort();
  return `${pathname}?${filters}`;
}

/** Appends 132 bits of a signature to the cursor: nobody else can make one, and it works only for its own list. */
export function sealCursor(secret: string, list: string, cursor: string): string {
  return cursor + sealOf(secret, list, cursor);
}

/** The cursor that one of the secrets has sealed for this list; null for anything else. */
export function openCursor(secrets: readonly (string | null)[], list: string, sealed: string): string | null {
  const cursor = sealed.slice(0, -SEAL_CHARACTERS);
  const seal = Buffer.from(sealed.slice(-SEAL_CHARACTERS));
  const isOurs = secrets.some((secret) => {
    if (secret === null) return false;
    const known = Buffer.from(sealOf(secret, list, cursor));
    return seal.length === known.length && timingSafeEqual(seal, known);
  });
  return isOurs ? cursor : null;
}

/** A derived key, not the secret itself: the key of a cursor must not be able to sign a session token. */
function sealOf(secret: string, list: string, cursor: string): string {
  const mac = createHmac('sha256', `cursor ${secret}`).update(`${list}\n${cursor}`);
  return mac.digest('base64url').slice(0, SEAL_CHARACTERS);
}
