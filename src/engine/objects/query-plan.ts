import { MAX_QUERY_WORDS } from '../query-words.ts';
import { isStopword } from '../text/stopwords.ts';
import { termOf, termOfName } from '../text/term.ts';
import { tokenize } from '../text/tokenize.ts';
import type { ObjectQuery } from './types.ts';
import { matchWeights } from './weights.ts';

/** A phrase that stands for one or more words of the query: all its words must be in the document. */
export interface Alternative {
  /** For each word of the phrase, its terms by language, of which any will do. */
  readonly words: readonly (readonly string[])[];
  readonly weight: number;
}

/** One word of the query and everything that counts as finding it. */
export interface Group {
  readonly word: string;
  /** The word itself, by language and as a name; equal worth. */
  readonly terms: readonly string[];
  /** Synonyms, of this word alone or of a span it is part of. */
  readonly synonyms: readonly Alternative[];
  readonly related: readonly Alternative[];
  readonly isPrefix: boolean;
}

export interface QueryPlan {
  readonly groups: readonly Group[];
  /** Whether words were left out because there were too many. */
  readonly truncated: boolean;
}

/** Split the keywords into groups. Function words are left out, unless there is nothing else.
 *  @param langs languages whose stemmers are tried */
export function planQuery(query: ObjectQuery, langs: readonly string[]): QueryPlan {
  const only = langs.length === 1 ? langs[0] : undefined;
  const all = tokenize(query.keywords);
  const meaningful = all.filter((word) => !isStopword(word, only));
  const words = [...new Set(meaningful.length > 0 ? meaningful : all)];
  const searched = words.slice(0, MAX_QUERY_WORDS);
  const termsOf = (word: string) => langs.map((lang) => termOf(word, lang));
  const expansions = query.expand?.(searched, only) ?? [];
  const groups = searched.map((word, i): Group => {
    const spans = expansions.filter(({ start, end }) => start <= i && i < end);
    const alternatives = (kind: 'synonym' | 'related'): Alternative[] =>
      spans
        .flatMap((span) => (kind === 'synonym' ? span.synonyms : span.related))
        // Function words are not indexed, so a phrase that kept them would never be found.
        .map((phrase) => phrase.filter((word) => !isStopword(word, only)))
        .filter((phrase) => phrase.length > 0)
        .map((phrase) => ({ words: phrase.map(termsOf), weight: matchWeights[kind] }));
    return {
      word,
      terms: [...termsOf(word), termOfName(word)],
      synonyms: alternatives('synonym'),
      related: query.model === 'extended' ? alternatives('related') : [],
      isPrefix: query.prefix === true && i === searched.length - 1 && word.length >= 2,
    };
  });
  return { groups, truncated: searched.length < words.length };
}
