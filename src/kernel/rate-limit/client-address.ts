import ipaddr from 'ipaddr.js';

const GROUPS_OF_NETWORK = 4;

/** How an address is counted: IPv4 by the whole address, IPv6 by its /64, which belongs to one customer. */
export function addressBlock(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  // An IPv4 address that is written as an IPv6 one counts as itself.
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const network = address.parts.slice(0, GROUPS_OF_NETWORK).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}
