export const HOME_PATH = '/app';

export function toSafeReturnPath(next: string | null | undefined, origin: string): string {
  // Rejects control characters and backslashes, because browsers remove tabs and line breaks from a URL, and treat a
  // backslash as a slash.
  if (!next || !/^\/[^\p{Cc}\\]*$/u.test(next)) return HOME_PATH;
  const asked = URL.parse(next, origin);
  const site = new URL(origin).origin;
  if (asked?.origin !== site) return HOME_PATH;
  // Resolves the path again, as a browser would: `/.//host` becomes `//host`, which is another site.
  const path = `${asked.pathname}${asked.search}`;
  return URL.parse(path, origin)?.href === site + path ? path : HOME_PATH;
}
