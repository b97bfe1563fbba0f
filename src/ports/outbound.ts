/** A request to an address that somebody else chose. */
export interface OutboundRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Milliseconds for the whole of it; 5,000 when absent. */
  readonly timeoutMs?: number;
  /** Bytes of an answer that are read at most, beyond which it fails; 1,048,576 when absent. */
  readonly maxBytes?: number;
}

export interface OutboundAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Calls addresses outside, never those of private networks unless the operator allows it, and follows no redirects. http is
 *  for loopback addresses only.
 *  Errors: OUTBOUND_REFUSED for an address that is not called; OUTBOUND_FAILED where no answer came, in time or at all. */
export interface Outbound {
  request(url: string, request?: OutboundRequest): Promise<OutboundAnswer>;
}
