import { type Bitset, hasBit } from '../bitset.ts';
import { findString } from '../string-table.ts';
import { commonestWord, shareTerms, type TypoFinder, termsByPrefix, termsOfTypos } from './guess-words.ts';
import { termsOfWord } from './lexicon.ts';
import type { LiveSegment } from './merge-segments.ts';
import { createPhraseFinder } from './phrase-sources.ts';
import type { Corrector, Group, QueryPlan } from './query-plan.ts';
import type { Segment } from './segment.ts';
import { termSource } from './term-source.ts';
import type { ObjectQuery } from './types.ts';
import { FAMILY_BELOW, matchWeights } from './weights.ts';

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
  /** By language of the plan: live documents that have a form of the word, 0 where nobody wrote it so. */
  readonly written: readonly number[];
}

/** The posting lists of every group in every segment. What is decided here (is the word known, what is guessed, how
 *  common is it) is decided over all segments: so it makes no difference how documents are spread over them. */
export function findSources(
  parts: readonly LiveSegment[],
  plan: QueryPlan,
  { model, findTypos }: Pick<GroupContext, 'model' | 'findTypos'>,
): FoundGroup[] {
  const findPhrases = createPhraseFinder(parts.map(({ segment }) => segment));
  return plan.groups.map((group) =>
    findGroup(parts, group, { model, langs: plan.langs, findPhrases, findTypos }),
  );
}

interface GroupContext extends Pick<ObjectQuery, 'model'>, Pick<QueryPlan, 'langs'> {
  readonly findTypos: TypoFinder;
  readonly findPhrases: ReturnType<typeof createPhraseFinder>;
}

function findGroup(
  parts: readonly LiveSegment[],
  group: Group,
  { model, langs, findPhrases, findTypos }: GroupContext,
): FoundGroup {
  const segments = parts.map(({ segment }) => segment);
  const own = exactTerms(segments, group);
  const ownSources = sourcesOf(segments, own, 1, true);
  const ownCount = countLive(parts, ownSources);
  // A word that somebody wrote is not taken for a typo.
  const isGuessed = model === 'extended' && ownCount === 0;
  const isBegun = group.isPrefix || (isGuessed && group.word.length >= MIN_GUESSED_PREFIX);
  const nothing = segments.map(() => new Set<number>());
  const completed = isBegun ? termsByPrefix(segments, group.word) : nothing;
  const corrected = isGuessed ? termsOfTypos(segments, findTypos(group.word)) : nothing;
  const isRare = ownCount < FAMILY_BELOW;
  const derived = isRare ? termsNamed(segments, group.derived()) : nothing;
  const exact = join(ownSources, findPhrases(group.synonyms, true));
  const all = join(
    exact,
    sourcesOf(segments, completed, matchWeights.prefix, false),
    sourcesOf(segments, corrected, matchWeights.typo, false),
    sourcesOf(segments, derived, matchWeights.derived, false),
    findPhrases(group.related, false),
  );
  return {
    sources: all,
    terms: segments.map((_, s) => new Set([...own[s]!, ...completed[s]!, ...corrected[s]!])),
    frequency: countLive(parts, exact) || countLive(parts, all),
    written: langs.length > 1 ? langs.map((_, l) => countWritten(parts, group, group.terms[l]!)) : [],
  };
}

/** What a word is taken for that no document has in any of the terms; null for one that some document has. */
export function correctWord(
  parts: readonly LiveSegment[],
  findTypos: TypoFinder,
  ...[word, terms, derived]: Parameters<Corrector>
): string | null {
  // Nearly every word is one that some document has, and is found to be at once.
  const hasIt = ({ segment: { count, lexicon }, liveCount }: LiveSegment) =>
    liveCount === count && findString(lexicon.surfaces, word) >= 0;
  if (parts.some(hasIt)) return null;
  const segments = parts.map(({ segment }) => segment);
  const isFound = (found: readonly ReadonlySet<number>[]) =>
    countLive(parts, sourcesOf(segments, found, 1, true)) > 0;
  const isWritten =
    isFound(exactTerms(segments, { terms, word })) || isFound(termsNamed(segments, derived()));
  return isWritten ? null : commonestWord(segments, findTypos(word));
}

function termsNamed(segments: readonly Segment[], names: readonly string[]): Set<number>[] {
  return segments.map(
    ({ terms }) => new Set(names.map((name) => findString(terms, name)).filter((term) => term >= 0)),
  );
}

/** Terms of the word in the languages asked for, and those it is the spelling of in any other. */
function exactTerms(
  segments: readonly Segment[],
  { terms: named, word }: Pick<Group, 'terms' | 'word'>,
): Set<number>[] {
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

/** Live documents with a term, where the word was written as a form of it. */
function countWritten(parts: readonly LiveSegment[], { word }: Group, text: string): number {
  const terms = parts.map(({ segment }) => findString(segment.terms, text));
  const isWritten = parts.some(({ segment }, p) =>
    [...termsOfWord(segment.lexicon, word)].includes(terms[p]!),
  );
  if (!isWritten) return 0;
  const sources = parts.map(({ segment }, p) =>
    terms[p]! < 0 ? [] : [termSource(segment, terms[p]!, { weight: 1, isExact: true })],
  );
  return countLive(parts, sources);
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
    Array.from(terms[s]!, (term) => termSource(segment, term, { weight, isExact })),
  );
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
