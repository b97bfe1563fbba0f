import { hasBit } from '#engine/bitset';
import { mixHash } from '#engine/hash';
import type { Segment } from '../segment/segment.ts';
import type { HitTier, ObjectQuery } from '../types.ts';
import { BELOW, POPULARITY_LIFT, SCORE_STEPS, SHUFFLE_STEPS, tierFactors } from '../weights.ts';
import { findMeaningLikeness } from './meaning.ts';
import type { Job, Part } from './search-job.ts';

type Place = { readonly part: Part; readonly job: Job };

export interface Hit {
  /** An integer, see SCORE_STEPS. */
  readonly score: number;
  readonly coverage: number;
  readonly filterFactor: number;
  readonly isFitting: boolean;
}

/** Offers a hit to the heap, with its rank in the requested order. */
export function offerHit(place: Place, doc: number, { score, coverage, filterFactor, isFitting }: Hit): void {
  const { part, job } = place;
  const meaningScore = part.meaning === undefined ? 0 : findMeaningLikeness(part.meaning, doc) * job.meaningScore;
  const { sort } = job.query;
  if (sort === 'random') offerShuffledHit(place, doc, { filterFactor, isFitting });
  else if (sort !== 'popularity')
    offerSortedHit(place, doc, { sort, relevance: (score * coverage + meaningScore) * filterFactor, isFitting });
  else {
    const factor = filterFactor * (isFitting ? 1 : tierFactors.close);
    // Most matches cannot be among the best, however popular they are.
    if ((score + meaningScore) * factor * MAX_PER_STEP < job.top.floor) return;
    offerRankedHit(
      place,
      doc,
      (score / SCORE_UNIT) * ((0.5 + 0.5 * coverage) * factor) + (meaningScore / SCORE_UNIT) * factor,
    );
  }
}

/** Ranks by tier, then by the filters' factor (lower for a dead document), then by a hash. */
function offerShuffledHit(
  { part, job: { seed, top } }: Place,
  doc: number,
  { filterFactor, isFitting }: { readonly filterFactor: number; readonly isFitting: boolean },
): void {
  const { idHash, popularity } = part.live.segment.columns;
  const hash = idHash[doc]!;
  const factor = popularity[doc]! < 0 ? filterFactor * liftByPopularity(popularity[doc]!) : filterFactor;
  const tier = isFitting ? 1 + Number(isHitInLanguage(part, doc)) : 0;
  const step = Math.round(factor * SHUFFLE_STEPS) + tier * (SHUFFLE_STEPS + 1);
  top.offer(step * 2 ** 32 + mixHash(hash ^ seed), hash, part.base + doc);
}

/** Ranks by length or date within the tier; ties by relevance. */
function offerSortedHit(
  { part, job: { top } }: Place,
  doc: number,
  { sort, relevance, isFitting }: { readonly sort: FactSort; readonly relevance: number; readonly isFitting: boolean },
): void {
  const { segment } = part.live;
  const rank = rankHitBySort(segment, doc, { sort, isInLanguage: isHitInLanguage(part, doc), isFitting });
  top.offer(rank + relevance / (relevance + SCORE_UNIT), segment.columns.idHash[doc]!, part.base + doc);
}

type FactSort = 'shortest' | 'newest';

/** Ranks by length in minutes, or the day of the last change: dead documents come last, before
 *  them close ones, then those in other languages; unknown values come last among equals. */
export function rankHitBySort(
  { columns }: Segment,
  doc: number,
  {
    sort,
    isInLanguage,
    isFitting,
  }: { readonly sort: FactSort; readonly isInLanguage: boolean; readonly isFitting: boolean },
): number {
  const value = sort === 'shortest' ? columns.minutes[doc]! : LAST - columns.day[doc]!;
  const below = Number.isNaN(value) ? LAST : Math.min(LAST, Math.ceil(value));
  const isDead = columns.popularity[doc]! < 0;
  return -below - LAST * (2 * Number(!isInLanguage) + 4 * Number(!isFitting) + 8 * Number(isDead));
}

/** Rank of an unknown value; every length and day number is lower. */
const LAST = 2 ** 24;

/** Ranks by relevance and popularity. Each fact is a cache miss of the processor, so it is read
 *  only if it can still matter. */
function offerRankedHit({ part, job: { top } }: Place, doc: number, relevance: number): void {
  const { idHash, popularity } = part.live.segment.columns;
  const inTier = isHitInLanguage(part, doc) ? relevance : relevance * tierFactors['other-language'];
  if (inTier * MAX_LIFT < top.floor) return;
  const rank = inTier * liftByPopularity(popularity[doc]!);
  if (rank >= top.floor) top.offer(rank, idHash[doc]!, part.base + doc);
}

export function readHitTier(rank: number, sort: ObjectQuery['sort']): HitTier {
  if (sort === 'random') {
    const tier = Math.floor(rank / 2 ** 32 / (SHUFFLE_STEPS + 1));
    return tier === 0 ? 'close' : tier === 1 ? 'other-language' : 'fitting';
  }
  if (sort !== 'popularity') {
    const tier = Math.floor(Math.ceil(-rank) / LAST);
    return tier & 4 ? 'close' : tier & 2 ? 'other-language' : 'fitting';
  }
  return rank < BELOW.fitting ? 'close' : rank < BELOW.spoken ? 'other-language' : 'fitting';
}

/** Tells whether a document is in the query's language, if the query has one. */
function isHitInLanguage({ inLanguage }: Part, doc: number): boolean {
  return inLanguage === undefined || hasBit(inLanguage, doc);
}

const SCORE_UNIT = 255 * SCORE_STEPS;
/** The lift of a popularity of 1, with a margin for rounding. */
const MAX_LIFT = 1.0001 * (1 + POPULARITY_LIFT);
/** The most that a step of score can add to a rank. */
export const MAX_PER_STEP = MAX_LIFT / SCORE_UNIT;

const liftByPopularity = (popularity: number): number =>
  Number.isNaN(popularity) ? 1 : 1 + POPULARITY_LIFT * popularity;
