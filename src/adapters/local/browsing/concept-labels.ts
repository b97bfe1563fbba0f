import type { ConceptRecord } from '#adapters/catalog/catalog-schema';
import { isStopword } from '#engine/text/stopwords';
import { toTerm } from '#engine/text/term';
import { tokenize } from '#engine/text/tokenize';
import { NO_TERM } from '#engine/text/word-reader';

/** Words of a phrase; longer labels are not looked for. */
const MAX_PHRASE = 5;
/** Stands for every language: names such as Python. */
export const NAMES = '';

/** A concept by one of its labels. */
export interface LabelOf {
  readonly id: string;
  readonly strength: Strength;
  /** As it is spelled, where it is one word. */
  readonly written: string;
}

/** How a concept is called by a label: by several words, by a name, by the word it is mainly called, or by another. */
export type Strength = 'phrase' | 'name' | 'word' | 'byword';

/** Labels that begin with the same terms. */
interface Beginning {
  readonly next: Map<number, Beginning>;
  /** Those that end here. */
  labels: readonly LabelOf[];
}

/** The labels of a language. */
interface Labels {
  /** Of their terms, from 1. */
  readonly numbers: Map<string, number>;
  readonly root: Beginning;
}

/** Instead of the number of a term that no label has. */
const OTHER_TERM = 0;

/** Concepts by the words of their labels, by language. */
export function indexLabels(concepts: readonly ConceptRecord[]): ReadonlyMap<string, Labels> {
  const named = new Map<string, Labels>();
  const add = (lang: string, text: string, id: string, isMain: boolean) => {
    const own: Labels = named.get(lang) ?? { numbers: new Map(), root: { next: new Map(), labels: [] } };
    named.set(lang, own);
    const words = tokenize(text).filter((word) => lang === NAMES || !isStopword(word, lang));
    const [first] = words;
    if (first === undefined || words.length > MAX_PHRASE) return;
    let node = own.root;
    for (const word of words) {
      const term = toLabelTerm(word, lang);
      const number = own.numbers.get(term) ?? own.numbers.size + 1;
      own.numbers.set(term, number);
      const next = node.next.get(number) ?? { next: new Map(), labels: [] };
      node.next.set(number, next);
      node = next;
    }
    if (node.labels.some((label) => label.id === id)) return;
    const strength = words.length > 1 ? 'phrase' : isName(text) ? 'name' : isMain ? 'word' : 'byword';
    node.labels = [...node.labels, { id, strength, written: first }];
  };
  for (const { id, labels, altLabels } of concepts) {
    for (const [lang, label] of Object.entries(labels)) add(lang, label, id, true);
    for (const [lang, own] of Object.entries(altLabels)) for (const label of own) add(lang, label, id, false);
    const written = [...Object.values(labels), ...Object.values(altLabels).flat()];
    for (const label of new Set(written.filter((text, i) => isName(text) && written.indexOf(text) !== i)))
      add(NAMES, label, id, true);
  }
  return named;
}

/** Written with a capital or a sign that words do not have. */
const isName = (text: string) => /^[\p{Lu}\d.]|[+#]/u.test(text);

/** Names are as they are written. */
function toLabelTerm(word: string, lang: string): string {
  return lang === NAMES ? word : toTerm(word, lang);
}

/** None for function words: "gestion de projet" is also "gestion des projets". */
export function termNumberOf(word: string, lang: string, labels: Labels | undefined): number {
  if (lang !== NAMES && isStopword(word, lang)) return NO_TERM;
  return labels?.numbers.get(toLabelTerm(word, lang)) ?? OTHER_TERM;
}

/** The longest phrases with a label, from left to right. */
export function visitPhrases(
  terms: readonly number[],
  root: Beginning,
  visit: (named: readonly LabelOf[], phrase: { readonly start: number; readonly length: number }) => void,
): void {
  for (let start = 0; start < terms.length; start++) {
    if (terms[start] === OTHER_TERM) continue;
    let named: readonly LabelOf[] = [];
    let length = 0;
    // After the last word there is none, which no label goes on with.
    for (let at = start, node: Beginning | undefined = root; ; at++) {
      node = node.next.get(terms[at] ?? OTHER_TERM);
      if (node === undefined) break;
      if (node.labels.length > 0) [named, length] = [node.labels, at + 1 - start];
    }
    if (length === 0) continue;
    visit(named, { start, length });
    start += length - 1;
  }
}
