import { buildAttachmentUrl, parseAttachmentUrl } from './attachment-images.ts';

/** Matches the start of a safe link. Schemes with entities or control characters don't match. */
export const SAFE_LINK = /^(?:https?:\/\/|mailto:|tel:|#|\/|\.\.?\/)/i;
const NUMERIC_REFERENCE = /&#(?:x([0-9a-f]+)|(\d+));?/gi;
/** These characters stay encoded, because once decoded they could form a new reference with the surrounding text. */
const CHARACTER_REFERENCE_PART = /[&#;0-9a-z]/i;
const CONTROL_END = 0x20;
const ASCII_END = 0x7f;
/** HTML reads some numeric references below this number as Windows-1252 characters. */
const LATIN1_START = 0xa0;

export function toSafeAttribute(name: string, value: string): string | null {
  if (name !== 'href' && name !== 'title') return null;
  const text = normalizeAttributeValue(value);
  const isKept = text !== '' && (name === 'title' || SAFE_LINK.test(text));
  return isKept ? `${name}="${escapeAttributeValue(text)}"` : name;
}

export function toSafeImageAttribute(name: string, value: string): string | null {
  const text = normalizeAttributeValue(value);
  if (name === 'alt') return `alt="${escapeAttributeValue(text)}"`;
  const id = name === 'src' ? parseAttachmentUrl(text) : null;
  return id === null ? null : `src="${buildAttachmentUrl(id)}"`;
}

function normalizeAttributeValue(value: string): string {
  const decoded = value.replace(NUMERIC_REFERENCE, (reference, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return canDecodeCharacter(code) ? String.fromCodePoint(code) : reference;
  });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop some of them before they read a scheme
  return decoded.replace(/[\u0000-\u001f]/g, ' ').trim();
}

function canDecodeCharacter(code: number): boolean {
  if (code < ASCII_END)
    return code < CONTROL_END || !CHARACTER_REFERENCE_PART.test(String.fromCodePoint(code));
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return code >= LATIN1_START && code <= 0x10ffff && !isSurrogate;
}

function escapeAttributeValue(text: string): string {
  return text.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
