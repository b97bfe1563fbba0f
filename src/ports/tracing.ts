import type { IncomingHttpHeaders } from 'node:http';

/** Reports durations, operations, statuses and error codes; never the content of requests. */
export interface Tracing {
  /** Traces the work for a request, as a part of the trace of the caller. */
  request(request: TracedRequest, work: (end: EndRequest) => void): void;
  /** Wraps calls so that each one within a request has a span `part.call`.
   *  @param nameCall the name of a call; that of its function when absent */
  trace<T extends object>(part: string, calls: T, nameCall?: NameCall): T;
  close(): Promise<void>;
}

export type NameCall = (call: string, args: readonly unknown[]) => string;
type TracedRequest = { readonly method: string; readonly headers: IncomingHttpHeaders };

/** @param route pattern of the address with parameter names; null for none */
type EndRequest = (route: string | null, status: number) => void;
