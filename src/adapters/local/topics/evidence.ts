import type { ConceptRecord, LearningObjectRecord } from '#adapters/catalog/catalog-schema';
import { addCount, getOrAdd } from '#engine/maps';
import { isStopword } from '#engine/text/stopwords';
import { toTerm } from '#engine/text/term';
import { tokenize } from '#engine/text/tokenize';
import type { WordReader } from '#engine/text/word-reader';
import {
  createLanguageTerms,
  createWordReader,
  findTermOfWord,
  NO_TERM,
  readWords,
  spellWord,
} from '#engine/text/word-reader';

export type DescribedObject = Pick<LearningObjectRecord, 'title' | 'keywords' | 'description' | 'lang'>;

/** How strongly a label in a text is evidence for its concept. A phrase or a name is stronger than
 *  a word: "construction" is also a step of making films. The weakest is a word that is not the
 *  main label, or has another form: "rendering" is also a plasterer's work, and "constructive" has
 *  nothing to do with building. A description only supports the title and the keywords. */
const evidence = {
  title: { phrase: 4, name: 3, word: 2.5, byword: 2 },
  keyword: { phrase: 3, name: 3, word: 2.5, byword: 2 },
  /** A keyword with other words beside the label. */
  inKeyword: { phrase: 2, name: 1, word: 1, byword: 1 },
  description: { phrase: 1, name: 1, word: 0.5, byword: 0.5 },
} as const;
/** The language in which keywords are common, whatever the language of an object. */
const COMMON_LANGUAGE = 'en';
/** Stands for a language in the index of names, which are the same in all languages. */
const NAMES = '';
/** With more words, some 30 MB, the cache is cleared before the next object. */
const MAX_CACHED_WORDS = 2 ** 19;

/** Creates a function that sums up the evidence for each concept in an object, by concept id. */
export function createEvidenceFinder(concepts: readonly ConceptRecord[], maxCachedWords = MAX_CACHED_WORDS) {
  const labels = indexLabels(concepts);
  let texts = createObjectTextReader(labels);
  return (object: DescribedObject): ReadonlyMap<string, number> => {
    if (texts.reader.distinctWords > maxCachedWords) texts = createObjectTextReader(labels);
    const parts = readTextParts(object, texts.reader);
    const result = new Map<string, number>();
    for (const lang of new Set([object.lang, COMMON_LANGUAGE, NAMES])) {
      const root = labels.get(lang)?.root;
      if (root === undefined) continue;
      const isForeign = lang !== object.lang && lang !== NAMES;
      for (const [id, weight] of findEvidenceInLanguage(parts, lang, { root, texts, isForeign }))
        result.set(id, Math.max(weight, result.get(id) ?? 0));
    }
    return result;
  };
}

type LabelsByLanguage = ReadonlyMap<string, Labels>;
type TextReader = ReturnType<typeof createObjectTextReader>;

/** @returns `termsIn`, which gives the numbers of the terms of words in a language */
function createObjectTextReader(labels: LabelsByLanguage) {
  const reader = createWordReader();
  const termsIn = createLanguageTerms((word, lang) => toTermNumber(spellWord(reader, word), lang, labels.get(lang)));
  return { reader, termsIn };
}

interface TextPart {
  readonly place: 'title' | 'keyword' | 'description';
  readonly words: Uint32Array;
}

function readTextParts({ title, keywords, description }: DescribedObject, reader: WordReader): readonly TextPart[] {
  const readText = (text: string) => {
    readWords(reader, [text]);
    return reader.words.slice(0, reader.count);
  };
  return [
    { place: 'title', words: readText(title) },
    ...keywords.map((keyword) => ({ place: 'keyword', words: readText(keyword) }) as const),
    { place: 'description', words: readText(description) },
  ];
}

function findEvidenceInLanguage(
  parts: readonly TextPart[],
  lang: string,
  { root, texts: { reader, termsIn }, isForeign }: { root: LabelNode; texts: TextReader; isForeign: boolean },
): ReadonlyMap<string, number> {
  const result = new Map<string, number>();
  const termsOfWords = termsIn(lang);
  const inDescription = new Set<string>();
  for (const part of parts) {
    const words: number[] = [];
    const terms: number[] = [];
    for (const word of part.words) {
      const term = findTermOfWord(termsOfWords, word);
      if (term === NO_TERM) continue;
      words.push(word);
      terms.push(term);
    }
    visitLongestLabels(terms, root, (matches, { start, length }) => {
      const isWhole = length === words.length;
      // A single word beside other words may mean something else in another language.
      if (isForeign && length === 1 && !(isWhole && part.place === 'keyword')) return;
      const place = part.place === 'keyword' && !isWhole ? 'inKeyword' : part.place;
      const firstWord = spellWord(reader, words[start] as number);
      for (const { id, weight } of chooseConceptsOfLabels(matches, firstWord, evidence[place])) {
        // A long description counts once, however often it has the label.
        if (place === 'description' && inDescription.has(id)) continue;
        if (place === 'description') inDescription.add(id);
        addCount(result, id, weight);
      }
    });
  }
  return result;
}

/** Chooses, of the concepts with one label, those closest to the text. @param word the first
 *  word of the label as the text has it */
function chooseConceptsOfLabels(
  labels: readonly Label[],
  word: string,
  weights: Readonly<Record<LabelKind, number>>,
): readonly { readonly id: string; readonly weight: number }[] {
  const concepts = labels.map((label) => {
    const kind = chooseLabelKind(label, word);
    return { id: label.id, weight: kind === null ? 0 : weights[kind] };
  });
  const best = Math.max(...concepts.map(({ weight }) => weight));
  return concepts.filter(({ weight }) => weight > 0 && weight === best);
}

/** The most letters that inflection adds to a word. */
const MAX_INFLECTION = 2;

/** Words with the same stem may differ in meaning. @returns null for another spelling of a name:
 *  "awe" is not AWS */
function chooseLabelKind({ kind, firstWord }: Label, word: string): LabelKind | null {
  if (kind === 'phrase' || word === firstWord) return kind;
  if (kind === 'name') return null;
  const [short, long] = [word, firstWord].sort((a, b) => a.length - b.length) as [string, string];
  return long.startsWith(short) && long.length - short.length <= MAX_INFLECTION ? kind : 'byword';
}

type Label = { readonly id: string; readonly kind: LabelKind; readonly firstWord: string };
type LabelKind = 'phrase' | 'name' | 'word' | 'byword';

interface Labels {
  /** The number of each term of a label, from 1. */
  readonly numbers: Map<string, number>;
  readonly root: LabelNode;
}

/** A node of the trie of labels. Most nodes are leaves, whose empty map would take more memory than
 *  all the rest of them. */
type LabelNode = { next?: Map<number, LabelNode>; labels: readonly Label[] };

/** The number of all terms that are in no label. */
const OTHER_TERM = 0;
/** Longer labels are ignored. */
const MAX_LABEL_WORDS = 5;

function indexLabels(concepts: readonly ConceptRecord[]): LabelsByLanguage {
  const byLanguage = new Map<string, Labels>();
  const add = (lang: string, text: string, id: string, isMain: boolean) => {
    const labels: Labels = byLanguage.get(lang) ?? { numbers: new Map(), root: { labels: [] } };
    byLanguage.set(lang, labels);
    const words = tokenize(text).filter((word) => lang === NAMES || !isStopword(word, lang));
    const [firstWord] = words;
    if (firstWord === undefined || words.length > MAX_LABEL_WORDS) return;
    const node = openLabelNode(labels, words, lang);
    if (node.labels.some((label) => label.id === id)) return;
    const kind = words.length > 1 ? 'phrase' : findKindOfWord(text, isMain);
    // An array literal with a spread would reserve room for 16 more labels.
    node.labels = node.labels.concat({ id, kind, firstWord });
  };
  for (const { id, labels, altLabels } of concepts) {
    for (const [lang, label] of Object.entries(labels)) add(lang, label, id, true);
    for (const [lang, texts] of Object.entries(altLabels)) for (const label of texts) add(lang, label, id, false);
    // A name that labels repeat, mostly in two languages, is a name in all languages.
    const texts = [...Object.values(labels), ...Object.values(altLabels).flat()];
    for (const name of new Set(texts.filter((text, i) => isProperName(text) && texts.indexOf(text) !== i)))
      add(NAMES, name, id, true);
  }
  return byLanguage;
}

function openLabelNode({ numbers, root }: Labels, words: readonly string[], lang: string): LabelNode {
  let node = root;
  for (const word of words) {
    const term = toLabelTerm(word, lang);
    const number = numbers.get(term) ?? numbers.size + 1;
    numbers.set(term, number);
    node.next ??= new Map();
    node = getOrAdd(node.next, number, () => ({ labels: [] }));
  }
  return node;
}

function findKindOfWord(text: string, isMain: boolean): LabelKind {
  if (isProperName(text)) return 'name';
  return isMain ? 'word' : 'byword';
}

/** A proper name begins with a capital or a digit, or has a sign that words do not have. */
const isProperName = (text: string) => /^[\p{Lu}\d.]|[+#]/u.test(text);

const toLabelTerm = (word: string, lang: string): string => (lang === NAMES ? word : toTerm(word, lang));

/** Function words have NO_TERM: "gestion de projet" also matches "gestion des projets". */
function toTermNumber(word: string, lang: string, labels: Labels | undefined): number {
  if (lang !== NAMES && isStopword(word, lang)) return NO_TERM;
  return labels?.numbers.get(toLabelTerm(word, lang)) ?? OTHER_TERM;
}

/** Visits the longest label at the first term that begins one, and so on after its end. */
function visitLongestLabels(
  terms: readonly number[],
  root: LabelNode,
  visit: (labels: readonly Label[], phrase: { readonly start: number; readonly length: number }) => void,
): void {
  for (let start = 0; start < terms.length; start++) {
    if (terms[start] === OTHER_TERM) continue;
    let labels: readonly Label[] = [];
    let length = 0;
    // OTHER_TERM follows the last term; no label continues with it.
    for (let at = start, node: LabelNode | undefined = root; ; at++) {
      node = node.next?.get(terms[at] ?? OTHER_TERM);
      if (node === undefined) break;
      if (node.labels.length > 0) [labels, length] = [node.labels, at + 1 - start];
    }
    if (length === 0) continue;
    visit(labels, { start, length });
    start += length - 1;
  }
}
