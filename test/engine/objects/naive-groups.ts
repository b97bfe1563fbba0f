import type { ObjectQuery } from '../../../src/engine/objects/types.ts';
import { matchWeights } from '../../../src/engine/objects/weights.ts';
import { MAX_QUERY_WORDS } from '../../../src/engine/query-words.ts';
import { isStopword } from '../../../src/engine/text/stopwords.ts';
import { termOf, termOfName } from '../../../src/engine/text/term.ts';
import { tokenize } from '../../../src/engine/text/tokenize.ts';
import type { NaiveDocument } from './naive-document.ts';

/** One way of finding a word of the query. */
export interface NaiveSource {
  /** 1 to 255 where the document has it, else 0. */
  impactIn(document: NaiveDocument): number;
  readonly weight: number;
  readonly isExact: boolean;
}

export interface NaiveGroup {
  readonly sources: readonly NaiveSource[];
  readonly frequency: number;
}

export interface NaiveQuery {
  readonly groups: readonly NaiveGroup[];
  readonly truncated: boolean;
}

/** What counts as finding each word, worked out by looking through all documents. */
export function naiveGroups(documents: readonly NaiveDocument[], query: ObjectQuery): NaiveQuery {
  const langs = query.langs ?? [...new Set(documents.map(({ document }) => document.lang))];
  const only = langs.length === 1 ? langs[0] : undefined;
  const isContent = (word: string) => !isStopword(word, only);
  const all = tokenize(query.keywords);
  const words = [...new Set(all.some(isContent) ? all.filter(isContent) : all)];
  const searched = words.slice(0, MAX_QUERY_WORDS);
  const termsOf = (word: string) => langs.map((lang) => termOf(word, lang));
  const expansions = query.expand?.(searched, only) ?? [];
  const groups = searched.map((word, i): NaiveGroup => {
    const spans = expansions.filter((span) => span.start <= i && i < span.end);
    const phrases = (lists: readonly (readonly string[])[], weight: number, isExact: boolean) =>
      lists
        .map((phrase) => phrase.filter(isContent).map(termsOf))
        .filter((phrase) => phrase.length > 0)
        .flatMap((phrase) => phraseSources(phrase, weight, isExact));
    const own = new Set([
      ...termsOf(word),
      termOfName(word),
      ...termsOfSpellings(documents, (other) => other === word),
    ]);
    const ownSources = sourcesOf(own, 1, true);
    const isGuessed = query.model === 'extended' && frequencyOf(documents, ownSources) === 0;
    const isBegun =
      (query.prefix === true && i === searched.length - 1 && word.length >= 2) ||
      (isGuessed && word.length >= 3);
    const begun = isBegun ? termsOfSpellings(documents, (other) => other.startsWith(word)) : [];
    const mistyped = isGuessed ? termsOfSpellings(documents, (other) => isTypo(word, other)) : [];
    const exact = [
      ...ownSources,
      ...phrases(
        spans.flatMap((span) => span.synonyms),
        matchWeights.synonym,
        true,
      ),
    ];
    const related = query.model === 'extended' ? spans.flatMap((span) => span.related) : [];
    const sources = [
      ...exact,
      ...sourcesOf(begun, matchWeights.prefix, false),
      ...sourcesOf(mistyped, matchWeights.typo, false),
      ...phrases(related, matchWeights.related, false),
    ];
    return { sources, frequency: frequencyOf(documents, exact) || frequencyOf(documents, sources) };
  });
  return { groups, truncated: searched.length < words.length };
}

function frequencyOf(documents: readonly NaiveDocument[], sources: readonly NaiveSource[]): number {
  return sources.reduce(
    (sum, source) => sum + documents.filter((document) => source.impactIn(document) > 0).length,
    0,
  );
}

function termsOfSpellings(
  documents: readonly NaiveDocument[],
  isWanted: (word: string) => boolean,
): string[] {
  const terms = documents.flatMap(({ termsOfWord }) =>
    [...termsOfWord].filter(([word]) => isWanted(word)).flatMap(([, own]) => [...own]),
  );
  return [...new Set(terms)];
}

function sourcesOf(terms: Iterable<string>, weight: number, isExact: boolean): NaiveSource[] {
  return Array.from(terms, (term) => ({
    impactIn: ({ impacts }) => impacts.get(term) ?? 0,
    weight,
    isExact,
  }));
}

/** A phrase of one word is found like that word; of several, where all are, with their mean. */
function phraseSources(phrase: readonly string[][], weight: number, isExact: boolean): NaiveSource[] {
  if (phrase.length === 1) return sourcesOf(phrase[0]!, weight, isExact);
  const impactIn = ({ impacts }: NaiveDocument): number => {
    const best = phrase.map((stems) => Math.max(...stems.map((text) => impacts.get(text) ?? 0)));
    return best.includes(0) ? 0 : Math.round(best.reduce((sum, impact) => sum + impact, 0) / best.length);
  };
  return [{ impactIn, weight, isExact }];
}

function isTypo(word: string, other: string): boolean {
  const mayBe = (text: string) => text.length >= 4 && text.length <= 24;
  return mayBe(word) && mayBe(other) && !/\d/.test(other) && distance(word, other) <= 1;
}

/** Optimal string alignment, the whole matrix. */
export function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => i + j),
  );
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const replaced = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      }
      rows[i]![j] = least;
    }
  }
  return rows[a.length]![b.length]!;
}
