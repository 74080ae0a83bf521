const URI_CHARACTERS_MAX = 2048;
/** Excludes line breaks, which could split a header. URIs percent-encode the other excluded characters. */
const PRINTABLE_ASCII_PATTERN = /^[\x21-\x7e]+$/;
const LOOPBACK_ORIGIN_PATTERN = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)/i;
/** The schemes of known apps. Other private schemes must contain a dot (RFC 8252 §7.1). */
const knownSchemes = ['cursor:', 'vscode:', 'vscode-insiders:', 'claude:'];

export function describeUnsafeRedirect(uri: string): string | null {
  if (uri.length > URI_CHARACTERS_MAX) return `must have at most ${URI_CHARACTERS_MAX} characters`;
  if (!PRINTABLE_ASCII_PATTERN.test(uri) || uri.includes('\\')) {
    return 'must be printable ASCII without spaces or backslashes; percent-encode other characters';
  }
  const url = URL.parse(uri);
  if (!url) return 'must be an absolute URI';
  // RFC 6749 §3.1.2 forbids a fragment, even an empty one.
  if (uri.includes('#')) return 'must not have a fragment';
  if (url.username || url.password || /^[a-z][a-z\d+.-]*:\/\/[^/?]*@/i.test(uri)) {
    return 'must not contain a user name or password';
  }
  if (url.protocol === 'https:') {
    // URL parsers also accept `https:host` and `https:///host`, but browsers don't agree on their meaning.
    return /^https:\/\/[^/?]/i.test(uri) ? null : 'must begin with https:// and a host';
  }
  if (url.protocol === 'http:') {
    return isLoopback(uri) ? null : 'must use https, or http on 127.0.0.1, [::1] or localhost';
  }
  if (knownSchemes.includes(url.protocol) || url.protocol.includes('.')) return null;
  return `must use https, http on this device (127.0.0.1, [::1] or localhost), a scheme with a dot such as com.example.app:, or one of ${knownSchemes.join(' ')}`;
}

/** Compares the exact text (RFC 9700 §2.1), except for the port of a loopback address (RFC 8252 §7.3). */
export function isRegisteredRedirect(uri: string, registered: readonly string[]): boolean {
  if (describeUnsafeRedirect(uri) !== null) return false;
  if (!isLoopback(uri)) return registered.includes(uri);
  return registered.some((each) => isLoopback(each) && removePort(each) === removePort(uri));
}

/** Keeps the redirect URI's query (RFC 6749 §3.1.2). */
export function appendToRedirect(uri: string, answer: Readonly<Record<string, string | null>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(answer)) if (value !== null) search.set(name, value);
  const joint = !uri.includes('?') ? '?' : /[?&]$/.test(uri) ? '' : '&';
  return `${uri}${joint}${search}`;
}

export function describeRedirect(uri: string): { place: string; isThisDevice: boolean } {
  const url = new URL(uri);
  if (url.protocol === 'https:') return { place: url.host, isThisDevice: false };
  return { place: url.protocol === 'http:' ? url.host : url.protocol, isThisDevice: true };
}

function isLoopback(uri: string): boolean {
  return LOOPBACK_ORIGIN_PATTERN.test(uri);
}

function removePort(uri: string): string {
  return uri.replace(LOOPBACK_ORIGIN_PATTERN, '$1');
}
