import type { IncomingHttpHeaders } from 'node:http';

/** Reports durations to a collector, with names of operations, statuses and codes of errors; never
 *  the content of requests. */
export interface Tracing {
  /** Runs the work of a request, as part of the trace that its caller has begun. */
  request(request: TracedRequest, work: (end: EndRequest) => void): void;
  /** The same calls; each is told where it belongs to a request, as `part.call`. */
  trace<T extends object>(part: string, calls: T): T;
  /** Tells what was not told yet. */
  close(): Promise<void>;
}

interface TracedRequest {
  readonly method: string;
  /** Only that of the trace is read. */
  readonly headers: IncomingHttpHeaders;
}

/** @param route pattern of the address, without what stands in its places; null where there is
 *  none */
type EndRequest = (route: string | null, status: number) => void;
