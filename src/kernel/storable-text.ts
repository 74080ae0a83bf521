/**
 * Says what is wrong with the first text that a database would not return unchanged; null if all of it can be stored.
 * NUL ends a text for SQLite and in exports; half of a surrogate pair has no UTF-8.
 * @param name of the field, for the message.
 */
export function describeUnstorable(value: unknown, name = 'the body'): string | null {
  if (typeof value === 'string') {
    if (value.includes('\0')) return `${name} holds the character U+0000; send the text without it`;
    return value.isWellFormed()
      ? null
      : `${name} holds half of a surrogate pair; send whole Unicode characters`;
  }
  if (value === null || typeof value !== 'object') return null;
  for (const [key, each] of Object.entries(value)) {
    const found = describeUnstorable(each, Array.isArray(value) ? name : key);
    if (found) return found;
  }
  return null;
}
