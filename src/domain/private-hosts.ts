import { isIP } from 'node:net';
import { isOpenAddress } from './address-kinds.ts';

/** A host that the operator vouches for: it may be in a private network, or on this machine. */
export interface PrivateHost {
  /** A name in lower case or an IP address, IPv6 without brackets. */
  readonly host: string;
  /** Null for every port. */
  readonly port: number | null;
}

/** Addresses outside the public Internet that this host may call; never link-local ones, nor those
 *  of the metadata of clouds. */
export interface PrivateAccess {
  /** For everybody who may enter an address. */
  readonly hosts: readonly PrivateHost[];
  /** Whether addresses that an owner of this host entered may be in any private network, or on this
   *  machine. */
  readonly isOpenToOwners: boolean;
}

export const noPrivateAccess: PrivateAccess = { hosts: [], isOpenToOwners: false };

const ENTRY = /^(\[[^\]]+\]|[^:[\]]+)(?::(\d{1,5}))?$/;

/** Reads `search.example.org, 10.0.0.7:8080, [fd00::7]:9200`; null where a part of it is no host.
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
  // A path, a user or a sign that no host has: `10.0.0.0/8`, `*.example.org`.
  if (href !== `http://${hostname}/` || !/^(?:[\w.-]+|\[.+\])$/.test(hostname)) return null;
  return { host: toPlainHost(hostname), port };
}

/** Whether a host is an IP address that is not called even where an operator names it. */
export function isNeverCalled({ host }: PrivateHost): boolean {
  return isIP(host) !== 0 && !isOpenAddress(host);
}

interface ConnectionTarget {
  /** Of the address, as `URL` writes it, with or without brackets. */
  readonly hostname: string;
  /** Empty for the one of the protocol. */
  readonly port: string;
  readonly protocol: string;
}

/** Whether a connection goes to one of these hosts by the name in its address, whatever that name
 *  resolves to. */
export function isPrivateHostListed(
  hosts: readonly PrivateHost[],
  { hostname, port, protocol }: ConnectionTarget,
): boolean {
  const host = toPlainHost(hostname);
  const usual = protocol === 'https:' ? 443 : 80;
  const number = port === '' ? usual : Number(port);
  return hosts.some((listed) => listed.host === host && (listed.port ?? number) === number);
}

function toPlainHost(hostname: string): string {
  return hostname.replace(/^\[|\]$|\.$/g, '');
}
