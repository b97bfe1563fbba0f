/** A request to an address that somebody else chose. */
export interface OutboundRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Limit for the whole request; 5,000 when absent. */
  readonly timeoutMs?: number;
  /** Limit for the answer; 1,048,576 when absent. */
  readonly maxBytes?: number;
  /** What happens to a longer answer; `fail` when absent. */
  readonly whenLonger?: 'fail' | 'cut';
  /** Limit for redirects of a GET or HEAD, under the same rules as the address; 0 when absent. */
  readonly redirects?: number;
  /** Fails for redirects to other hosts; the same host with or without `www.` is allowed. */
  readonly staysOnSite?: boolean;
  /** Origin that an owner of this host entered: it may be private if the operator allows that, and
   *  so may the https origin of the same host; other redirect targets may not. */
  readonly ownersOrigin?: string;
  /** Whether to ignore ALLOW_PRIVATE, as anybody may enter the address. */
  readonly isPublicOnly?: boolean;
  /** Whether a stranger entered the address: it never leads to this machine, even in a trial. */
  readonly isByStranger?: boolean;
  readonly signal?: AbortSignal;
}

export interface OutboundAnswer {
  readonly status: number;
  /** Headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body for content that is not UTF-8. */
  readonly bytes: Uint8Array;
  /** Address after all redirects. */
  readonly url: string;
}

/** `data.failure` of OUTBOUND_FAILED. */
export type OutboundFailure = 'timeout' | 'no-host' | 'certificate' | 'too-long' | 'redirects' | 'connection';

/** Calls addresses on the Internet, and in private networks if the operator allows it. http is for
 *  loopback addresses only, unless an instance reads public content. Errors: OUTBOUND_REFUSED for a
 *  forbidden address or redirect; OUTBOUND_FAILED; the reason of the signal. */
export type Outbound = { request(url: string, request?: OutboundRequest): Promise<OutboundAnswer> };
