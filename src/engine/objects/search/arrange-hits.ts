import type { ObjectFilters, ObjectHit } from '../types.ts';
import { tierFactors } from '../weights.ts';

export interface ArrangedHit extends Pick<ObjectHit, 'tier'> {
  readonly rank: number;
}

/** Reads what most hits are arranged without, as each fact is a cache miss of the processor. */
export interface HitFacts<Hit> {
  readLang(hit: Hit): string;
  readProvider(hit: Hit): string;
}

export const statedFacts: HitFacts<Pick<ObjectHit, 'lang' | 'provider'>> = {
  readLang: ({ lang }) => lang,
  readProvider: ({ provider }) => provider,
};

interface Arrangement<Hit> {
  readonly filters: ObjectFilters;
  readonly facts: HitFacts<Hit>;
}

/** The best hits are arranged together, whatever page is requested, so that pages agree. */
export const ARRANGED = 50;

/** Most people read this language besides their own. */
const COMMON_LANGUAGE = 'en';
/** The factor of the rank of a hit in another foreign language. */
const FOREIGN_SHARE = 0.7;
/** A hit in the query's language below this share of the best foreign rank is only close. */
const WEAK_SHARE = 0.8;

/** Of the first hits, at most MAX_OF_PROVIDER are of one provider, if others are as good. */
const FIRST = 5;
const MAX_OF_PROVIDER = 3;
/** A hit is as good if it has the same tier and this share of the rank. */
const AS_GOOD = 0.8;

/** Rearranges hits by language and provider. @param hits all hits, best first */
export function arrangeHits<Hit extends ArrangedHit>(
  hits: readonly Hit[],
  how: Arrangement<NoInfer<Hit>>,
): readonly Hit[] {
  const first = arrangeFirstHits(hits.slice(0, ARRANGED), how);
  return [...first, ...arrangeFurtherHits(first, hits.slice(ARRANGED))];
}

/** @param hits the best ARRANGED hits, best first */
export function arrangeFirstHits<Hit extends ArrangedHit>(
  hits: readonly Hit[],
  { filters, facts }: Arrangement<NoInfer<Hit>>,
): readonly Hit[] {
  const ordered = arrangeLanguages(hits, facts);
  return filters.provider === undefined ? arrangeProviders(ordered, facts) : ordered;
}

/** Marks the hits after the arranged ones as close if the arranged ones end with a close hit. */
export function arrangeFurtherHits<Hit extends ArrangedHit>(
  first: readonly Hit[],
  rest: readonly Hit[],
): readonly Hit[] {
  return first.at(-1)?.tier === 'close' ? rest.map(markHitClose) : rest;
}

const markHitClose = <Hit extends ArrangedHit>(hit: Hit): Hit => ({ ...hit, tier: 'close' });

/** Exact hits in another language precede weak ones; the common language precedes others. */
function arrangeLanguages<Hit extends ArrangedHit>(hits: readonly Hit[], { readLang }: HitFacts<Hit>): readonly Hit[] {
  const rankOf = (hit: Hit) =>
    (hit.rank / tierFactors['other-language']) * (readLang(hit) === COMMON_LANGUAGE ? 1 : FOREIGN_SHARE);
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
function arrangeProviders<Hit extends ArrangedHit>(
  hits: readonly Hit[],
  { readProvider }: HitFacts<Hit>,
): readonly Hit[] {
  const providers = hits.slice(0, FIRST).map(readProvider);
  const countOf = (provider: string) => providers.filter((other) => other === provider).length;
  if (providers.every((provider) => countOf(provider) <= MAX_OF_PROVIDER)) return hits;
  const first: Hit[] = [];
  const rest = [...hits];
  const hasEnough = (provider: string) =>
    first.filter((hit) => readProvider(hit) === provider).length >= MAX_OF_PROVIDER;
  for (let [best] = rest; best !== undefined && first.length < FIRST; [best] = rest) {
    const { tier, rank } = best;
    const isAsGood = (hit: Hit) => hit.tier === tier && hit.rank >= AS_GOOD * rank;
    const at = rest.findIndex((hit) => isAsGood(hit) && !hasEnough(readProvider(hit)));
    first.push(...rest.splice(Math.max(0, at), 1));
  }
  return [...first, ...rest];
}
