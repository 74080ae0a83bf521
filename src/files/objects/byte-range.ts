/** The bytes that a request asks for: those from an offset on, or a number of the last ones. */
export type ByteRange = { offset: number } | { suffix: number };

/**
 * The one range of bytes that a request asks for (RFC 9110, 14.1.2). Null means the whole file, which also answers
 * requests for several ranges and wrong ranges. R2 cuts a range at the end of the file.
 */
export function parseRange(header: string): ByteRange | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header) ?? [];
  if (!first) return last ? { suffix: Number(last) } : null;
  return last && Number(last) < Number(first) ? null : { offset: Number(first) };
}

/** Whether a file of that size has any byte of the range. */
export function isSatisfiable(range: ByteRange, size: number): boolean {
  return 'suffix' in range ? range.suffix > 0 && size > 0 : range.offset < size;
}
