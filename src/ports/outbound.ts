/** A request to an address that somebody else chose. */
export interface OutboundRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Time limit of the whole request in milliseconds; 5,000 when absent. */
  readonly timeoutMs?: number;
  /** Maximum size of an answer in bytes; 1,048,576 when absent. */
  readonly maxBytes?: number;
  /** Whether the request fails on a longer answer or cuts it; `fail` when absent. */
  readonly whenLonger?: 'fail' | 'cut';
  /** Maximum number of redirects of a GET or HEAD to follow, under the same rules as the address; 0
   *  when absent. */
  readonly redirects?: number;
  /** Whether only redirects to the same site are followed: its host, with or without `www.`. Others
   *  fail. False when absent. */
  readonly staysOnSite?: boolean;
  /** Origin that an owner of this host entered. It may be private if the operator lets owners enter
   *  private addresses, and so may the https origin of the same host; other redirect targets may
   *  not. */
  readonly ownersOrigin?: string;
  /** Whether ALLOW_PRIVATE does not apply, as anybody may enter the address. False when absent. */
  readonly isPublicOnly?: boolean;
  /** Whether somebody who is not signed in entered the address: the request then never
   *  reaches this machine, even in a trial. False when absent. */
  readonly isByStranger?: boolean;
  readonly signal?: AbortSignal;
}

export interface OutboundAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The raw bytes, for content that is not UTF-8. */
  readonly bytes: Uint8Array;
  /** Address after all redirects. */
  readonly url: string;
}

/** Why a request failed: `data.failure` of OUTBOUND_FAILED. */
export type OutboundFailure = 'timeout' | 'no-host' | 'certificate' | 'too-long' | 'redirects' | 'connection';

/** Calls addresses on the Internet, and in private networks if the operator allows it. http is for
 *  loopback addresses only, unless an instance reads public content.
 *  Errors: OUTBOUND_REFUSED for an address, or the target of a redirect, that must not be called;
 *  OUTBOUND_FAILED if no answer came in time; the reason of the signal. */
export interface Outbound {
  request(url: string, request?: OutboundRequest): Promise<OutboundAnswer>;
}
