import { isIP } from 'node:net';
import { isOpenAddress } from './address-kinds.ts';

/** A host in a private network, or on this machine, that the operator allows. */
export interface PrivateHost {
  /** A name in lower case or an IP address, IPv6 without brackets. */
  readonly host: string;
  /** Null for every port. */
  readonly port: number | null;
}

/** Allowed addresses outside the Internet; never link-local ones or metadata services. */
export interface PrivateAccess {
  /** Hosts that everybody may name who may enter an address. */
  readonly hosts: readonly PrivateHost[];
  /** Whether owners of this host may enter addresses in any private network, or on this machine. */
  readonly isOpenToOwners: boolean;
}

export const noPrivateAccess: PrivateAccess = { hosts: [], isOpenToOwners: false };
const ENTRY = /^(\[[^\]]+\]|[^:[\]]+)(?::(\d{1,5}))?$/;

/** Parses a comma-separated list; returns null if a part is not a host.
 *  @example parsePrivateHosts('10.0.0.7:8080') // [{ host: '10.0.0.7', port: 8080 }] */
export function parsePrivateHosts(list: string): readonly PrivateHost[] | null {
  const hosts = list.split(',').map((entry) => parsePrivateHost(entry.trim()));
  return hosts.every((host) => host !== null) ? hosts : null;
}

function parsePrivateHost(entry: string): PrivateHost | null {
  const [, name = '', digits] = ENTRY.exec(entry) ?? [];
  const port = digits === undefined ? null : Number(digits);
  const address = `http://${name}/`;
  if (name === '' || port === 0 || (port ?? 0) > 65_535 || !URL.canParse(address)) return null;
  const { href, hostname } = new URL(address);
  // Rejects paths, users and characters that no host has: `10.0.0.0/8`, `*.example.org`.
  if (href !== `http://${hostname}/` || !/^(?:[\w.-]+|\[.+\])$/.test(hostname)) return null;
  return { host: toPlainHost(hostname), port };
}

/** Returns whether this host never calls an address, even if an operator lists it. */
export const isNeverCalled = ({ host }: PrivateHost): boolean => isIP(host) !== 0 && !isOpenAddress(host);

/** Returns whether the list has the name in an address, whatever it resolves to. */
export function isPrivateHostListed(
  hosts: readonly PrivateHost[],
  { hostname, port, protocol }: Pick<URL, 'hostname' | 'port' | 'protocol'>,
): boolean {
  const host = toPlainHost(hostname);
  const usual = protocol === 'https:' ? 443 : 80;
  const number = port === '' ? usual : Number(port);
  return hosts.some((listed) => listed.host === host && (listed.port ?? number) === number);
}

const toPlainHost = (hostname: string): string => hostname.replace(/^\[|\]$|\.$/g, '');
