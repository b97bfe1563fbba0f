import { AppError } from '../../errors.ts';
import type { UpstreamConnection } from '../../ports/upstream.ts';
import { readBaseAddress } from './base-address.ts';

/** What an administrator enters, and what follows it.
 *
 *  - Address of the service: `{base_url}` of the specification, without the paths it defines, such as
 *    `https://api.example.org`. We add `/domcomp/v1/similar`, `/learningobject/v2/provider` and so on.
 *  - Address of a marketplace gateway: `{marketplace_url}` of the specification, up to the last segment. We add the name
 *    of the operation only, `/provider`, and no version: if a gateway has one in its addresses, it belongs to what is
 *    entered. Of a Skilldock that is `https://skills.example.org/marketplace`. The gateway has the six learning-object
 *    operations; Competency operations go to the address of the service all the same.
 *
 *  `path` is where an operation is in the service itself; `search` is Skilldock's extension. */
export const endpoints = {
  similar: { method: 'GET', path: '/domcomp/v1/similar', isKeyed: true },
  tagger: { method: 'POST', path: '/domcomp/v1/tagger', isKeyed: true },
  suggest: { method: 'GET', path: '/domcomp/v1/suggest', isKeyed: true },
  provider: { method: 'GET', path: '/learningobject/v2/provider', isKeyed: false },
  type: { method: 'GET', path: '/learningobject/v2/type', isKeyed: false },
  bloom: { method: 'GET', path: '/learningobject/v2/bloom', isKeyed: false },
  lang: { method: 'GET', path: '/learningobject/v2/lang', isKeyed: false },
  'search-provider': { method: 'GET', path: '/learningobject/v2/search-provider', isKeyed: true },
  feedback: { method: 'POST', path: '/learningobject/v2/feedback', isKeyed: true },
  search: { method: 'GET', path: '/learningobject/v2/search', isKeyed: true },
} as const;

const PRINTABLE = /^[\x20-\x7e]+$/;

export type Operation = keyof typeof endpoints;

export interface KeyHeader {
  /** `authorization` is not of the specification; its value begins with the scheme. */
  readonly name: 'x-api-key' | 'x-marketplace-key' | 'authorization';
  readonly value: string;
}

/** Where one operation of a connection is. */
export interface Endpoint {
  /** `embeddings` is of another kind of service, see embedder.ts. */
  readonly operation: Operation | 'embeddings';
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  /** Absent where the operation needs none, so that a key is never sent in vain, or where none was given. */
  readonly key?: KeyHeader;
}

/** Errors: UPSTREAM_ADDRESS_REFUSED, and UPSTREAM_KEY_REFUSED for a key that no header can carry. */
export function locate(connection: UpstreamConnection, operation: Operation): Endpoint {
  const { method, path, isKeyed } = endpoints[operation];
  const gateway = isAtGateway(operation) ? connection.marketplace : undefined;
  const url = readBaseAddress(gateway?.url ?? connection.url);
  url.pathname = url.pathname.replace(/\/+$/, '') + (gateway === undefined ? path : `/${operation}`);
  const key = isKeyed ? findKey(connection, gateway !== undefined) : undefined;
  return { operation, method, url, ...(key !== undefined && { key }) };
}

function isAtGateway(operation: Operation): boolean {
  return endpoints[operation].path.startsWith('/learningobject/') && operation !== 'search';
}

function findKey({ apiKey, marketplace }: UpstreamConnection, isGateway: boolean): KeyHeader | undefined {
  const value = isGateway ? marketplace?.key : apiKey;
  if (!value) return undefined;
  if (!PRINTABLE.test(value))
    throw new AppError(
      'UPSTREAM_KEY_REFUSED',
      'The key cannot be sent: it has characters in it that keys do not have. Copy it again.',
      { data: { detail: 'The key has characters in it that keys do not have.' } },
    );
  return { name: isGateway ? 'x-marketplace-key' : 'x-api-key', value };
}
