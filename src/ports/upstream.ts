import type { LearningService } from './learning-service.ts';

/** How to reach an upstream. Keys are plain here and never logged. */
export interface UpstreamConnection {
  /** Without a slash at the end: `https://api.example.org`. */
  readonly url: string;
  /** Value of the header `x-api-key`; absent sends none. */
  readonly apiKey?: string;
  /** Address of the gateway and value of `x-marketplace-key`. Competency operations go to `url`. */
  readonly marketplace?: { readonly url: string; readonly key?: string };
  /** Whether an owner of this host entered the address: it may be private if that is allowed. */
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
  /** Name in the specification: `search-provider`. */
  readonly operation: string;
  /** Address without query and keys. */
  readonly url: string;
  readonly outcome: UpstreamOutcome;
  /** Null when no answer came. */
  readonly status: number | null;
  readonly milliseconds: number;
  /** The service's reason or the failure, at most 300 characters, safe to show. */
  readonly detail: string | null;
}

export interface Upstreams {
  /** Creates a client, which calls nothing yet. */
  connect(connection: UpstreamConnection): LearningService;
  /** Makes one call of each kind: an open list, a keyed Competency operation, a keyed
   *  learning-object search. Never rejects because of the upstream. */
  test(connection: UpstreamConnection, signal?: AbortSignal): Promise<readonly UpstreamCall[]>;
}
