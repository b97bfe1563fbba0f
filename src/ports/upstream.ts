import type { LearningService } from './learning-service.ts';

/** How to reach an upstream of the specification. Keys are plain here and never logged. */
export interface UpstreamConnection {
  /** Address of the service, without a slash at the end: `https://api.example.org`. */
  readonly url: string;
  /** For `x-api-key`; absent sends none. */
  readonly apiKey?: string;
  /** Through a marketplace gateway: its address, with the key for `x-marketplace-key`. Competency
   *  operations go to `url`. */
  readonly marketplace?: { readonly url: string; readonly key?: string };
  /** Whether an owner of this host entered the addresses, which may then be private where the
   *  operator allows that. */
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
  /** Its name in the specification: `provider`, `suggest`, `search-provider`. */
  readonly operation: string;
  /** Without query and without keys. */
  readonly url: string;
  readonly outcome: UpstreamOutcome;
  /** HTTP status; null when no answer came. */
  readonly status: number | null;
  readonly milliseconds: number;
  /** Reason of the service, or the failure, at most 300 characters; safe to show. */
  readonly detail: string | null;
}

export interface Upstreams {
  /** The operations of an upstream; nothing is called yet. */
  connect(connection: UpstreamConnection): LearningService;
  /** Makes one call of each kind: an open list, a keyed Competency operation, a keyed
   *  learning-object search. Never rejects for what the upstream does. */
  test(connection: UpstreamConnection, signal?: AbortSignal): Promise<readonly UpstreamCall[]>;
}

/** Something about an answer that the operator of the service should know. */
export interface Finding {
  /** `deviation` differs from the specification; `note` is allowed, or not specified. */
  readonly severity: 'deviation' | 'note';
  /** Where in the answer: `response.content[3].price-free`, `HTTP status`. */
  readonly path: string;
  /** Such as `expected boolean, found string "true"`; without keys, safe to show. */
  readonly problem: string;
  /** Number of items with this finding; `path` is that of the first. */
  readonly times: number;
}

/** One call of an inspection, or one that was not made. */
export interface Inspection {
  /** Its name in the specification: `search-provider`. */
  readonly operation: string;
  /** Distinguishes calls of one operation, such as `without a key`; empty for the plain one. */
  readonly purpose: string;
  /** Without query and without keys. */
  readonly url: string;
  /** HTTP status; null when no answer came. */
  readonly status: number | null;
  readonly milliseconds: number;
  /** False where the host had not answered several calls before; then there are no findings. */
  readonly isAsked: boolean;
  readonly findings: readonly Finding[];
}

export interface InspectOptions {
  /** Also give a feedback on a result, which the service keeps; false by default. */
  readonly withFeedback?: boolean;
}

/** Compares services with the specification. */
export interface UpstreamInspector {
  /** Calls every operation with the key, without one and with a wrong one, one call after the
   *  other. Failures of the service are findings, not errors. Errors: UPSTREAM_ADDRESS_REFUSED and
   *  UPSTREAM_KEY_REFUSED for an address or a key that cannot be used at all. */
  inspect(connection: UpstreamConnection, options?: InspectOptions): AsyncIterable<Inspection>;
}
