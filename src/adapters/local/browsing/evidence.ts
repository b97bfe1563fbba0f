import { isStopword } from '../../../engine/text/stopwords.ts';
import { toTerm } from '../../../engine/text/term.ts';
import { tokenize } from '../../../engine/text/tokenize.ts';
import type { ConceptRecord, LearningObjectRecord } from '../../catalog/catalog-schema.ts';

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
/** Words of a phrase. */
const MAX_PHRASE = 5;
/** Whatever the language of an object, keywords in English are common. */
const COMMON_LANGUAGE = 'en';
/** Stands for every language: names such as Python. */
const NAMES = '';

/** Says how much an object speaks for each concept, by its id: what its texts have of the concept's labels.
 *  Units: as in `evidence`, added up. */
export function createEvidenceFinder(concepts: readonly ConceptRecord[]) {
  const labelsOf = indexLabels(concepts);
  return ({ title, keywords, description, lang }: DescribedObject): ReadonlyMap<string, number> => {
    const texts = [
      { place: 'title', said: tokenize(title) } as const,
      ...keywords.map((keyword) => ({ place: 'keyword', said: tokenize(keyword) }) as const),
      { place: 'description', said: tokenize(description) } as const,
    ];
    const found = new Map<string, number>();
    for (const each of new Set([lang, COMMON_LANGUAGE, NAMES])) {
      const labels = labelsOf.get(each);
      if (labels === undefined) continue;
      const own = new Map<string, number>();
      const described = new Set<string>();
      for (const { place, said } of texts) {
        const words = readWords(said, each);
        visitPhrases(words, labels, (named, phrase) => {
          const isWhole = phrase.length === words.length;
          // A word among others may mean something else in another language.
          const isForeign = each !== lang && each !== NAMES && phrase.length === 1;
          if (isForeign && !(isWhole && place === 'keyword')) return;
          const where = place === 'keyword' && !isWhole ? 'inKeyword' : place;
          for (const { id, weight } of findMeant(named, phrase, evidence[where])) {
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

interface LabelOf {
  readonly id: string;
  readonly strength: Strength;
  /** As it is spelled, where it is one word. */
  readonly written: string;
}

type Strength = keyof typeof evidence.title;

interface Word {
  readonly term: string;
  readonly written: string;
}

/** Of a language. */
interface Labels {
  readonly byWords: Map<string, readonly LabelOf[]>;
  /** Terms that labels begin with: most words of a text are none. */
  readonly firsts: Set<string>;
}

/** Concepts by the words of their labels, by language. */
function indexLabels(concepts: readonly ConceptRecord[]): ReadonlyMap<string, Labels> {
  const named = new Map<string, Labels>();
  const add = (lang: string, text: string, id: string, isMain: boolean) => {
    const own: Labels = named.get(lang) ?? { byWords: new Map(), firsts: new Set() };
    named.set(lang, own);
    const words = readWords(tokenize(text), lang);
    const key = toKey(words);
    const known = own.byWords.get(key) ?? [];
    const [first] = words;
    if (first === undefined || known.some((label) => label.id === id)) return;
    const strength = words.length > 1 ? 'phrase' : isName(text) ? 'name' : isMain ? 'word' : 'byword';
    own.byWords.set(key, [...known, { id, strength, written: first.written }]);
    own.firsts.add(first.term);
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

/** Without function words: "gestion de projet" is also "gestion des projets". Names are as they are written. */
function readWords(words: readonly string[], lang: string): Word[] {
  if (lang === NAMES) return words.map((written) => ({ term: written, written }));
  return words
    .filter((word) => !isStopword(word, lang))
    .map((written) => ({ term: toTerm(written, lang), written }));
}

const toKey = (words: readonly Word[]): string => words.map(({ term }) => term).join(' ');

/** Letters that an inflected word has more. */
const MAX_INFLECTION = 2;

/** Words with the same stem may mean different things; null where a name is spelled otherwise: "awe" is not AWS. */
function findStrength({ strength, written }: LabelOf, said: readonly Word[]): Strength | null {
  const [word] = said;
  if (strength === 'phrase' || word === undefined || word.written === written) return strength;
  if (strength === 'name') return null;
  const [short, long] = [word.written, written].sort((a, b) => a.length - b.length) as [string, string];
  return long.startsWith(short) && long.length - short.length <= MAX_INFLECTION ? strength : 'byword';
}

/** Of several concepts those that are called most like what is said: it is said once, and speaks for no more. */
function findMeant(
  labels: readonly LabelOf[],
  said: readonly Word[],
  weights: Readonly<Record<Strength, number>>,
): readonly { readonly id: string; readonly weight: number }[] {
  const meant = labels.map((label) => {
    const strength = findStrength(label, said);
    return { id: label.id, weight: strength === null ? 0 : weights[strength] };
  });
  const best = Math.max(...meant.map(({ weight }) => weight));
  return meant.filter(({ weight }) => weight > 0 && weight === best);
}

/** The longest phrases with a label, from left to right. */
function visitPhrases(
  words: readonly Word[],
  labels: Labels,
  visit: (named: readonly LabelOf[], said: readonly Word[]) => void,
): void {
  for (let start = 0; start < words.length; start++) {
    if (!labels.firsts.has(words[start]?.term ?? '')) continue;
    for (let length = Math.min(MAX_PHRASE, words.length - start); length > 0; length--) {
      const said = words.slice(start, start + length);
      const found = labels.byWords.get(toKey(said));
      if (found === undefined) continue;
      visit(found, said);
      start += length - 1;
      break;
    }
  }
}
