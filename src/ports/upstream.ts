import type { LearningService } from './learning-service.ts';

/** How to reach an upstream of the specification. Keys are plain here and never logged. */
export interface UpstreamConnection {
  /** Address of the service, without a slash at the end: `https://api.example.org`. */
  readonly url: string;
  /** For `x-api-key`; absent sends none. */
  readonly apiKey?: string;
  /** Through a marketplace gateway: its address, with the key for `x-marketplace-key`. Competency operations go to `url`. */
  readonly marketplace?: { readonly url: string; readonly key?: string };
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
  /** As the specification calls it: `provider`, `suggest`, `search-provider`. */
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
