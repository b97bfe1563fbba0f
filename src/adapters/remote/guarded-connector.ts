import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isOpenAddress } from '#domain/address-kinds';
import { isPrivateHostListed, type PrivateHost } from '#domain/private-hosts';
import { AppError } from '#errors';
import { createNameResolver, type LookupAll } from './resolve-name.ts';

const resolveName = createNameResolver();

interface GuardedConnectorOptions {
  readonly isAllowed: (address: string) => boolean;
  /** Hosts that may have private addresses; none by default. */
  readonly privateHosts?: readonly PrivateHost[];
  readonly timeoutMs: number;
  /** Resolves names; by the file of hosts and DNS by default. */
  readonly lookup?: LookupAll | undefined;
}

/** Checks addresses where sockets are made: this covers every call and redirect, and the checked
 *  address is the connected one, as a name is resolved once. Errors: UPSTREAM_ADDRESS_REFUSED. */
export function createGuardedConnector(options: GuardedConnectorOptions): buildConnector.connector {
  const { isAllowed, privateHosts = [] } = options;
  const usual = guardConnector(isAllowed, options);
  const listed = guardConnector(isOpenAddress, options);
  return (target, callback) => (isPrivateHostListed(privateHosts, target) ? listed : usual)(target, callback);
}

function guardConnector(
  isAllowed: (address: string) => boolean,
  { timeoutMs, lookup = resolveName }: GuardedConnectorOptions,
): buildConnector.connector {
  const connect = buildConnector({
    timeout: timeoutMs,
    lookup: guardLookup(isAllowed, lookup),
  } as buildConnector.BuildOptions);
  return (target, callback) => {
    // Sockets do not resolve IP addresses.
    if (isIP(target.hostname) !== 0 && !isAllowed(target.hostname))
      callback(refuseClosedAddress(target.hostname), null);
    else connect(target, callback);
  };
}

/** Refuses a name with any closed address: one among public ones is a mistake or an attack. */
export function guardLookup(isAllowed: (address: string) => boolean, lookup: LookupAll): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || first === undefined) return callback(error ?? createNameUnknownError(hostname), '', 0);
      if (!addresses.every(({ address }) => isAllowed(address))) return callback(refuseClosedAddress(hostname), '', 0);
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** Creates an error without the address, which would reveal the network of the host. */
function refuseClosedAddress(host: string): AppError {
  return new AppError(
    'UPSTREAM_ADDRESS_REFUSED',
    `${host} is not on the public Internet, or not with all of its addresses, and this server calls no others. Enter the public address of the service, or ask the operator of this server to add it to ALLOW_PRIVATE.`,
  );
}

const createNameUnknownError = (host: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' });
