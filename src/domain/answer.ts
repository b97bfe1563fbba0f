/** Where an answer comes from, for people to see. */
export interface AnswerSource {
  /** Host of the upstream that answered, such as `api.example.org`; null for our own engine. */
  readonly upstream: string | null;
  /** `fresh` was asked for just now; `cached` was asked a while ago and is still good; `stale` is older than it should be,
   *  because the upstream could not be asked now. */
  readonly freshness: 'fresh' | 'cached' | 'stale';
  readonly answeredAt: Date;
}

/** An answer with where it comes from. */
export interface Answered<T> {
  readonly value: T;
  readonly source: AnswerSource;
}

/** How a learning object stands to what was asked, in the order in which they come: what fits, what fits in another language, and what
 *  only shares something with it. */
export const tiers = ['fitting', 'other-language', 'close'] as const;
export type Tier = (typeof tiers)[number];

/** How well an answer fits what was asked, as the specification codes it in `msg`. */
export type Quality = 'A00' | 'B00' | 'C00';

/** The specification's own sentences, grammar included. */
export const qualityMessages: Readonly<Record<Quality, string>> = {
  A00: 'These results are our best effort to answer your query.',
  B00: 'These results does not match exactly your query.',
  C00: 'No result to display for this query.',
};
