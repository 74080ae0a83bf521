const LINE_BREAKS_PATTERN = /[\r\n\u2028\u2029]+/;

/** Passwords and URLs are validated exactly as sent. */
const verbatimFields = ['password', 'newPassword', 'next', 'back'];

/** The API accepts line breaks in names, but single-line fields can't display them. */
export function toOneLine(text: string): string {
  if (!LINE_BREAKS_PATTERN.test(text)) return text;
  return text
    .split(LINE_BREAKS_PATTERN)
    .filter((line) => line !== '')
    .join(' ');
}

export function toOneLineFields(form: URLSearchParams, multiline: readonly string[]): URLSearchParams {
  const asTheyAre = new Set([...multiline, ...verbatimFields]);
  return new URLSearchParams(
    [...form].map(([name, value]) => [name, asTheyAre.has(name) ? value : toOneLine(value)]),
  );
}
