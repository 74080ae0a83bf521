/** No operation takes lists of objects of lists. A look into any depth would end the stack, and the request with 500. */
const DEPTH_MAX = 20;

/**
 * Says what is wrong with the first text that a database would not return unchanged; null if all of it can be stored.
 * NUL ends a text for SQLite and in exports; half of a surrogate pair has no UTF-8.
 * @param name of the field, for the message.
 */
export function describeUnstorable(value: unknown, name = 'the body', depth = 0): string | null {
  if (typeof value === 'string') {
    if (value.includes('\0')) return `${name} holds the character U+0000; send the text without it`;
    return value.isWellFormed()
      ? null
      : `${name} holds half of a surrogate pair; send whole Unicode characters`;
  }
  if (value === null || typeof value !== 'object') return null;
  if (depth > DEPTH_MAX) return `${name} is nested deeper than ${DEPTH_MAX} levels; send it flat`;
  for (const [key, each] of Object.entries(value)) {
    const found = describeUnstorable(each, Array.isArray(value) ? name : key, depth + 1);
    if (found) return found;
  }
  return null;
}
