import { encodeBase64urlNoPadding } from '@oslojs/encoding';
import type { Caller } from './access.ts';
import { AppError } from './errors.ts';

const TAG_BYTES = 16;

/**
 * The tag of an answer as this caller sees it (RFC 9110, 8.8.3): other permissions, another tag, even where the bytes
 * happen to be the same.
 */
export async function entityTag(text: string, caller: Caller | undefined): Promise<string> {
  const seenBy = caller ? `${caller.workspaceId} ${caller.userId} ${caller.role}` : '';
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${seenBy}\n${text}`));
  return `"${encodeBase64urlNoPadding(new Uint8Array(digest).subarray(0, TAG_BYTES))}"`;
}

/** Whether a list of tags, or `*`, names this one. Weak ones compare by what they quote (RFC 9110, 8.8.3.2). */
export function namesTag(header: string, tag: string): boolean {
  if (header.trim() === '*') return true;
  return header.split(',').some((each) => each.trim().replace(/^W\//, '') === tag);
}

/** HTTP says 412; the closed list of codes has no closer one than `invalid_request`. */
export function preconditionFailed(): AppError {
  return new AppError(
    'invalid_request',
    'If-Match names another version: the resource has changed since you read it, or has no version of its own. GET it again, look at the change, and send the request with the new ETag.',
    { status: 412 },
  );
}
