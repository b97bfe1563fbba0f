export interface AnswerSource {
  /** Host of the upstream, such as `api.example.org`; null for the embedded engine. */
  readonly upstream: string | null;
  /** `cached` has not expired; `stale` has, and is shown because the upstream did not answer. */
  readonly freshness: 'fresh' | 'cached' | 'stale';
  readonly answeredAt: Date;
}

export type Answered<T> = { readonly value: T; readonly source: AnswerSource };

/** Tiers in the order of results; a `close` one only shares something with the query. */
export const tiers = ['fitting', 'other-language', 'close'] as const;
export type Tier = (typeof tiers)[number];

/** The codes in `msg` of the specification. */
export type Quality = 'A00' | 'B00' | 'C00';

/** Copied from the specification, grammar included. */
export const qualityMessages: Readonly<Record<Quality, string>> = {
  A00: 'These results are our best effort to answer your query.',
  B00: 'These results does not match exactly your query.',
  C00: 'No result to display for this query.',
};
