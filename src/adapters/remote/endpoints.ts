import type { Operation } from '#contract/index';
import { AppError } from '#errors';
import type { UpstreamConnection } from '#ports/upstream';

const PRINTABLE = /^[\x20-\x7e]+$/;

export interface KeyHeader {
  /** `authorization` is not in the specification; its value begins with the scheme. */
  readonly name: 'x-api-key' | 'x-marketplace-key' | 'authorization';
  readonly value: string;
}

/** Where one operation of a connection is. */
export interface Endpoint {
  /** Its name on the wire, such as `search-provider`. */
  readonly operation: string;
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  /** Absent where the operation needs no key, so that none is sent needlessly, or where none was given. */
  readonly key?: KeyHeader;
  /** See `UpstreamConnection`. */
  readonly isEnteredByOwner?: boolean;
}

/** Find an operation by what an administrator entered:
 *
 *  - Address of the service: `{base_url}` of the specification, without the paths it defines, such as
 *    `https://api.example.org`. We add `/domcomp/v1/similar`, `/learningobject/v2/provider` and so on.
 *  - Address of a marketplace gateway: `{marketplace_url}` of the specification, up to the last segment. We add the name
 *    of the operation only, `/provider`, and no version: if a gateway has one in its addresses, it belongs to what is
 *    entered. Of a Skilldock that is `https://skills.example.org/marketplace`. The gateway has the six learning-object
 *    operations; Competency operations go to the address of the service all the same.
 *
 *  Errors: UPSTREAM_ADDRESS_REFUSED, and UPSTREAM_KEY_REFUSED for a key that no header can carry. */
export function locateEndpoint(
  connection: UpstreamConnection,
  { name, method, path, scope, isAtGateway }: Operation,
): Endpoint {
  const gateway = isAtGateway ? connection.marketplace : undefined;
  const url = readBaseAddress(gateway?.url ?? connection.url);
  url.pathname = url.pathname.replace(/\/+$/, '') + (gateway === undefined ? path : `/${name}`);
  const key = scope ? findKey(connection, gateway !== undefined) : undefined;
  const { isEnteredByOwner = false } = connection;
  return { operation: name, method, url, isEnteredByOwner, ...(key !== undefined && { key }) };
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

/** Read the address of a service as an administrator entered it.
 *  Errors: UPSTREAM_ADDRESS_REFUSED, without repeating what was entered, because it may hold a password or a key. */
function readBaseAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw refused('is not a web address. Enter one such as https://api.example.org.');
  if (url.username !== '' || url.password !== '')
    throw refused('has a user name or password in it. Leave them out; keys have fields of their own.');
  if (url.search !== '' || url.hash !== '')
    throw refused('has a ? or # in it. Enter only what stands before.');
  return url;
}

function refused(problem: string): AppError {
  return new AppError('UPSTREAM_ADDRESS_REFUSED', `The address of the service ${problem}`);
}

/** The same word in English and in French, in which `suggest` is at its best. */
export const SAMPLE_WORD = 'communication';
