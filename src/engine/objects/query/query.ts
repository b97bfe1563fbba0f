import { isOverlapping } from '#engine/bitset';
import { isFunctionWordOf } from '#engine/text/stopwords';
import { toTerm } from '#engine/text/term';
import type { LiveSegment } from '../segment/segment.ts';
import type { ObjectQuery } from '../types.ts';
import { FUNCTION_WORD_DOCUMENTS, LANGUAGE_SHARE, PREFERRED_SHARE, UNSEEN_DOCUMENTS } from '../weights.ts';
import { findOnlyLanguage } from './expand-words.ts';
import { type FoundGroup, findSources } from './find-sources.ts';
import { createTypoGuesser, createWrittenWords } from './guess-words.ts';
import { type Group, planQuery, type QueryPlan, type QueryWords, readQueryWords } from './plan-query.ts';
import { countTermDocuments, createSpeller, type Speller } from './term-sources.ts';

/** Where the words of a query are in the documents. */
export interface UnderstoodQuery extends Pick<QueryPlan, 'corrections' | 'truncated'> {
  /** The words of the query, each with everything that counts as finding it. */
  readonly groups: readonly Group[];
  /** By group: where that is. */
  readonly found: readonly FoundGroup[];
  /** Language of the query; null where it is open, or a filter names one and none is preferred. */
  readonly lang: string | null;
}

/** Plan the groups of a query and find them in all segments. */
export function understandObjectQuery(segments: readonly LiveSegment[], query: ObjectQuery): UnderstoodQuery {
  const own = segments.map(({ segment }) => segment);
  const [findTypos, spell] = [createTypoGuesser(segments), createSpeller(own)];
  const words = readQueryWords(query.keywords, findOnlyLanguage(query.langs ?? []));
  const all = listLanguages(segments);
  const isOpen = query.filters.lang === undefined || query.prefer !== undefined;
  const lang = isOpen ? findQueryLanguage(segments, query, { langs: all, words, spell }) : null;
  const langs = query.langs ?? (lang === null ? all : [lang]);
  const written = createWrittenWords(segments, { findTypos, spell });
  const plan = planQuery(query, langs, { written, words });
  const found = findSources(segments, plan, { model: query.model, findTypos, spell });
  const { groups, corrections, truncated } = plan;
  return { groups, found, lang, corrections, truncated };
}

/** Languages of the documents, without those whose documents were all removed. */
function listLanguages(segments: readonly LiveSegment[]): string[] {
  const langs = segments.flatMap(({ segment, live, liveCount }) => {
    const { values, sets } = segment.valueSets.lang;
    return liveCount === segment.count ? values : values.filter((_, v) => isOverlapping(sets[v]!, live));
  });
  return [...new Set(langs)];
}

interface QueryLanguages {
  /** Those that it may be in. */
  readonly langs: readonly string[];
  /** Of the keywords. */
  readonly words: QueryWords;
  readonly spell: Speller;
}

/** The language of a query, judged by how many documents of each language have its words. Where that is open, as with names of
 *  products, it is that of the person; null where that is not known either. */
function findQueryLanguage(
  segments: readonly LiveSegment[],
  { keywords, written = keywords, prefer, langs: only }: ObjectQuery,
  { langs, words, spell }: QueryLanguages,
): string | null {
  const isSame = written === keywords && only === undefined;
  const { searched, functionWords } = isSame ? words : readQueryWords(written, undefined);
  // As logarithms: the product over many words would overflow.
  const evidence = langs.map((lang) => [
    ...searched.map((word) =>
      Math.log(countTermDocuments(segments, toTerm(word, lang), spell(word)) + UNSEEN_DOCUMENTS),
    ),
    ...functionWords.map((word) =>
      Math.log((isFunctionWordOf(word, lang) ? FUNCTION_WORD_DOCUMENTS : 0) + UNSEEN_DOCUMENTS),
    ),
  ]);
  const preferred = prefer === undefined ? -1 : langs.indexOf(prefer);
  if (preferred >= 0 && isAtHome(evidence, preferred)) return langs[preferred]!;
  const sums = evidence.map((own) => own.reduce((sum, value) => sum + value, 0));
  const most = Math.max(...sums);
  const all = sums.reduce((total, value) => total + Math.exp(value - most), 0);
  return 1 >= LANGUAGE_SHARE * all ? langs[sums.indexOf(most)]! : (langs[preferred] ?? null);
}

/** Whether a language has each of the words, even if another has some of them more often: `marketing digital` is French, too. */
function isAtHome(evidence: readonly (readonly number[])[], lang: number): boolean {
  return evidence[lang]!.every((value, i) =>
    evidence.every((other) => value >= other[i]! + Math.log(PREFERRED_SHARE)),
  );
}
