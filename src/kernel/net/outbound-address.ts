import ipaddr from 'ipaddr.js';
import { namesInnerHost } from './inner-hosts.ts';

const CHARACTERS_MAX = 2048;
/** Other characters are percent-encoded, or punycode in a host: what is stored is then what is called and what is shown. */
const PRINTABLE = /^[\x21-\x7e]+$/;
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

export interface Surroundings {
  /** A developer's machine, which may call itself by http as well. */
  readonly isLocal: boolean;
  /** The host of this deployment, which must not call itself; null where it is not known. */
  readonly ownHost: string | null;
}

/**
 * Says why this service does not send to the address; null if it does. It looks at the address alone: where a public name
 * leads to is up to the network of the runtime (docs/adr/0016).
 */
export function describeUnsafeTarget(address: string, { isLocal, ownHost }: Surroundings): string | null {
  if (address.length > CHARACTERS_MAX) return `must have at most ${CHARACTERS_MAX} characters`;
  if (!PRINTABLE.test(address) || address.includes('\\')) {
    return 'must be printable ASCII without spaces and backslashes; percent-encode the rest, and write the host in punycode';
  }
  const url = URL.parse(address);
  if (!url) return 'must be an absolute URL';
  if (url.username || url.password || /^[a-z]+:\/\/[^/?#]*@/i.test(address)) {
    return 'must not contain a user name or password; verify the signature instead';
  }
  if (address.includes('#')) return 'must not have a fragment';
  if (isLocal && LOOPBACK.test(url.hostname) && /^https?:$/.test(url.protocol)) return null;
  // `https:host` and `https:///host` parse too, and not everybody reads them alike.
  if (url.protocol !== 'https:' || !/^https:\/\/[^/?]/i.test(address)) return 'must begin with https://';
  if (url.port !== '') return 'must use port 443';
  return describeUnsafeHost(url.hostname, ownHost);
}

/** @param hostname as the URL parser leaves it: lower case, and every spelling of an IPv4 address as four numbers. */
function describeUnsafeHost(hostname: string, ownHost: string | null): string | null {
  if (!isPublicHost(hostname)) {
    return 'must have a public host name, not an internal host, a device or an IP address';
  }
  return hostname.replace(/\.$/, '') === ownHost ? 'must not be a URL of this service itself' : null;
}

/** Whether public DNS can know the name. An IP address is no name: no public service needs to be called by one. */
export function isPublicHost(hostname: string): boolean {
  // A URL with an IPv6 address has it in brackets.
  if (hostname.startsWith('[') || ipaddr.isValid(hostname)) return false;
  return !namesInnerHost(hostname);
}
