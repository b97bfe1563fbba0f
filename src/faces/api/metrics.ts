import type { RequestHandler } from 'express';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  /** Count and time the requests of the API. */
  readonly measure: RequestHandler;
  readonly contentType: string;
  text(): Promise<string>;
}

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

/** How much is searched: numbers of entries by name, and bytes of the index. */
export type IndexSizes = Readonly<Record<string, number>> & { readonly indexBytes: number };

/** @param sizesNow asked each time the numbers are read: what is imported changes them */
export function createMetrics(sizesNow: () => IndexSizes): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'skilldock_requests_total',
    help: 'Requests of the HTTP API',
    labelNames: ['operation', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'skilldock_request_seconds',
    help: 'Time from a request to the end of its answer',
    labelNames: ['operation'],
    buckets: SECONDS,
    registers,
  });
  new Gauge({
    name: 'skilldock_index_entries',
    help: 'Entries of what is searched',
    labelNames: ['what'],
    registers,
    collect() {
      const { indexBytes: _, ...entries } = sizesNow();
      for (const [what, count] of Object.entries(entries)) this.set({ what }, count);
    },
  });
  new Gauge({
    name: 'skilldock_index_bytes',
    help: 'Size of the object index',
    registers,
    collect() {
      this.set(sizesNow().indexBytes);
    },
  });
  return {
    measure(_request, response, next) {
      const end = seconds.startTimer();
      response.once('close', () => {
        // The route, never the address: what people send must not become a label.
        const operation = String(response.locals.operation ?? 'unknown');
        end({ operation });
        requests.inc({ operation, status: response.statusCode });
      });
      next();
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}
