const GROUPS = 8;
const GROUPS_OF_NETWORK = 4;

/** What an address is counted as: an IPv4 address itself, an IPv6 address by its /64, which one customer holds whole. */
export function addressBlock(ip: string): string {
  if (!ip.includes(':')) return ip;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped) return mapped[1] as string;
  const network = expand(ip)
    .slice(0, GROUPS_OF_NETWORK)
    .map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}

/** The eight groups of an IPv6 address, `::` written out. */
function expand(ip: string): string[] {
  const [head = '', tail] = ip.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros = Math.max(0, GROUPS - before.length - after.length);
  return [...before, ...Array<string>(zeros).fill('0'), ...after];
}
