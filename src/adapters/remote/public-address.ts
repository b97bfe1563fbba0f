import ipaddr from 'ipaddr.js';

/** All global unicast addresses of IPv6 lie here; outside are mapped, translated and local ones, known or yet to come. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an address is one of the public Internet. Private, shared, local, multicast, reserved and documentation
 *  addresses are not, and neither are IPv6 addresses that carry an IPv4 address (mapped, NAT64, 6to4, Teredo), because
 *  behind them any of the others may stand.
 *  @param text an IP address as sockets and resolvers write it */
export function isPublicAddress(text: string): boolean {
  // Only the plain forms: sockets would take no other, so nothing else needs to be understood here.
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text).range() === 'unicast';
  if (!ipaddr.IPv6.isValid(text)) return false;
  const address = ipaddr.IPv6.parse(text);
  return address.match(GLOBAL_IPV6) && address.range() === 'unicast';
}
