/**
 * Top-level domains that aren't in the public DNS (RFC 6761, 6762, 7686, 8375 and 9476), or that routers and clouds use
 * internally.
 */
const INTERNAL_TOP_LEVEL_DOMAINS = [
  'alt',
  'arpa',
  'cluster',
  'corp',
  'home',
  'internal',
  'intranet',
  'invalid',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'onion',
  'private',
  'svc',
  'test',
  'workgroup',
];

/** Public domains whose subdomains resolve to an IP address in their name, or to the local machine. */
const WILDCARD_DNS_DOMAINS = [
  'nip.io',
  'sslip.io',
  'xip.io',
  'localtest.me',
  'lvh.me',
  'vcap.me',
  'lacolhost.com',
  'traefik.me',
  'local.gd',
  'localho.st',
  'rbndr.us',
];

export function isInternalHost(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  const labels = name.split('.');
  if (labels.length < 2 || labels.some((label) => !/^[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/.test(label)))
    return true;
  const end = labels.at(-1) ?? '';
  // URL parsers read a name that ends in a number as an IPv4 address.
  if (INTERNAL_TOP_LEVEL_DOMAINS.includes(end) || /^\d+$/.test(end)) return true;
  return WILDCARD_DNS_DOMAINS.some((each) => name === each || name.endsWith(`.${each}`));
}
