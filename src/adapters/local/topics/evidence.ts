import type { ConceptRecord, LearningObjectRecord } from '#adapters/catalog/catalog-schema';
import { isStopword } from '#engine/text/stopwords';
import { toTerm } from '#engine/text/term';
import { tokenize } from '#engine/text/tokenize';
import { createLanguageTerms, createWordReader, NO_TERM, termOf } from '#engine/text/word-reader';

/** What is read of an object. */
export type DescribedObject = Pick<LearningObjectRecord, 'title' | 'keywords' | 'description' | 'lang'>;

/** How well a text says that an object is about a concept. A phrase or a name says more than a word: "construction" is also what
 *  films need; and a word that is not what the concept is mainly called, or is spelled otherwise, says least: "rendering" is also a
 *  plasterer's work, and "constructive" none. A description supports what the title and the keywords say. */
const evidence = {
  title: { phrase: 4, name: 3, word: 2.5, byword: 2 },
  keyword: { phrase: 3, name: 3, word: 2.5, byword: 2 },
  /** Of a keyword with other words in it. */
  inKeyword: { phrase: 2, name: 1, word: 1, byword: 1 },
  description: { phrase: 1, name: 1, word: 0.5, byword: 0.5 },
} as const;
/** Whatever the language of an object, keywords in English are common. */
const COMMON_LANGUAGE = 'en';
/** Looked at between objects; more words are forgotten together, as texts may say anything. So many take some 30 MB. */
const MAX_KNOWN_WORDS = 2 ** 19;

/** Says how much an object speaks for each concept, by its id: what its texts have of the concept's labels.
 *  Units: as in `evidence`, added up.
 *  @param maxKnownWords that are remembered between objects */
export function createEvidenceFinder(concepts: readonly ConceptRecord[], maxKnownWords = MAX_KNOWN_WORDS) {
  const labelsOf = indexLabels(concepts);
  let reader = createWordReader();
  let termsIn = openTerms();

  function openTerms() {
    return createLanguageTerms((word, lang) => termNumberOf(reader.spell(word), lang, labelsOf.get(lang)));
  }

  function readText(text: string): Uint32Array {
    reader.start();
    reader.read(text);
    return reader.words.slice(0, reader.count);
  }

  return ({ title, keywords, description, lang }: DescribedObject): ReadonlyMap<string, number> => {
    if (reader.distinctWords > maxKnownWords) {
      reader = createWordReader();
      termsIn = openTerms();
    }
    const texts = [
      { place: 'title', said: readText(title) } as const,
      ...keywords.map((keyword) => ({ place: 'keyword', said: readText(keyword) }) as const),
      { place: 'description', said: readText(description) } as const,
    ];
    const found = new Map<string, number>();
    for (const each of new Set([lang, COMMON_LANGUAGE, NAMES])) {
      const labels = labelsOf.get(each);
      if (labels === undefined) continue;
      const terms = termsIn(each);
      const own = new Map<string, number>();
      const described = new Set<string>();
      for (const { place, said } of texts) {
        const words: number[] = [];
        const ownTerms: number[] = [];
        for (const word of said) {
          const term = termOf(terms, word);
          if (term === NO_TERM) continue;
          words.push(word);
          ownTerms.push(term);
        }
        visitPhrases(ownTerms, labels.root, (named, { start, length }) => {
          const isWhole = length === words.length;
          // A word among others may mean something else in another language.
          const isForeign = each !== lang && each !== NAMES && length === 1;
          if (isForeign && !(isWhole && place === 'keyword')) return;
          const where = place === 'keyword' && !isWhole ? 'inKeyword' : place;
          const first = reader.spell(words[start] as number);
          for (const { id, weight } of findMeant(named, first, evidence[where])) {
            // However often a long description says it.
            if (place === 'description' && described.has(id)) continue;
            if (place === 'description') described.add(id);
            own.set(id, (own.get(id) ?? 0) + weight);
          }
        });
      }
      for (const [id, weight] of own) found.set(id, Math.max(weight, found.get(id) ?? 0));
    }
    return found;
  };
}

/** Letters that an inflected word has more. */
const MAX_INFLECTION = 2;

/** Words with the same stem may mean different things; null where a name is spelled otherwise: "awe" is not AWS.
 *  @param said the word, or the first one of a phrase */
function findStrength({ strength, written }: LabelOf, said: string): Strength | null {
  if (strength === 'phrase' || said === written) return strength;
  if (strength === 'name') return null;
  const [short, long] = [said, written].sort((a, b) => a.length - b.length) as [string, string];
  return long.startsWith(short) && long.length - short.length <= MAX_INFLECTION ? strength : 'byword';
}

/** Of several concepts those that are called most like what is said: it is said once, and speaks for no more. */
function findMeant(
  labels: readonly LabelOf[],
  said: string,
  weights: Readonly<Record<Strength, number>>,
): readonly { readonly id: string; readonly weight: number }[] {
  const meant = labels.map((label) => {
    const strength = findStrength(label, said);
    return { id: label.id, weight: strength === null ? 0 : weights[strength] };
  });
  const best = Math.max(...meant.map(({ weight }) => weight));
  return meant.filter(({ weight }) => weight > 0 && weight === best);
}

/** Words of a phrase; longer labels are not looked for. */
const MAX_PHRASE = 5;
/** Stands for every language: names such as Python. */
const NAMES = '';

/** A concept by one of its labels. */
interface LabelOf {
  readonly id: string;
  readonly strength: Strength;
  /** As it is spelled, where it is one word. */
  readonly written: string;
}

/** How a concept is called by a label: by several words, by a name, by the word it is mainly called, or by another. */
type Strength = 'phrase' | 'name' | 'word' | 'byword';

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
function indexLabels(concepts: readonly ConceptRecord[]): ReadonlyMap<string, Labels> {
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
function termNumberOf(word: string, lang: string, labels: Labels | undefined): number {
  if (lang !== NAMES && isStopword(word, lang)) return NO_TERM;
  return labels?.numbers.get(toLabelTerm(word, lang)) ?? OTHER_TERM;
}

/** The longest phrases with a label, from left to right. */
function visitPhrases(
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
