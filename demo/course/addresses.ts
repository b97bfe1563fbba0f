import { findLoopbackOrigin, isEveryAddress } from '#domain/web-address';

export interface DemoAddresses {
  /** Where browsers reach the course site, without a slash at the end. */
  readonly browserUrl: string;
  /** Where the host reaches it itself. */
  readonly serviceUrl: string;
  /** Where the host reaches its own tool. */
  readonly toolServiceUrl: string;
}

interface ListeningAt {
  /** Where people reach the host, without a slash at the end. */
  readonly publicUrl: string;
  /** Address that the host listens on; undefined is every one. */
  readonly host: string | undefined;
  readonly port: number;
}

const PATH = '/demo';

const otherName: Readonly<Record<string, string>> = { localhost: '127.0.0.1', '127.0.0.1': 'localhost' };

/** The course site is another site than the tool, as a learning management system is, where this
 *  machine has two names for itself; so browsers treat the tool's cookies as they do everywhere.
 *  What the host asks itself goes over a loopback address, as its public one may be out of its own
 *  reach. */
export function makeDemoAddresses({ publicUrl, host, port }: ListeningAt): DemoAddresses {
  const loopback = findLoopbackOrigin(host, port);
  return {
    browserUrl: otherOrigin(publicUrl, host) + PATH,
    serviceUrl: loopback + PATH,
    toolServiceUrl: loopback,
  };
}

function otherOrigin(publicUrl: string, host: string | undefined): string {
  const address = new URL(publicUrl);
  const other = otherName[address.hostname];
  // A host that listens on one address is not reached by the other name.
  if (other === undefined || !isEveryAddress(host)) return publicUrl;
  address.hostname = other;
  return address.origin;
}
