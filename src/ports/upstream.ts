import type { LearningService } from './learning-service.ts';

/** How to reach an upstream of the specification. Keys are plain here and never logged. */
export interface UpstreamConnection {
  /** Address of the service, without a slash at the end: `https://api.example.org`. */
  readonly url: string;
  /** For `x-api-key`; absent sends none. */
  readonly apiKey?: string;
  /** Through a marketplace gateway: its address, with the key for `x-marketplace-key`. Competency operations go to `url`. */
  readonly marketplace?: { readonly url: string; readonly key?: string };
  /** Whether an owner of this host entered the addresses: those may be private where the operator lets owners do that. */
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

/** One real call of a test. */
export interface UpstreamCall {
  /** Its name in the specification: `provider`, `suggest`, `search-provider`. */
  readonly operation: string;
  /** Without query and without keys. */
  readonly url: string;
  readonly outcome: UpstreamOutcome;
  /** HTTP status; null when no answer came. */
  readonly status: number | null;
  readonly milliseconds: number;
  /** What the other side said, or what failed, cut at 300 characters; safe to show to an administrator. */
  readonly detail: string | null;
}

/** Ways to upstreams. */
export interface Upstreams {
  /** The operations of the upstream; nothing is called yet. */
  connect(connection: UpstreamConnection): LearningService;
  /** Makes one real call of each kind: an open list, a keyed Competency operation, a keyed learning-object search.
   *  Never rejects for what the upstream does. */
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
  /** How many items of the answer have it; `path` is that of the first one. */
  readonly times: number;
}

/** One real call of an inspection, or one that was not made. */
export interface Inspection {
  /** Its name in the specification: `search-provider`. */
  readonly operation: string;
  /** What sets this call apart from others of the operation, such as `without a key`; empty for the plain one. */
  readonly purpose: string;
  /** Without query and without keys. */
  readonly url: string;
  /** HTTP status; null when no answer came. */
  readonly status: number | null;
  readonly milliseconds: number;
  /** False where the host was given up before, as it answered nothing; that is not a finding about the service. */
  readonly isAsked: boolean;
  readonly findings: readonly Finding[];
}

export interface InspectOptions {
  /** Also give a feedback on what a search found, which the service keeps; false by default. Not given where nothing was found. */
  readonly withFeedback?: boolean;
}

/** Compares services with the specification. */
export interface UpstreamInspector {
  /** Calls every operation, as it should be called and without a good key, one call after the other. What the service does
   *  is a finding, never an error.
   *  Errors: UPSTREAM_ADDRESS_REFUSED and UPSTREAM_KEY_REFUSED for an address or a key that cannot be used at all. */
  inspect(connection: UpstreamConnection, options?: InspectOptions): AsyncIterable<Inspection>;
}
