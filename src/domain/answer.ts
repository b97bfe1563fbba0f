/** Where an answer comes from, to be shown. */
export interface AnswerSource {
  /** Host of the upstream, such as `api.example.org`; null for the embedded engine. */
  readonly upstream: string | null;
  /** `fresh`: answered just now; `cached`: answered before and not expired; `stale`: expired, shown
   *  because the upstream could not be asked. */
  readonly freshness: 'fresh' | 'cached' | 'stale';
  readonly answeredAt: Date;
}

/** An answer with its source. */
export interface Answered<T> {
  readonly value: T;
  readonly source: AnswerSource;
}

/** How well a learning object fits a query, in the order in which results are listed: it fits, it
 *  fits in another language, or it only shares something with the query. */
export const tiers = ['fitting', 'other-language', 'close'] as const;
export type Tier = (typeof tiers)[number];

/** How well an answer fits the query, as the specification codes it in `msg`. */
export type Quality = 'A00' | 'B00' | 'C00';

/** The specification's own sentences, grammar included. */
export const qualityMessages: Readonly<Record<Quality, string>> = {
  A00: 'These results are our best effort to answer your query.',
  B00: 'These results does not match exactly your query.',
  C00: 'No result to display for this query.',
};
