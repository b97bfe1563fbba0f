import { readString } from '../string-table.ts';
import { findTypos, type TypoTable } from '../text/typo-table.ts';
import { type Lexicon, openLexicon } from './lexicon.ts';
import { labelRoles, type TermData } from './term-data.ts';
import type { TermCounts, TermLabel } from './types.ts';

/** The saved tables and the maps made from them. */
export interface OpenTerms extends Omit<TermData, 'spelling'> {
  readonly lexicon: Lexicon;
  readonly spelling: Spelling;
}

export function openConceptTerms(data: TermData): OpenTerms {
  const lexicon = openLexicon(data.vocabulary);
  return { ...data, lexicon, spelling: openSpelling(data.spelling, lexicon.words) };
}

export function readConceptSource({ concepts }: OpenTerms, concept: number): string {
  return concepts.sources[concepts.sourceOf[concept]!]!;
}

export function readConceptId({ concepts }: OpenTerms, concept: number): string {
  return readString(concepts.ids, concept);
}

export function readConceptLabelText({ labels }: OpenTerms, label: number): string {
  return readString(labels.texts, label);
}

/** The label a concept is shown by: the preferred one of the language, else of English, else the first. */
export function findConceptLabel(terms: OpenTerms, concept: number, lang: string): number {
  const { concepts, labels, lexicon } = terms;
  const wanted = lexicon.findLang(lang);
  const english = lexicon.findLang('en');
  let best = concepts.labelStart[concept]!;
  for (const label of listConceptLabels(terms, concept)) {
    if (labels.roleOf[label] !== labelRoles.preferred) continue;
    if (labels.langOf[label] === wanted) return label;
    if (labels.langOf[label] === english) best = label;
  }
  return best;
}

/** Ordinals of a concept's labels, preferred ones first. */
export function* listConceptLabels({ concepts }: OpenTerms, concept: number): Generator<number> {
  for (let label = concepts.labelStart[concept]!; label < concepts.labelStart[concept + 1]!; label++) {
    yield label;
  }
}

/** A label's words, folded. */
export function readConceptLabelWords({ labels, lexicon }: OpenTerms, label: number): string[] {
  return Array.from(
    labels.words.subarray(labels.wordStart[label], labels.wordStart[label + 1]),
    (word) => lexicon.words[word]!,
  );
}

/** Neighbours of a concept with the kind of each link. */
export function* listLinks(
  { concepts }: OpenTerms,
  concept: number,
): Generator<{ target: number; kind: number }> {
  for (let i = concepts.linkStart[concept]!; i < concepts.linkStart[concept + 1]!; i++) {
    yield { target: concepts.linkTarget[i]!, kind: concepts.linkKind[i]! };
  }
}

export function countConceptTerms({ concepts, labels }: OpenTerms): TermCounts {
  return {
    concepts: concepts.sourceOf.length,
    labels: labels.roleOf.reduce((count, role) => count + (role <= labelRoles.alternative ? 1 : 0), 0),
  };
}

export function* listTermLabels({ labels, vocabulary }: OpenTerms): Generator<TermLabel> {
  for (let label = 0; label < labels.roleOf.length; label++) {
    const role = labels.roleOf[label]!;
    if (role > labelRoles.alternative) continue;
    const text = readString(labels.texts, label);
    const lang = vocabulary.langs[labels.langOf[label]!]!;
    yield { label, text, lang, isPreferred: role === labelRoles.preferred };
  }
}

/** Short words have many; a label of several words has only a few of them. */
const MAX_TYPOS = 32;

interface Spelling {
  /** Words one edit away, in the order of the alphabet; never the word itself. Words of fewer than 4 letters are left out. */
  findTypos(word: string): number[];
}

function openSpelling(table: TypoTable, words: readonly string[]): Spelling {
  return {
    findTypos(word) {
      const near = findTypos(table, word, (other) => words[other]!);
      return Array.from(near.filter((other) => words[other] !== word).subarray(0, MAX_TYPOS));
    },
  };
}
