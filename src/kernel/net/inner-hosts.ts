/** Ends of names that no public DNS has: RFC 6761, 6762, 7686, 8375, 9476 and what routers and clouds use inside. */
const INNER_ENDS = [
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

/** Public names whose every sub-name leads to the address that it spells, or to the caller itself. */
const SPELLING_NAMES = [
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

/** Whether a host name cannot be, or is not meant to be, one of the public internet. */
export function namesInnerHost(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  const labels = name.split('.');
  if (labels.length < 2 || labels.some((label) => !/^[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/.test(label)))
    return true;
  const end = labels.at(-1) ?? '';
  // A name that ends in a number would be an IPv4 address, and the parser refuses it.
  if (INNER_ENDS.includes(end) || /^\d+$/.test(end)) return true;
  return SPELLING_NAMES.some((each) => name === each || name.endsWith(`.${each}`));
}
