import ipaddr from 'ipaddr.js';

/** The host never calls `closed` addresses. */
type AddressKind = 'public' | 'loopback' | 'private' | 'closed';

const kindsOfRanges: Readonly<Record<string, AddressKind>> = {
  unicast: 'public',
  loopback: 'loopback',
  private: 'private',
  uniqueLocal: 'private',
  carrierGradeNat: 'private',
};

/** Other IPv6 addresses are mapped, translated, local or reserved. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Metadata services of clouds: Alibaba, Azure, AWS, Google, Scaleway. */
const METADATA = ['100.100.100.200/32', '168.63.129.16/32', 'fd00:ec2::/32', 'fd20:ce::254/128', 'fd00:42::42/128'].map(
  (range) => ipaddr.parseCIDR(range),
);

/** Closed are link-local, multicast, reserved, unspecified and documentation addresses, metadata
 *  services of clouds, IPv6 addresses that contain an IPv4 address, and other texts. */
export function classifyAddress(text: string): AddressKind {
  const address = parseAddress(text);
  if (address === null || isMetadataServiceAddress(address)) return 'closed';
  const kind = kindsOfRanges[address.range()] ?? 'closed';
  const isGlobal = address instanceof ipaddr.IPv4 || address.match(GLOBAL_IPV6);
  return kind === 'public' && !isGlobal ? 'closed' : kind;
}

export const isPublicAddress = (text: string): boolean => classifyAddress(text) === 'public';

/** Returns whether the operator or an owner of the host can allow calls to an address. */
export const isOpenAddress = (text: string): boolean => classifyAddress(text) !== 'closed';

const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/;

/** Returns the part of an address that identifies a client: all of an IPv4 address, the first 64
 *  bits of an IPv6 address, as the rest changes. Other texts are returned unchanged.
 *  @param text with or without a port, which some proxies put into X-Forwarded-For
 *  @example findNetworkOf('2001:db8:1:2:3:4:5:6') // '2001:db8:1:2/64' */
export function findNetworkOf(text: string): string {
  const [, bracketed, ipv4] = WITH_PORT.exec(text) ?? [];
  const plain = bracketed ?? ipv4 ?? text;
  if (!ipaddr.isValid(plain)) return text;
  const address = ipaddr.process(plain);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const parts = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${parts.join(':')}/64`;
}

/** Accepts only the plain forms of addresses, as sockets do. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : null;
}

function isMetadataServiceAddress(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return METADATA.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
}
