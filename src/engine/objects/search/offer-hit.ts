import { hasBit } from '#engine/bitset';
import { mixBits } from '#engine/hash';
import type { Segment } from '../segment/segment.ts';
import { POPULARITY_LIFT, SCORE_STEPS, SHUFFLE_STEPS, tierFactors } from '../weights.ts';
import { findLikeness } from './meaning.ts';
import type { Job, Part } from './search-job.ts';

interface Place {
  readonly part: Part;
  readonly job: Job;
}

/** A document that is found, and what speaks for it. */
export interface Hit {
  /** In the steps of scores. */
  readonly score: number;
  readonly coverage: number;
  /** What the filters leave of it. */
  readonly kept: number;
  readonly isFitting: boolean;
}

/** Put a hit in its place of the order that is asked for. */
export function offerHit(place: Place, doc: number, { score, coverage, kept, isFitting }: Hit): void {
  const { part, job } = place;
  const meant = part.meaning === undefined ? 0 : findLikeness(part.meaning, doc) * job.meaningScore;
  const { sort } = job.query;
  if (sort === 'random') offerShuffled(place, doc, { kept, isFitting });
  else if (sort === 'shortest')
    offerShortest(place, doc, { relevance: (score * coverage + meant) * kept, isFitting });
  else {
    const left = kept * (isFitting ? 1 : tierFactors.close);
    // Most matches could not be among the best however popular they were: two reads from memory are spared.
    if ((score + meant) * left * MOST_PER_STEP < job.top.floor) return;
    offerRanked(place, doc, (score / STEPS) * ((0.5 + 0.5 * coverage) * left) + (meant / STEPS) * left);
  }
}

/** Put a hit in its place of the shuffle. Its tier comes first, then what meets the filters better: the shuffle is among equals,
 *  and a dead object is no equal of a living one. */
function offerShuffled(
  { part, job: { seed, top } }: Place,
  doc: number,
  { kept, isFitting }: { readonly kept: number; readonly isFitting: boolean },
): void {
  const { idHash, popularity } = part.live.segment.columns;
  const hash = idHash[doc]!;
  const left = popularity[doc]! < 0 ? kept * popularityLift(popularity[doc]!) : kept;
  const tier = isFitting ? 1 + Number(isSpoken(part, doc)) : 0;
  const step = Math.round(left * SHUFFLE_STEPS) + tier * (SHUFFLE_STEPS + 1);
  top.offer(step * 2 ** 32 + mixBits(hash ^ seed), hash, part.base + doc);
}

/** Put a hit in its place by length, within its tier; of equally long ones the more relevant comes first. */
function offerShortest(
  { part, job: { top } }: Place,
  doc: number,
  { relevance, isFitting }: { readonly relevance: number; readonly isFitting: boolean },
): void {
  const { segment } = part.live;
  const rank = rankByLength(segment, doc, { isSpoken: isSpoken(part, doc), isFitting });
  top.offer(rank + relevance / (relevance + STEPS), segment.columns.idHash[doc]!, part.base + doc);
}

/** For `sort: 'shortest'`: what is dead last, what fits before what is only close, then what is in the first language, and what says
 *  its length before what does not. Whole minutes. */
export function rankByLength(
  { columns }: Segment,
  doc: number,
  { isSpoken, isFitting }: { readonly isSpoken: boolean; readonly isFitting: boolean },
): number {
  const minutes = columns.minutes[doc]!;
  const length = Number.isNaN(minutes) ? UNKNOWN_LENGTH : Math.min(UNKNOWN_LENGTH, Math.ceil(minutes));
  const isDead = columns.popularity[doc]! < 0;
  return -length - UNKNOWN_LENGTH * (2 * Number(!isSpoken) + 4 * Number(!isFitting) + 8 * Number(isDead));
}

/** Minutes; nothing is longer. */
const UNKNOWN_LENGTH = 2 ** 24;

/** Put a hit in its place among the best. Each fact is a read that misses the cache, so it is asked for only where it may matter. */
function offerRanked({ part, job: { top } }: Place, doc: number, relevance: number): void {
  const { idHash, popularity } = part.live.segment.columns;
  const spoken = isSpoken(part, doc) ? relevance : relevance * tierFactors['other-language'];
  if (spoken * MOST_LIFT < top.floor) return;
  const rank = spoken * popularityLift(popularity[doc]!);
  if (rank >= top.floor) top.offer(rank, idHash[doc]!, part.base + doc);
}

/** Whether a document is in the query's language, or any other is as good. */
export function isSpoken({ inLanguage }: Part, doc: number): boolean {
  return inLanguage === undefined || hasBit(inLanguage, doc);
}

/** What one is worth in steps of the state. */
const STEPS = 255 * SCORE_STEPS;
/** Popularity is at most 1; a hair more for what rounding may add. */
const MOST_LIFT = 1.0001 * (1 + POPULARITY_LIFT);
/** The most a step can come to. */
export const MOST_PER_STEP = MOST_LIFT / STEPS;

function popularityLift(popularity: number): number {
  return Number.isNaN(popularity) ? 1 : 1 + POPULARITY_LIFT * popularity;
}
