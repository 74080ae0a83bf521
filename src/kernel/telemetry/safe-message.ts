const MESSAGE_CHARACTERS_MAX = 200;

const replacements: readonly (readonly [pattern: RegExp, by: string])[] = [
  [/\bhttps?:\/\/\S+/gi, '<url>'],
  [/[^\s<>"'`,;:()]+@[^\s<>"'`,;:()]+/g, '<email>'],
  [/'[^']*'|"[^"]*"|`[^`]*`/g, '<text>'],
  // Matches ids and tokens, which start with a prefix such as `ws_`, or are long and contain digits.
  [/\b[a-z]{2,5}_[\w-]{12,}/g, '<id>'],
  [/(?<![\w-])(?=[\w-]*\d)[\w-]{16,}/g, '<id>'],
  [/\b\d{1,3}(\.\d{1,3}){3}\b/g, '<ip>'],
  [/(?<![\w:])[0-9a-f]{0,4}(:[0-9a-f]{0,4}){3,}(?![\w:])/gi, '<ip>'],
  [/\d{4,}/g, '<number>'],
];

export function toSafeMessage(cause: string): string {
  const [line = ''] = cause.slice(0, 10 * MESSAGE_CHARACTERS_MAX).split('\n');
  const safe = replacements.reduce((text, [pattern, by]) => text.replace(pattern, by), line);
  return safe.slice(0, MESSAGE_CHARACTERS_MAX);
}
