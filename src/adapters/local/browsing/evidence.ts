import { isStopword } from '../../../engine/text/stopwords.ts';
import { toTerm } from '../../../engine/text/term.ts';
import { tokenize } from '../../../engine/text/tokenize.ts';
import type { ConceptRecord, LearningObjectRecord } from '../../catalog/catalog-schema.ts';

/** What is read of an object. */
export type DescribedObject = Pick<LearningObjectRecord, 'title' | 'keywords' | 'lang'>;

/** How well a text says that an object is about a concept. A phrase or a name says more than a word: "construction" is also what
 *  films need; and a word that is not what the concept is mainly called says least: "rendering" is also a plasterer's work. */
const evidence = {
  title: { phrase: 4, name: 3, word: 2.5, byword: 2 },
  keyword: { phrase: 3, name: 3, word: 3, byword: 2 },
  /** Of a keyword with other words in it. */
  inKeyword: { phrase: 2, name: 1, word: 1, byword: 1 },
} as const;
/** Words of a phrase. */
const MAX_PHRASE = 5;
/** Whatever the language of an object, keywords in English are common. */
const COMMON_LANGUAGE = 'en';
/** Stands for every language: names such as Python. */
const NAMES = '';

/** Says how much the title and the keywords of an object speak for each concept, by its id: what they have of its labels.
 *  Units: as in `evidence`, added up. */
export function createEvidenceFinder(concepts: readonly ConceptRecord[]) {
  const named = indexLabels(concepts);
  return ({ title, keywords, lang }: DescribedObject): ReadonlyMap<string, number> => {
    const found = new Map<string, number>();
    for (const each of new Set([lang, COMMON_LANGUAGE, NAMES])) {
      const own = new Map<string, number>();
      const read = (text: string, place: 'title' | 'keyword') => {
        const words = readWords(text, each);
        visitPhrases(words, named.get(each) ?? new Map(), ({ id, strength }, length) => {
          const isWhole = length === words.length;
          // A word among others may mean something else in another language.
          const isForeign = each !== lang && each !== NAMES && length === 1;
          if (isForeign && !(isWhole && place === 'keyword')) return;
          const where = place === 'keyword' && !isWhole ? 'inKeyword' : place;
          own.set(id, (own.get(id) ?? 0) + evidence[where][strength]);
        });
      };
      read(title, 'title');
      for (const keyword of keywords) read(keyword, 'keyword');
      for (const [id, weight] of own) found.set(id, Math.max(weight, found.get(id) ?? 0));
    }
    return found;
  };
}

interface LabelOf {
  readonly id: string;
  readonly strength: keyof typeof evidence.title;
}

type Labels = ReadonlyMap<string, readonly LabelOf[]>;

/** Concepts by the words of their labels, by language. */
function indexLabels(concepts: readonly ConceptRecord[]): ReadonlyMap<string, Labels> {
  const named = new Map<string, Map<string, LabelOf[]>>();
  const add = (lang: string, text: string, id: string, isMain: boolean) => {
    const own = named.get(lang) ?? new Map<string, LabelOf[]>();
    named.set(lang, own);
    const words = readWords(text, lang);
    const key = words.join(' ');
    const known = own.get(key) ?? [];
    if (key === '' || known.some((label) => label.id === id)) return;
    const strength = words.length > 1 ? 'phrase' : isName(text) ? 'name' : isMain ? 'word' : 'byword';
    own.set(key, [...known, { id, strength }]);
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
function readWords(text: string, lang: string): string[] {
  const words = tokenize(text);
  if (lang === NAMES) return words;
  return words.filter((word) => !isStopword(word, lang)).map((word) => toTerm(word, lang));
}

/** The longest phrases with a label, from left to right. */
function visitPhrases(
  words: readonly string[],
  labels: Labels,
  visit: (label: LabelOf, length: number) => void,
): void {
  for (let start = 0; start < words.length; start++) {
    for (let length = Math.min(MAX_PHRASE, words.length - start); length > 0; length--) {
      const found = labels.get(words.slice(start, start + length).join(' '));
      if (found === undefined) continue;
      for (const label of found) visit(label, length);
      start += length - 1;
      break;
    }
  }
}
