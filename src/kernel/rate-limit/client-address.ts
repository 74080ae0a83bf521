import ipaddr from 'ipaddr.js';

const IPV6_NETWORK_GROUPS = 4;

/** Counts IPv6 addresses per /64, because providers assign at least a /64 to each customer. */
export function toAddressBlock(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  // An IPv4-mapped IPv6 address counts as IPv4.
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const network = address.parts.slice(0, IPV6_NETWORK_GROUPS).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}
