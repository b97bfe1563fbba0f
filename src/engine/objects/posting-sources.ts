import { type Bitset, hasBit } from '../bitset.ts';
import { findString } from '../string-table.ts';
import { shareTerms, termsByPrefix, termsByTypo } from './guess-words.ts';
import { intersectSources } from './intersect-sources.ts';
import { termsOfWord } from './lexicon.ts';
import type { LiveSegment } from './merge-segments.ts';
import type { Alternative, Group, QueryPlan } from './query-plan.ts';
import { documentFrequency, type Segment } from './segment.ts';
import type { ObjectQuery } from './types.ts';
import { matchWeights } from './weights.ts';

/** A word nobody wrote is completed from this many letters on. */
const MIN_GUESSED_PREFIX = 3;

/** Documents of one segment that have a word in some form. */
export interface Source {
  /** Ascending. */
  readonly docs: Uint32Array;
  /** BM25F saturation, 1 to 255. */
  readonly impacts: Uint8Array;
  /** What a match of this kind is worth, 0 to 1. */
  readonly weight: number;
  /** Found as it was asked, in another form, or by a synonym; not by a guess. */
  readonly isExact: boolean;
}

/** What counts as finding one group. */
export interface FoundGroup {
  /** By segment. */
  readonly sources: readonly (readonly Source[])[];
  /** By segment: the terms of the word itself, its completions and corrections. */
  readonly terms: readonly ReadonlySet<number>[];
  /** Live documents the sources speak of, counted once per source; guesses only where nothing else is found. For idf. */
  readonly frequency: number;
}

/** The posting lists of every group in every segment. What is decided here (is the word known, what is guessed, how
 *  common is it) is decided over all segments: so it makes no difference how documents are spread over them. */
export function findSources(
  parts: readonly LiveSegment[],
  plan: QueryPlan,
  model: ObjectQuery['model'],
): FoundGroup[] {
  return plan.groups.map((group) => findGroup(parts, group, model));
}

function findGroup(parts: readonly LiveSegment[], group: Group, model: ObjectQuery['model']): FoundGroup {
  const segments = parts.map(({ segment }) => segment);
  const own = exactTerms(segments, group);
  const ownSources = sourcesOf(segments, own, 1, true);
  // A word that somebody wrote is not taken for a typo.
  const isGuessed = model === 'extended' && countLive(parts, ownSources) === 0;
  const isBegun = group.isPrefix || (isGuessed && group.word.length >= MIN_GUESSED_PREFIX);
  const nothing = segments.map(() => new Set<number>());
  const completed = isBegun ? termsByPrefix(segments, group.word) : nothing;
  const corrected = isGuessed ? termsByTypo(segments, group.word) : nothing;
  const exact = join(ownSources, phrasesOf(segments, group.synonyms, true));
  const all = join(
    exact,
    sourcesOf(segments, completed, matchWeights.prefix, false),
    sourcesOf(segments, corrected, matchWeights.typo, false),
    phrasesOf(segments, group.related, false),
  );
  return {
    sources: all,
    terms: segments.map((_, s) => new Set([...own[s]!, ...completed[s]!, ...corrected[s]!])),
    frequency: countLive(parts, exact) || countLive(parts, all),
  };
}

/** Terms of the word in the languages asked for, and those it is the spelling of in any other. */
function exactTerms(segments: readonly Segment[], { terms: named, word }: Group): Set<number>[] {
  const terms = segments.map((segment) => {
    const own = new Set(termsOfWord(segment.lexicon, word));
    for (const text of named) {
      const term = findString(segment.terms, text);
      if (term >= 0) own.add(term);
    }
    return own;
  });
  return shareTerms(segments, terms);
}

type SourcesBySegment = readonly (readonly Source[])[];

function join(first: SourcesBySegment, ...others: readonly SourcesBySegment[]): Source[][] {
  return first.map((own, s) => [...own, ...others.flatMap((other) => other[s]!)]);
}

function sourcesOf(
  segments: readonly Segment[],
  terms: readonly ReadonlySet<number>[],
  weight: number,
  isExact: boolean,
): Source[][] {
  return segments.map((segment, s) =>
    Array.from(terms[s]!, (term) => termSource(segment, term, weight, isExact)),
  );
}

function termSource(segment: Segment, term: number, weight: number, isExact: boolean): Source {
  const start = segment.postingStart[term]!;
  const end = start + documentFrequency(segment, term);
  return {
    docs: segment.postingDocs.subarray(start, end),
    impacts: segment.postingImpacts.subarray(start, end),
    weight,
    isExact,
  };
}

function phrasesOf(
  segments: readonly Segment[],
  phrases: readonly Alternative[],
  isExact: boolean,
): SourcesBySegment {
  return segments.map((segment) => phrases.flatMap((phrase) => phraseSources(segment, phrase, isExact)));
}

/** Documents that have every word of a phrase; a phrase of one word is its posting lists as they are. */
function phraseSources(
  segment: Segment,
  { words, weight }: Alternative,
  isExact: boolean,
): readonly Source[] {
  const lists = words.map((named) =>
    named
      .map((text) => findString(segment.terms, text))
      .filter((term) => term >= 0)
      .map((term) => termSource(segment, term, weight, isExact)),
  );
  return intersectSources(lists);
}

function countLive(parts: readonly LiveSegment[], sources: SourcesBySegment): number {
  let count = 0;
  for (const [p, { segment, live, liveCount }] of parts.entries()) {
    for (const { docs } of sources[p]!)
      count += liveCount === segment.count ? docs.length : countIn(docs, live);
  }
  return count;
}

function countIn(docs: Uint32Array, live: Bitset): number {
  let count = 0;
  for (let i = 0; i < docs.length; i++) if (hasBit(live, docs[i]!)) count++;
  return count;
}
