import { createHash } from 'node:crypto';
import type { Caller } from '../access/access.ts';
import { AppError } from '../errors/errors.ts';
import { say, type Wording } from '../text/wording.ts';

/** In base64url: 132 bits. */
const TAG_CHARACTERS = 22;

/**
 * The tag of an answer as this caller sees it (RFC 9110, 8.8.3). Other permissions make another tag, even if the bytes are
 * equal.
 * @param version of the resource, where it has versions: the tag begins with it.
 */
export function entityTag(text: string, caller: Caller | null, version: number | null = null): string {
  const seenBy = caller ? `${caller.workspaceId} ${caller.userId} ${caller.role}` : '';
  // crypto.subtle would cost more: its promise takes longer than the hash, on every answer.
  const digest = createHash('sha256').update(`${seenBy}\n${text}`).digest('base64url');
  const hash = digest.slice(0, TAG_CHARACTERS);
  return version === null ? `"${hash}"` : `"${version}-${hash}"`;
}

/** Whether a list of tags, or `*`, names this one. Weak tags compare by the quoted part (RFC 9110, 8.8.3.2). */
export function namesTag(header: string, tag: string): boolean {
  if (header.trim() === '*') return true;
  return header.split(',').some((each) => each.trim().replace(/^W\//, '') === tag);
}

/** A version alone, or a whole tag. A tag without a version has 22 characters, so none of them looks like either. */
const VERSION = new RegExp(`^"?(\\d+)(?:-[\\w-]{${TAG_CHARACTERS}})?"?$`);

/** Whether a list of tags names this version. Only the version counts: what else a tag covers may have changed. */
export function namesVersion(header: string, version: number): boolean {
  return header.split(',').some((each) => {
    const [, named] = VERSION.exec(each.trim().replace(/^W\//, '')) ?? [];
    return Number(named) === version;
  });
}

/**
 * HTTP says 412; `invalid_request` is the closest code of the closed list.
 * @param named what named the version.
 */
export function preconditionFailed(named: Wording = 'If-Match'): AppError {
  return new AppError(
    'invalid_request',
    (words) =>
      `${say(named, words)} must name the current version: the resource has changed since you read it, or has no version of its own. GET it again, review the change, and send the request with the new ETag.`,
    { status: 412 },
  );
}
