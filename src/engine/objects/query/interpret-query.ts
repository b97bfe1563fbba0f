import { sumValues } from '#engine/arrays';
import { hasCommonBit } from '#engine/bitset';
import { isStopwordOf } from '#engine/text/stopwords';
import { toTerm } from '#engine/text/term';
import type { LiveSegment, Segment } from '../segment/segment.ts';
import type { ObjectQuery } from '../types.ts';
import {
  FAMILY_BELOW,
  FUNCTION_WORD_DOCUMENTS,
  LANGUAGE_SHARE,
  matchWeights,
  PREFERRED_SHARE,
  RELATED_BELOW,
  REQUEST_SHARE,
  SENTENCE_WORDS,
  UNSEEN_DOCUMENTS,
} from '../weights.ts';
import { findOnlyLanguage } from './expand-words.ts';
import type { TypoFinder } from './guess-words.ts';
import { createTypoGuesser, createWrittenWords, guessTermsByPrefix, guessTermsOfTypos } from './guess-words.ts';
import { createPhraseFinder } from './phrase-sources.ts';
import { type Group, planQuery, type QueryPlan, type QueryWords, readQueryWords } from './plan-query.ts';
import type { Source, SourcesBySegment, Speller } from './term-sources.ts';
import {
  areSeldomTopical,
  countSourceDocuments,
  countTermDocuments,
  createTermSpeller,
  findExactTerms,
  findNamedTerms,
  openTermSource,
  openTermSources,
} from './term-sources.ts';

export interface InterpretedQuery extends Pick<QueryPlan, 'corrections' | 'truncated'> {
  readonly groups: readonly Group[];
  readonly matches: readonly GroupMatches[];
  /** Language of the query; null if it is unclear, or given by a filter without preference. */
  readonly lang: string | null;
}

/** Plans a group for each word of a query, and finds its posting lists in all segments. */
export function interpretQuery(segments: readonly LiveSegment[], query: ObjectQuery): InterpretedQuery {
  const wholeSegments = segments.map(({ segment }) => segment);
  const spell = createTermSpeller(wholeSegments);
  const words = readQueryWords(query, findOnlyLanguage(query.langs ?? []));
  const indexed = listIndexedLanguages(segments);
  const isOpen = query.filters.lang === undefined || query.prefer !== undefined;
  const lang = isOpen ? findQueryLanguage(segments, query, { langs: indexed, words, spell }) : null;
  const langs = query.langs ?? (lang === null ? indexed : [lang]);
  const findTypos = createTypoGuesser(segments, query.prefer ?? lang);
  const written = createWrittenWords(segments, { findTypos, spell });
  const plan = planQuery(query, langs, { written, words });
  const context = { model: query.model, findTypos, spell, findPhrases: createPhraseFinder(wholeSegments, spell) };
  const matches = plan.groups.map((group) => findGroupMatches(segments, group, context));
  const { corrections, truncated } = plan;
  return { groups: flagFrameWords(segments, plan.groups, matches), matches, lang, corrections, truncated };
}

/** At this number of queries, of some kB each, the cache is cleared. */
const MAX_INTERPRETED = 250;

/** Creates a function that interprets queries with a cache, as filters and further pages ask for
 *  the same words again. @param segments must not change */
export function createQueryInterpreter(segments: readonly LiveSegment[]): (query: ObjectQuery) => InterpretedQuery {
  const cache = new Map<string, InterpretedQuery & { readonly expand: ObjectQuery['expand'] }>();
  return (query) => {
    const { keywords, context, written, prefer, langs, model, prefix, expand, filters } = query;
    const key = JSON.stringify([keywords, context, written, prefer, langs, model, prefix, filters.lang === undefined]);
    const cached = cache.get(key);
    if (cached !== undefined && cached.expand === expand) return cached;
    const interpreted = { ...interpretQuery(segments, query), expand };
    if (cache.size >= MAX_INTERPRETED) cache.clear();
    cache.set(key, interpreted);
    return interpreted;
  };
}

function listIndexedLanguages(segments: readonly LiveSegment[]): string[] {
  const langs = segments.flatMap(({ segment, live, liveCount }) => {
    const { values, sets } = segment.valueSets.lang;
    return liveCount === segment.count ? values : values.filter((_, v) => hasCommonBit(sets[v]!, live));
  });
  return [...new Set(langs)];
}

/** Finds the language whose documents have the words most often. If several do, it is the preferred
 *  language; null without one. */
function findQueryLanguage(
  segments: readonly LiveSegment[],
  { keywords, context, written = keywords, prefer, langs: only }: ObjectQuery,
  { langs, words, spell }: { readonly langs: readonly string[]; readonly words: QueryWords; readonly spell: Speller },
): string | null {
  const isSame = written === keywords && only === undefined && context === undefined;
  const { searched, functionWords } = isSame
    ? words
    : readQueryWords({ keywords: written, ...(prefer !== undefined && { prefer }) }, undefined);
  // As logarithms: the product over many words would overflow.
  const evidence = langs.map((lang) => [
    ...searched.map((word) =>
      Math.log(countTermDocuments(segments, toTerm(word, lang), spell(word)) + UNSEEN_DOCUMENTS),
    ),
    ...functionWords.map((word) =>
      Math.log((isStopwordOf(word, lang) ? FUNCTION_WORD_DOCUMENTS : 0) + UNSEEN_DOCUMENTS),
    ),
  ]);
  const preferred = prefer === undefined ? -1 : langs.indexOf(prefer);
  // One function word proves nothing: `boucle for`.
  const decisive = functionWords.length === 1 ? evidence.map((byWord) => byWord.slice(0, -1)) : evidence;
  if (preferred >= 0 && hasEachWord(decisive, preferred)) return langs[preferred]!;
  const sums = evidence.map(sumValues);
  const most = Math.max(...sums);
  const total = sumValues(sums.map((sum) => Math.exp(sum - most)));
  return 1 >= LANGUAGE_SHARE * total ? langs[sums.indexOf(most)]! : (langs[preferred] ?? null);
}

/** Tells whether documents of a language have each word nearly as often as those of any other
 *  language: `marketing digital` is also French. */
function hasEachWord(evidence: readonly (readonly number[])[], lang: number): boolean {
  return evidence[lang]!.every((value, i) =>
    evidence.every((byWord) => value >= byWord[i]! + Math.log(PREFERRED_SHARE)),
  );
}

/** Marks the frame words of a sentence, in any language: words that documents mention but are not
 *  about, such as `know`, `first` and `days`. Frame words count like request words. */
function flagFrameWords(
  parts: readonly LiveSegment[],
  groups: readonly Group[],
  matches: readonly GroupMatches[],
): readonly Group[] {
  if (groups.filter(({ share }) => share === 1).length < SENTENCE_WORDS) return groups;
  const flagged = groups.map((group, g) => {
    const isFrame = group.share === 1 && group.phrase === null && areSeldomTopical(parts, matches[g]!.wordTerms);
    return isFrame ? { ...group, share: REQUEST_SHARE } : group;
  });
  return flagged.some(({ share }) => share === 1) ? flagged : groups;
}

export interface GroupMatches {
  readonly sources: SourcesBySegment;
  /** By segment: the terms of the word itself … */
  readonly wordTerms: readonly ReadonlySet<number>[];
  /** … and also those of its completions and corrections. */
  readonly terms: readonly ReadonlySet<number>[];
  /** The documents that the idf counts: those with the word itself; if there are none, those of
   *  exact sources; else those of all sources. */
  readonly frequency: number;
}

interface GroupContext extends Pick<ObjectQuery, 'model'> {
  readonly findTypos: TypoFinder;
  readonly spell: Speller;
  readonly findPhrases: ReturnType<typeof createPhraseFinder>;
}

/** Finds the posting lists of a group in every segment. Frequencies and guesses are decided over
 *  all segments together, so the distribution of documents over them does not matter. */
function findGroupMatches(parts: readonly LiveSegment[], group: Group, context: GroupContext): GroupMatches {
  const { model, findPhrases, findTypos, spell } = context;
  const segments = parts.map(({ segment }) => segment);
  const wordTerms = findExactTerms(segments, group.terms, spell(group.word));
  const wordSources = openWordSources(segments, group, wordTerms);
  const wordCount = countSourceDocuments(parts, wordSources);
  const isTypo = model === 'extended' && wordCount === 0;
  const noTerms = segments.map(() => new Set<number>());
  const completed = group.isPrefix ? guessTermsByPrefix(segments, group.word) : noTerms;
  const corrected = isTypo ? guessTermsOfTypos(segments, findTypos(group.word)) : noTerms;
  const derived = wordCount < FAMILY_BELOW ? findNamedTerms(segments, group.derived()) : noTerms;
  const joined = openTermSources(segments, findNamedTerms(segments, group.joined), matchWeights.joined, true);
  const ownForms = openTermSources(segments, findNamedTerms(segments, group.forms), 1, true);
  const exact = joinSources(ownForms, wordSources, joined, findPhrases(group.synonyms, true));
  const sources = joinSources(
    exact,
    openTermSources(segments, completed, matchWeights.prefix, false),
    openTermSources(segments, corrected, matchWeights.typo, false),
    openTermSources(segments, derived, matchWeights.derived, false),
    findPhrases(wordCount < RELATED_BELOW ? group.related : [], false),
  );
  return {
    sources,
    wordTerms,
    terms: segments.map((_, s) => new Set([...wordTerms[s]!, ...completed[s]!, ...corrected[s]!])),
    frequency: wordCount || countSourceDocuments(parts, exact) || countSourceDocuments(parts, sources),
  };
}

function openWordSources(segments: readonly Segment[], { stems }: Group, terms: readonly Set<number>[]): Source[][] {
  const stemmed = findNamedTerms(segments, stems);
  return segments.map((segment, s) =>
    Array.from(terms[s]!, (term) =>
      openTermSource(segment, term, { weight: stemmed[s]!.has(term) ? matchWeights.stem : 1, isExact: true }),
    ),
  );
}

function joinSources(first: SourcesBySegment, ...further: readonly SourcesBySegment[]): Source[][] {
  return first.map((sources, s) => [...sources, ...further.flatMap((bySegment) => bySegment[s]!)]);
}
