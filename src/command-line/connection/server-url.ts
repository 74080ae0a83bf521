import { CommandError } from '../terminal/errors.ts';

/** Accepts a host name, with or without scheme and path. Returns the server's origin. */
export function toServerUrl(text: string): string {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  const guessed = hasScheme ? text : `${isLocal(text.replace(/[:/].*$/, '')) ? 'http' : 'https'}://${text}`;
  if (!URL.canParse(guessed) || /^ew_/.test(text))
    throw new CommandError(`"${text}" isn't the URL of a server.`);
  const { origin, protocol, hostname } = new URL(guessed);
  if (protocol === 'https:' || (protocol === 'http:' && isLocal(hostname))) return origin;
  throw new CommandError(
    protocol === 'http:'
      ? `${origin} isn't encrypted, so others could read your token. Use https.`
      : `"${text}" isn't the URL of a server.`,
  );
}

/** Requests to this machine don't need encryption. */
function isLocal(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
