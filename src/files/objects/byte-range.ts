export type ByteRange = { offset: number } | { suffix: number };

/** Returns null, meaning the whole file, for multiple ranges or an invalid header (RFC 9110 §14.1.2). */
export function parseRange(header: string): ByteRange | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header) ?? [];
  if (!first) return last ? { suffix: Number(last) } : null;
  return last && Number(last) < Number(first) ? null : { offset: Number(first) };
}

export function isSatisfiableRange(range: ByteRange, size: number): boolean {
  return 'suffix' in range ? range.suffix > 0 && size > 0 : range.offset < size;
}
