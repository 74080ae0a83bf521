import { createHash } from 'node:crypto';
import type { Caller } from '../access/access.ts';
import { AppError } from '../errors/errors.ts';
import { formatWording, type Wording } from '../text/wording.ts';

const TAG_CHARACTERS = 22;

/**
 * Different people get different tags, even for identical responses. A person's tags change with their role (RFC 9110,
 * 8.8.3).
 */
export function buildEntityTag(text: string, caller: Caller | null, version: number | null = null): string {
  const seenBy = caller ? `${caller.workspaceId} ${caller.userId} ${caller.role}` : '';
  const digest = createHash('sha256').update(`${seenBy}\n${text}`).digest('base64url');
  const hash = digest.slice(0, TAG_CHARACTERS);
  return version === null ? `"${hash}"` : `"${version}-${hash}"`;
}

/** `header` is a list of tags or `*`. Ignores the prefix of weak tags (RFC 9110, 8.8.3.2). */
export function matchesEntityTag(header: string, tag: string): boolean {
  if (header.trim() === '*') return true;
  return header.split(',').some((each) => each.trim().replace(/^W\//, '') === tag);
}

/** Matches a version, or a tag with a version. A hash has 22 characters, so it can't equal a version. */
const VERSION_TAG_PATTERN = new RegExp(`^"?(\\d+)(?:-[\\w-]{${TAG_CHARACTERS}})?"?$`);

/** Ignores the rest of the tag, because other parts of the response may have changed. */
export function matchesVersion(header: string, version: number): boolean {
  return header.split(',').some((each) => {
    const [, named] = VERSION_TAG_PATTERN.exec(each.trim().replace(/^W\//, '')) ?? [];
    return Number(named) === version;
  });
}

/** HTTP requires status 412, and `invalid_request` is the closest error code. */
export function preconditionFailedError(named: Wording = 'If-Match'): AppError {
  return new AppError(
    'invalid_request',
    (words) =>
      `${formatWording(named, words)} must name the current version: the resource has changed since you read it, or it has no version. GET it again, review the change, and send the request with the new ETag.`,
    { status: 412 },
  );
}
