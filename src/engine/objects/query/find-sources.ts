import type { LiveSegment } from '../segment/segment.ts';
import type { ObjectQuery } from '../types.ts';
import { FAMILY_BELOW, matchWeights, RELATED_BELOW } from '../weights.ts';
import { guessTermsByPrefix, guessTermsOfTypos, type TypoFinder } from './guess-words.ts';
import { createPhraseFinder } from './phrase-sources.ts';
import type { Group, QueryPlan } from './plan-query.ts';
import {
  countSourceDocuments,
  findExactSourceTerms,
  findNamedSourceTerms,
  openTermSources,
  type Source,
  type SourcesBySegment,
  type Speller,
} from './term-sources.ts';

/** What counts as finding one group. */
export interface FoundGroup {
  /** By segment. */
  readonly sources: readonly (readonly Source[])[];
  /** By segment: the terms of the word itself, its completions and corrections. */
  readonly terms: readonly ReadonlySet<number>[];
  /** Live documents that have the word itself; where none has, those of the sources, counted once per source, and those of
   *  guesses only where nothing else is found. For idf: synonyms do not make a word less telling. */
  readonly frequency: number;
}

/** The posting lists of every group in every segment. Whether a word is known, what is guessed, and how common it is, is decided
 *  over all segments, so that it makes no difference how documents are spread over them. */
export function findSources(
  parts: readonly LiveSegment[],
  plan: QueryPlan,
  { model, findTypos, spell }: Omit<GroupContext, 'findPhrases'>,
): FoundGroup[] {
  const findPhrases = createPhraseFinder(
    parts.map(({ segment }) => segment),
    spell,
  );
  return plan.groups.map((group) => findGroup(parts, group, { model, findPhrases, findTypos, spell }));
}

interface GroupContext extends Pick<ObjectQuery, 'model'> {
  readonly findTypos: TypoFinder;
  readonly spell: Speller;
  readonly findPhrases: ReturnType<typeof createPhraseFinder>;
}

function findGroup(
  parts: readonly LiveSegment[],
  group: Group,
  { model, findPhrases, findTypos, spell }: GroupContext,
): FoundGroup {
  const segments = parts.map(({ segment }) => segment);
  const own = findExactSourceTerms(segments, group.terms, spell(group.word));
  const ownSources = openTermSources(segments, own, 1, true);
  const ownCount = countSourceDocuments(parts, ownSources);
  // A word that some document has is not taken for a typo.
  const isGuessed = model === 'extended' && ownCount === 0;
  const nothing = segments.map(() => new Set<number>());
  const completed = group.isPrefix ? guessTermsByPrefix(segments, group.word) : nothing;
  const corrected = isGuessed ? guessTermsOfTypos(segments, findTypos(group.word)) : nothing;
  const derived = ownCount < FAMILY_BELOW ? findNamedSourceTerms(segments, group.derived()) : nothing;
  const joined = openTermSources(
    segments,
    findNamedSourceTerms(segments, group.joined),
    matchWeights.joined,
    true,
  );
  const exact = join(ownSources, joined, findPhrases(group.synonyms, true));
  const all = join(
    exact,
    openTermSources(segments, completed, matchWeights.prefix, false),
    openTermSources(segments, corrected, matchWeights.typo, false),
    openTermSources(segments, derived, matchWeights.derived, false),
    findPhrases(ownCount < RELATED_BELOW ? group.related : [], false),
  );
  return {
    sources: all,
    terms: segments.map((_, s) => new Set([...own[s]!, ...completed[s]!, ...corrected[s]!])),
    frequency: ownCount || countSourceDocuments(parts, exact) || countSourceDocuments(parts, all),
  };
}

function join(first: SourcesBySegment, ...others: readonly SourcesBySegment[]): Source[][] {
  return first.map((own, s) => [...own, ...others.flatMap((other) => other[s]!)]);
}
