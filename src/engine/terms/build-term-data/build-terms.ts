import { createGrowableUint32 } from '#engine/arrays';
import { getOrAdd } from '#engine/maps';
import { buildStringTable } from '#engine/string-table';
import { stem } from '#engine/text/stem';
import { isStopword } from '#engine/text/stopwords';
import { measureIdf } from '#engine/text/term';
import { type LabelTable, labelRoles, NONE, type Vocabulary } from '../term-data.ts';
import type { LabelWords } from './build-labels.ts';

/** Builds the stems of all labels, and weighs them. */
export function buildTerms(input: LabelWords): { labels: LabelTable; vocabulary: Vocabulary } {
  const { langs, wordTable, labels } = input;
  const stems = createTermStemmer(input);
  const terms = createGrowableUint32();
  const termStart = new Uint32Array(labels.conceptOf.length + 1);
  for (let label = 0; label < labels.conceptOf.length; label++) {
    if (labels.roleOf[label] !== labelRoles.phrase) {
      for (const term of stems.termsOfLabel(label)) terms.push(term);
    }
    termStart[label + 1] = terms.length;
  }
  const { letters, termLang, termOfWord } = stems.finish();
  const sequences = { termStart, terms: terms.finish() };
  const { mass, ...idfs } = weighTerms({ ...sequences, termLang, langOf: labels.langOf, langCount: langs.length });
  return {
    labels: { ...labels, ...sequences, mass },
    vocabulary: { langs, words: wordTable, stems: buildStringTable(letters), termLang, termOfWord, ...idfs },
  };
}

/** Lists the distinct terms of a label in order. For short labels, a scan is faster than a set. */
export function listTermsOfLabel(table: Pick<LabelTable, 'terms' | 'termStart'>, label: number): number[] {
  const { terms, termStart } = table;
  const distinct: number[] = [];
  for (let at = termStart[label]!; at < termStart[label + 1]!; at++) {
    if (!distinct.includes(terms[at]!)) distinct.push(terms[at]!);
  }
  return distinct;
}

function createTermStemmer({ langs, words, labels }: LabelWords) {
  const letters: string[] = [];
  const termLang: number[] = [];
  const termIds = langs.map(() => new Map<string, number>());
  const termOfWord = new Uint32Array(words.length * langs.length).fill(NONE);

  function termFor(word: number, lang: number): number {
    const slot = word * langs.length + lang;
    if (termOfWord[slot] !== NONE) return termOfWord[slot]!;
    const stemmed = stem(words[word]!, langs[lang]!);
    const term = getOrAdd(termIds[lang]!, stemmed, () => {
      termLang.push(lang);
      return letters.push(stemmed) - 1;
    });
    termOfWord[slot] = term;
    return term;
  }

  return {
    termsOfLabel(label: number): number[] {
      const lang = labels.langOf[label]!;
      const labelWords = labels.words.subarray(labels.wordStart[label], labels.wordStart[label + 1]);
      const content = labelWords.filter((word) => !isStopword(words[word]!, langs[lang]));
      return Array.from(content.length > 0 ? content : labelWords, (word) => termFor(word, lang));
    },
    /** Also looks up all words in all other languages, as a query does not tell its language. */
    finish() {
      for (let word = 0; word < words.length; word++) {
        for (let lang = 0; lang < langs.length; lang++) {
          const slot = word * langs.length + lang;
          if (termOfWord[slot] !== NONE) continue;
          termOfWord[slot] = termIds[lang]!.get(stem(words[word]!, langs[lang]!)) ?? NONE;
        }
      }
      return { letters, termLang: Uint8Array.from(termLang), termOfWord };
    },
  };
}

interface WeighInput extends Pick<LabelTable, 'termStart' | 'terms' | 'langOf'> {
  readonly termLang: Uint8Array;
  readonly langCount: number;
}

function weighTerms({ termStart, terms, langOf, termLang, langCount }: WeighInput) {
  const labelCounts = new Uint32Array(termLang.length);
  const total = new Uint32Array(langCount);
  for (let label = 0; label + 1 < termStart.length; label++) {
    if (termStart[label] === termStart[label + 1]) continue;
    total[langOf[label]!]!++;
    for (const term of listTermsOfLabel({ terms, termStart }, label)) labelCounts[term]!++;
  }
  const idf = Float32Array.from(labelCounts, (count, term) => measureIdf(total[termLang[term]!]!, count));
  const mass = new Float32Array(termStart.length - 1);
  for (let label = 0; label < mass.length; label++) {
    for (const term of listTermsOfLabel({ terms, termStart }, label)) mass[label]! += idf[term]!;
  }
  return { idf, maxIdf: Float32Array.from(total, (count) => measureIdf(Math.max(count, 1), 1)), mass };
}
