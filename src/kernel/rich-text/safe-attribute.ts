/** What a link may literally begin with; an entity or a control character in its scheme makes it another text. */
export const SAFE_LINK = /^(?:https?:\/\/|mailto:|tel:|#|\/|\.\.?\/)/i;
const NUMBERED_REFERENCE = /&#(?:x([0-9a-f]+)|(\d+));?/gi;
/** Characters of references. A decoded one could become another reference with the characters beside it. */
const PART_OF_REFERENCE = /[&#;0-9a-z]/i;
const CONTROL_END = 0x20;
const ASCII_END = 0x7f;
/** From here on a reference means the character of its number; below, HTML reads some as Windows-1252. */
const LATIN_START = 0xa0;

/** A safe form of one attribute of a link, without its value if that is not safe; null for any other attribute. */
export function safeAttribute(name: string, value: string): string | null {
  if (name !== 'href' && name !== 'title') return null;
  const text = readable(value);
  const isKept = text !== '' && (name === 'title' || SAFE_LINK.test(text));
  return isKept ? `${name}="${escapeValue(text)}"` : name;
}

/** Numbers of plain characters are decoded, control characters are spaces; named references stay as they were written. */
function readable(value: string): string {
  const decoded = value.replace(NUMBERED_REFERENCE, (reference, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return isPlain(code) ? String.fromCodePoint(code) : reference;
  });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop some of them before they read a scheme
  return decoded.replace(/[\u0000-\u001f]/g, ' ').trim();
}

function isPlain(code: number): boolean {
  if (code < ASCII_END) return code < CONTROL_END || !PART_OF_REFERENCE.test(String.fromCodePoint(code));
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return code >= LATIN_START && code <= 0x10ffff && !isSurrogate;
}

function escapeValue(text: string): string {
  return text.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
