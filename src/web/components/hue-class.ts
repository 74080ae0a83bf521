const HUE_COUNT = 8;

/** Returns one of the eight color classes in src/web/styles/tokens.css, always the same one for the same text. */
export function getHueClass(text: string): string {
  let sum = 0;
  for (const letter of text) sum = (sum * 31 + letter.charCodeAt(0)) % 65_521;
  return `hue-${sum % HUE_COUNT}`;
}
