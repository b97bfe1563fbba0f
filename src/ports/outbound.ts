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
  /** Redirects of a GET or HEAD that are followed at most, each held to the same rules as the address itself; none when
   *  absent. */
  readonly redirects?: number;
  /** Origin that an owner of this host entered: it may be private where the operator lets owners do that, and
   *  so may the usual one of https on the same host; others that it redirects to may not. */
  readonly ownersOrigin?: string;
  /** Whether not even the hosts that the operator vouches for may be private: for addresses that anybody may bring in. False when
   *  absent. */
  readonly isPublicOnly?: boolean;
  /** Whether somebody who is not signed in brought the address in: then this machine is not called either, not even where the host is only
   *  tried out. False when absent. */
  readonly isByStranger?: boolean;
  /** Gives it up. */
  readonly signal?: AbortSignal;
}

export interface OutboundAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The same as it came, for what is not UTF-8. */
  readonly bytes: Uint8Array;
  /** Where it came from, after all redirects. */
  readonly url: string;
}

/** Why there was no answer, where known: in `data.failure` of OUTBOUND_FAILED. */
export type OutboundFailure = 'timeout' | 'no-host' | 'certificate' | 'too-long' | 'redirects' | 'connection';

/** Calls addresses outside, those of private networks only where the operator allows it. http is for loopback addresses
 *  only, unless this one is made for reading what is public.
 *  Errors: OUTBOUND_REFUSED for an address that is not called, or leads to one; OUTBOUND_FAILED where no answer came, in time
 *  or at all; what the signal was aborted with. */
export interface Outbound {
  request(url: string, request?: OutboundRequest): Promise<OutboundAnswer>;
}
