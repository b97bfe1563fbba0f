import type { LearningService } from './learning-service.ts';

/** How to reach an upstream. Keys are plain here and never logged. */
export interface UpstreamConnection {
  /** Without a slash at the end: `https://api.example.org`. */
  readonly url: string;
  /** `x-api-key`; absent sends none. */
  readonly apiKey?: string;
  /** The gateway's address and `x-marketplace-key`. Competency operations go to `url`. */
  readonly marketplace?: { readonly url: string; readonly key?: string };
  /** From an owner of this host: may be private if the operator allows it. */
  readonly isEnteredByOwner?: boolean;
}

export type UpstreamOutcome =
  | 'ok'
  | 'key-missing'
  | 'key-refused'
  | 'throttled'
  | 'not-found'
  | 'not-the-service'
  | 'server-error'
  | 'address-refused'
  | 'unreachable'
  | 'timed-out';

export interface UpstreamCall {
  /** As in the specification: `search-provider`. */
  readonly operation: string;
  /** Without query and without keys. */
  readonly url: string;
  readonly outcome: UpstreamOutcome;
  /** Null when no answer came. */
  readonly status: number | null;
  readonly milliseconds: number;
  /** The service's reason or the failure, at most 300 characters, safe to show. */
  readonly detail: string | null;
}

export interface Upstreams {
  /** Calls nothing yet. */
  connect(connection: UpstreamConnection): LearningService;
  /** Makes one call of each kind: an open list, a keyed Competency operation, a keyed
   *  learning-object search. Never rejects because of the upstream. */
  test(connection: UpstreamConnection, signal?: AbortSignal): Promise<readonly UpstreamCall[]>;
}

export interface Finding {
  /** `deviation` differs from the specification; `note` is allowed, or not specified. */
  readonly severity: 'deviation' | 'note';
  /** Place in the answer: `response.content[3].price-free`, `HTTP status`. */
  readonly path: string;
  /** Such as `expected boolean, found string "true"`; without keys, safe to show. */
  readonly problem: string;
  /** Number of items with this finding; `path` is that of the first. */
  readonly times: number;
}

export interface Inspection {
  /** As in the specification: `search-provider`. */
  readonly operation: string;
  /** Distinguishes calls of one operation, such as `without a key`; empty for the plain one. */
  readonly purpose: string;
  /** Without query and without keys. */
  readonly url: string;
  /** Null when no answer came. */
  readonly status: number | null;
  readonly milliseconds: number;
  /** False where the host did not answer several earlier calls; there are then no findings. */
  readonly isAsked: boolean;
  readonly findings: readonly Finding[];
}

export interface InspectOptions {
  /** Also sends feedback on a result, which the service stores; false by default. */
  readonly withFeedback?: boolean;
}

export interface UpstreamInspector {
  /** With the key, without one and with a wrong one, sequentially. Failures of the service are
   *  findings. Errors: UPSTREAM_ADDRESS_REFUSED and UPSTREAM_KEY_REFUSED. */
  inspect(connection: UpstreamConnection, options?: InspectOptions): AsyncIterable<Inspection>;
}
