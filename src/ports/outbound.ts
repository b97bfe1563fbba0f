/** A request to an address that somebody else chose. */
export interface OutboundRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Milliseconds for the whole of it; 5,000 when absent. */
  readonly timeoutMs?: number;
  /** Bytes of an answer that are read at most; 1,048,576 when absent. */
  readonly maxBytes?: number;
  /** Whether a longer answer fails, as it does when absent, or is cut there. */
  readonly whenLonger?: 'fail' | 'cut';
  /** Most redirects of a GET or HEAD to follow, under the same rules as the address; 0 by
   *  default. */
  readonly redirects?: number;
  /** Whether only redirects to the same site are followed: its host, with or without `www.`. Others
   *  fail. False when absent. */
  readonly staysOnSite?: boolean;
  /** Origin that an owner of this host entered: it may be private where the operator lets owners do
   *  that, and so may the https origin of the same host; other targets of redirects may not. */
  readonly ownersOrigin?: string;
  /** Whether also the hosts of ALLOW_PRIVATE must be public: for addresses that anybody may give.
   *  False when absent. */
  readonly isPublicOnly?: boolean;
  /** Whether somebody who is not signed in gave the address: then this machine is never called,
   *  even in a trial. False when absent. */
  readonly isByStranger?: boolean;
  /** Ends the request. */
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

/** Why there was no answer: `data.failure` of OUTBOUND_FAILED. */
export type OutboundFailure = 'timeout' | 'no-host' | 'certificate' | 'too-long' | 'redirects' | 'connection';

/** Calls addresses on the Internet, and in private networks where the operator allows that. http is
 *  for loopback addresses only, unless an instance is made for reading public content.
 *  Errors: OUTBOUND_REFUSED for an address that is not called, or leads to one; OUTBOUND_FAILED
 *  where no answer came, in time or at all; the reason of the signal. */
export interface Outbound {
  request(url: string, request?: OutboundRequest): Promise<OutboundAnswer>;
}
