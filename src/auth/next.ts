export const HOME = '/connected-apps';

/** Where to go after signing in: a path of this site, whatever was asked for. */
export function safeNext(next: string | null | undefined, origin: string): string {
  // `//host` and `/\host` are other sites to a browser, and it drops tabs and line breaks before it looks.
  if (!next || !/^\/(?![/\\])[^\p{Cc}\\]*$/u.test(next)) return HOME;
  const url = URL.parse(next, origin);
  return url?.origin === new URL(origin).origin ? `${url.pathname}${url.search}` : HOME;
}
