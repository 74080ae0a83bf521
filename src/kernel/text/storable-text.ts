/** Valid input is never nested this deeply. Without a limit, deep input would overflow the stack. */
const INPUT_DEPTH_MAX = 20;

const CONTROL_CHARACTER = /[^\P{Cc}\t\n\r\u007f-\u009f]/u;
const CONTROL_CHARACTERS = new RegExp(CONTROL_CHARACTER, 'gu');

export interface UnstorableValue {
  readonly path: readonly (string | number)[];
  readonly problem: string;
}

export function findUnstorableText(
  value: unknown,
  path: UnstorableValue['path'] = [],
): UnstorableValue | null {
  if (typeof value === 'string') {
    const [control] = CONTROL_CHARACTER.exec(value) ?? [];
    const problem =
      control === undefined ? describeUnstorableText(value) : describeUnstorableCharacter(control);
    return problem === null ? null : { path, problem };
  }
  if (value === null || typeof value !== 'object') return null;
  if (path.length > INPUT_DEPTH_MAX) {
    const problem = `must be nested at most ${INPUT_DEPTH_MAX} levels deep`;
    return { path: path.slice(0, 1), problem };
  }
  for (const [key, each] of Object.entries(value)) {
    const found = findUnstorableText(each, [...path, Array.isArray(value) ? Number(key) : key]);
    if (found) return found;
  }
  return null;
}

/** Explains why a database would change the text: NUL ends a string, and a lone surrogate has no UTF-8 encoding. */
export function describeUnstorableText(text: string): string | null {
  if (text.includes('\0')) return describeUnstorableCharacter('\0');
  return text.isWellFormed() ? null : 'contains half of a surrogate pair; send complete Unicode characters';
}

/** Used for form fields, because people can't see control characters and therefore can't remove them. */
export function removeControlCharacters(text: string): string {
  // `replaceAll` would build a tree with a node per control character. Joining builds a flat string.
  return text.split(CONTROL_CHARACTERS).join('');
}

function describeUnstorableCharacter(character: string): string {
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `contains the character U+${code}; send the text without it`;
}
