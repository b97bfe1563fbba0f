import type { ObjectFilters, ObjectHit } from '../types.ts';
import { tierFactors } from '../weights.ts';

export interface ArrangedHit extends Pick<ObjectHit, 'tier' | 'lang' | 'provider'> {
  readonly rank: number;
}

/** The best hits are arranged together, whatever page is requested, so that pages agree. */
export const ARRANGED = 50;

/** Most people read this language besides their own. */
const COMMON_LANGUAGE = 'en';
/** The factor of the rank of a hit in another foreign language. */
const FOREIGN_SHARE = 0.7;
/** With a lower share of the best rank in another language, a hit in the query's is only close. */
const WEAK_SHARE = 0.8;

/** Of the first hits, at most MAX_OF_PROVIDER are of one provider, if others are as good. */
const FIRST = 5;
const MAX_OF_PROVIDER = 3;
/** A hit is as good if it has the same tier and this share of the rank. */
const AS_GOOD = 0.8;

/** Rearranges hits by language and provider. @param hits all hits, best first */
export function arrangeHits<Hit extends ArrangedHit>(hits: readonly Hit[], filters: ObjectFilters): readonly Hit[] {
  const first = arrangeFirstHits(hits.slice(0, ARRANGED), filters);
  return [...first, ...arrangeFurtherHits(first, hits.slice(ARRANGED))];
}

/** @param hits the best ARRANGED hits, best first */
export function arrangeFirstHits<Hit extends ArrangedHit>(
  hits: readonly Hit[],
  { provider }: ObjectFilters,
): readonly Hit[] {
  const ordered = arrangeLanguages(hits);
  return provider === undefined ? arrangeProviders(ordered) : ordered;
}

/** The hits after the arranged ones: if those end with close ones, these are close, too. */
export function arrangeFurtherHits<Hit extends ArrangedHit>(
  first: readonly Hit[],
  rest: readonly Hit[],
): readonly Hit[] {
  return first.at(-1)?.tier === 'close' ? rest.map(markHitClose) : rest;
}

const markHitClose = <Hit extends ArrangedHit>(hit: Hit): Hit => ({ ...hit, tier: 'close' });

/** Exact hits in another language precede weak ones; the common language precedes others. */
function arrangeLanguages<Hit extends ArrangedHit>(hits: readonly Hit[]): readonly Hit[] {
  const rankOf = ({ rank, lang }: Hit) =>
    (rank / tierFactors['other-language']) * (lang === COMMON_LANGUAGE ? 1 : FOREIGN_SHARE);
  const foreign = hits.filter(({ tier }) => tier === 'other-language').toSorted((a, b) => rankOf(b) - rankOf(a));
  const [best] = foreign;
  if (best === undefined) return hits;
  const isWeak = ({ rank, tier }: Hit) => tier === 'fitting' && rank < WEAK_SHARE * rankOf(best);
  return [
    ...hits.filter((hit) => hit.tier === 'fitting' && !isWeak(hit)),
    ...foreign,
    ...hits.filter(isWeak).map(markHitClose),
    ...hits.filter(({ tier }) => tier === 'close'),
  ];
}

/** Moves up hits of other providers, if one provider has too many of the first. */
function arrangeProviders<Hit extends ArrangedHit>(hits: readonly Hit[]): readonly Hit[] {
  const first: Hit[] = [];
  const rest = [...hits];
  const isMore = ({ provider }: Hit) => first.filter((hit) => hit.provider === provider).length >= MAX_OF_PROVIDER;
  for (let [best] = rest; best !== undefined && first.length < FIRST; [best] = rest) {
    const { tier, rank } = best;
    const at = rest.findIndex((hit) => !isMore(hit) && hit.tier === tier && hit.rank >= AS_GOOD * rank);
    first.push(...rest.splice(Math.max(0, at), 1));
  }
  return [...first, ...rest];
}
