import ipaddr from 'ipaddr.js';
import { isInternalHost } from './internal-hosts.ts';

const URL_CHARACTERS_MAX = 2048;
/** URL parsers remove or encode other characters, so a request's URL would differ from the stored one. */
const PRINTABLE_ASCII_PATTERN = /^[\x21-\x7e]+$/;
const LOOPBACK_HOST_PATTERN = /^(localhost|127\.0\.0\.1|\[::1\])$/;

export interface Deployment {
  readonly isLocal: boolean;
  /** This deployment's host, which webhooks must not call. Null if unknown. */
  readonly deploymentHost: string | null;
}

export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK_HOST_PATTERN.test(hostname);
}

/** Checks only the URL. The runtime's network restricts which IP addresses a name can resolve to (docs/adr/0016). */
export function describeUnsafeUrl(address: string, { isLocal, deploymentHost }: Deployment): string | null {
  if (address.length > URL_CHARACTERS_MAX) return `must have at most ${URL_CHARACTERS_MAX} characters`;
  if (!PRINTABLE_ASCII_PATTERN.test(address) || address.includes('\\')) {
    return 'must be printable ASCII without spaces or backslashes; percent-encode other characters, and write the host in punycode';
  }
  const url = URL.parse(address);
  if (!url) return 'must be an absolute URL';
  if (url.username || url.password || /^[a-z]+:\/\/[^/?#]*@/i.test(address)) {
    return 'must not contain a user name or password; verify the signature instead';
  }
  if (address.includes('#')) return 'must not have a fragment';
  if (isLocal && isLoopbackHost(url.hostname) && /^https?:$/.test(url.protocol)) return null;
  // URL parsers also accept `https:host` and `https:///host`, but disagree on what they mean.
  if (url.protocol !== 'https:' || !/^https:\/\/[^/?]/i.test(address)) return 'must begin with https://';
  if (url.port !== '') return 'must use port 443';
  return describeUnsafeHost(url.hostname, deploymentHost);
}

/** The URL parser has already put `hostname` in lower case, and IPv4 addresses in dotted form. */
function describeUnsafeHost(hostname: string, deploymentHost: string | null): string | null {
  if (!isPublicHost(hostname)) {
    return 'must have a public host name, not an IP address or the name of an internal host or device';
  }
  return hostname.replace(/\.$/, '') === deploymentHost ? 'must not point to Edgework itself' : null;
}

export function isPublicHost(hostname: string): boolean {
  if (hostname.startsWith('[') || ipaddr.isValid(hostname)) return false;
  return !isInternalHost(hostname);
}
