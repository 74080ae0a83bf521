export const HOME = '/connected-apps';

/** Where to go after signing in: a path of this site, whatever was asked for. */
export function safeReturnPath(next: string | null | undefined, origin: string): string {
  // Browsers drop tabs and line breaks before they look, and read a backslash as a slash.
  if (!next || !/^\/[^\p{Cc}\\]*$/u.test(next)) return HOME;
  const asked = URL.parse(next, origin);
  const site = new URL(origin).origin;
  if (asked?.origin !== site) return HOME;
  // Once more, as a browser will: `/.//host` is on this site, and the path `//host` that comes of it is not.
  const path = `${asked.pathname}${asked.search}`;
  return URL.parse(path, origin)?.href === site + path ? path : HOME;
}
