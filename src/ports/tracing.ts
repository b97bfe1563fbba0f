import type { IncomingHttpHeaders } from 'node:http';

/** Reports durations to a collector, with names of operations, statuses and codes of errors; never
 *  the content of requests. */
export interface Tracing {
  /** Runs the work of a request, as part of the trace that its caller has begun. */
  request(request: TracedRequest, work: (end: EndRequest) => void): void;
  /** The same calls, with a span `part.call` of each one that belongs to a request.
   *  @param nameCall the name of a call; that of its function when absent */
  trace<T extends object>(part: string, calls: T, nameCall?: NameCall): T;
  /** Sends the spans that are left. */
  close(): Promise<void>;
}

export type NameCall = (call: string, args: readonly unknown[]) => string;

interface TracedRequest {
  readonly method: string;
  /** Only that of the trace is read. */
  readonly headers: IncomingHttpHeaders;
}

/** @param route pattern of the address, without what stands in its places; null where there is
 *  none */
type EndRequest = (route: string | null, status: number) => void;
