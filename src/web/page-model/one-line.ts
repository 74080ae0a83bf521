const BREAKS = /[\r\n\u2028\u2029]+/;

/** Secrets and addresses, which are validated as they are. */
const verbatim = ['password', 'newPassword', 'next', 'back'];

/** Line breaks become spaces: `/v1` accepts them in names, and a single-line field can't show them. */
export function toOneLine(text: string): string {
  if (!BREAKS.test(text)) return text;
  return text
    .split(BREAKS)
    .filter((line) => line !== '')
    .join(' ');
}

/**
 * A form without line breaks in its fields of one line: a text area, or a program, sends them all the same.
 * @param multiline names of the other fields.
 */
export function withOneLineFields(form: URLSearchParams, multiline: readonly string[]): URLSearchParams {
  const asTheyAre = new Set([...multiline, ...verbatim]);
  return new URLSearchParams(
    [...form].map(([name, value]) => [name, asTheyAre.has(name) ? value : toOneLine(value)]),
  );
}
