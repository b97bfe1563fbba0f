import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';
import { AppError } from '../../errors.ts';

/** Every address of a name. */
export type LookupAll = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface GuardedConnectorOptions {
  /** Whether a connection may be made to an IP address. */
  readonly isAllowed: (address: string) => boolean;
  readonly timeoutMs: number;
  /** The system's resolver by default. */
  readonly lookup?: LookupAll | undefined;
}

/** Connects to allowed addresses only. It sits where sockets are made, so that it holds for every call and every redirect,
 *  and that the address that was checked is the very one that is connected to: a name is resolved once.
 *  Errors: UPSTREAM_ADDRESS_REFUSED. */
export function createGuardedConnector(options: GuardedConnectorOptions): buildConnector.connector {
  const { isAllowed, timeoutMs, lookup = systemLookup } = options;
  const connect = buildConnector({
    timeout: timeoutMs,
    lookup: guardLookup(isAllowed, lookup),
  } as buildConnector.BuildOptions);
  return (target, callback) => {
    // For what is an IP address already, sockets ask no resolver.
    if (isIP(target.hostname) !== 0 && !isAllowed(target.hostname))
      callback(addressRefused(target.hostname), null);
    else connect(target, callback);
  };
}

/** A resolver that gives the addresses of a name only where all of them are allowed: one private address among public
 *  ones is either a mistake or a trick. */
export function guardLookup(isAllowed: (address: string) => boolean, lookup: LookupAll): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || first === undefined) return callback(error ?? notFound(hostname), '', 0);
      if (!addresses.every(({ address }) => isAllowed(address)))
        return callback(addressRefused(hostname), '', 0);
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** Without the address itself: nobody outside needs to know what a name means inside the host's network. */
function addressRefused(host: string): AppError {
  return new AppError(
    'UPSTREAM_ADDRESS_REFUSED',
    `${host} is not on the public Internet, or not with all of its addresses, and this host calls no others. Enter the public address of the service, or have the operator of this host allow private ones.`,
  );
}

function notFound(host: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' });
}

/** All global unicast addresses of IPv6 are in here; outside are mapped, translated and local ones, including future ones. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an address is one of the public Internet. Private, shared, local, multicast, reserved and documentation addresses are
 *  not, and neither are IPv6 addresses that contain an IPv4 address (mapped, NAT64, 6to4, Teredo), because that may be any of the
 *  others.
 *  @param text an IP address as sockets and resolvers write it */
export function isPublicAddress(text: string): boolean {
  // Only the plain forms: sockets accept no others, so nothing else needs to be understood here.
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text).range() === 'unicast';
  if (!ipaddr.IPv6.isValid(text)) return false;
  const address = ipaddr.IPv6.parse(text);
  return address.match(GLOBAL_IPV6) && address.range() === 'unicast';
}
