import type { ObjectDocument } from '../../../src/engine/objects/types.ts';
import { fieldWeights, K1 } from '../../../src/engine/objects/weights.ts';
import { isStopword } from '../../../src/engine/text/stopwords.ts';
import { nameToTerm, toFormTerm, toTerm } from '../../../src/engine/text/term.ts';
import { tokenize } from '../../../src/engine/text/tokenize.ts';

/** A document read word by word. */
export interface NaiveDocument {
  readonly document: ObjectDocument;
  /** BM25F saturation of each term, 1 to 255. */
  readonly impacts: ReadonlyMap<string, number>;
  readonly termsOfWord: ReadonlyMap<string, ReadonlySet<string>>;
}

export function readDocument(document: ObjectDocument): NaiveDocument {
  const frequencies = new Map<string, number>();
  const termsOfWord = new Map<string, Set<string>>();
  const fields = {
    title: tokenize(document.title),
    keywords: document.keywords.flatMap(tokenize),
    description: tokenize(document.description),
    names: [...document.publishers, ...document.authors].flatMap(tokenize),
    types: document.types.flatMap(tokenize),
  };
  for (const field of ['title', 'keywords', 'description', 'names', 'types'] as const) {
    const { weight, b, pivot } = fieldWeights[field];
    const isName = field === 'names' || field === 'types';
    for (const word of fields[field].filter((one) => isName || !isStopword(one, document.lang))) {
      const term = isName ? nameToTerm(word) : toTerm(word, document.lang);
      termsOfWord.set(word, (termsOfWord.get(word) ?? new Set()).add(term));
      const worth = weight / (1 - b + (b * fields[field].length) / pivot);
      frequencies.set(term, (frequencies.get(term) ?? 0) + worth);
      const form = field === 'title' || field === 'keywords' ? toFormTerm(word, document.lang) : '';
      if (form !== '') frequencies.set(form, (frequencies.get(form) ?? 0) + worth);
    }
  }
  const impactOf = (frequency: number) => Math.max(1, Math.round((255 * frequency) / (K1 + frequency)));
  const impacts = new Map([...frequencies].map(([term, frequency]) => [term, impactOf(frequency)]));
  return { document, impacts, termsOfWord };
}
