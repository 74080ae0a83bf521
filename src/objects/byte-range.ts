/** What a request asks for: bytes from an offset on, or so many of the last. */
export type ByteRange = { offset: number } | { suffix: number };

/**
 * The one range of bytes that a request asks for (RFC 9110, 14.1.2); null for the whole file, which also answers several
 * ranges and wrong ones. Where it ends is R2's matter.
 */
export function parseRange(header: string): ByteRange | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header) ?? [];
  if (!first) return last ? { suffix: Number(last) } : null;
  return last && Number(last) < Number(first) ? null : { offset: Number(first) };
}

/** Whether a file of that many bytes has any of the range. */
export function isSatisfiable(range: ByteRange, size: number): boolean {
  return 'suffix' in range ? range.suffix > 0 && size > 0 : range.offset < size;
}
