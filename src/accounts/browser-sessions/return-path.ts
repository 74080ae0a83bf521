/** Leads on to the person's first workspace. */
export const HOME = '/app';

/** Where to go after signing in: always a path of this site, whatever was asked for. */
export function safeReturnPath(next: string | null | undefined, origin: string): string {
  // Browsers drop tabs and line breaks from an address, and read a backslash as a slash.
  if (!next || !/^\/[^\p{Cc}\\]*$/u.test(next)) return HOME;
  const asked = URL.parse(next, origin);
  const site = new URL(origin).origin;
  if (asked?.origin !== site) return HOME;
  // Resolve the result again, as a browser will: `/.//host` is on this site, but its resolved path `//host` is not.
  const path = `${asked.pathname}${asked.search}`;
  return URL.parse(path, origin)?.href === site + path ? path : HOME;
}
