import { readString } from '../string-table.ts';
import { findTypos } from '../text/typo-table.ts';
import type { TextEncoding } from '../vectors/vector-rows.ts';
import { openLabelMeaning, type TermMeaning } from './label-meaning.ts';
import { type Lexicon, openLexicon } from './lexicon.ts';
import { labelRoles, type TermData } from './term-data.ts';
import { type ConceptEntry, conceptKinds, inverseLinkNames, linkNames, type TermCounts } from './types.ts';

export interface OpenTerms extends Omit<TermData, 'meaning'> {
  readonly lexicon: Lexicon;
  readonly meaning: TermMeaning | null;
}

/** @param encoder the one that the data was built with; without it, answers use words only */
export function openTerms(data: TermData, encoder?: TextEncoding): OpenTerms {
  const lexicon = openLexicon(data.vocabulary);
  const meaning = encoder === undefined ? null : openLabelMeaning(data, encoder);
  return { ...data, lexicon, meaning };
}

export function readConceptSource({ concepts }: OpenTerms, concept: number): string {
  return concepts.sources[concepts.sourceOf[concept]!]!;
}

export const readConceptId = ({ concepts }: OpenTerms, concept: number): string => readString(concepts.ids, concept);

export const readLabelText = ({ labels }: OpenTerms, label: number): string => readString(labels.texts, label);

/** Finds the label to show: the preferred one in the language, else in English, else the first. */
export function findConceptLabel(terms: OpenTerms, concept: number, lang: string): number {
  const { concepts, labels, lexicon } = terms;
  const langOrdinal = lexicon.findLang(lang);
  const english = lexicon.findLang('en');
  let best = concepts.labelStart[concept]!;
  for (let label = best; label < concepts.labelStart[concept + 1]!; label++) {
    if (labels.roleOf[label] !== labelRoles.preferred) continue;
    if (labels.langOf[label] === langOrdinal) return label;
    if (labels.langOf[label] === english) best = label;
  }
  return best;
}

/** Lists the ordinals of a concept's labels, the preferred labels first. */
export function* listConceptLabels({ concepts }: OpenTerms, concept: number): Generator<number> {
  for (let label = concepts.labelStart[concept]!; label < concepts.labelStart[concept + 1]!; label++) {
    yield label;
  }
}

export function readLabelWords({ labels, lexicon }: OpenTerms, label: number): string[] {
  return Array.from(
    labels.words.subarray(labels.wordStart[label], labels.wordStart[label + 1]),
    (word) => lexicon.words[word]!,
  );
}

export function* listConceptLinks(
  { concepts }: OpenTerms,
  concept: number,
): Generator<{ target: number; kind: number }> {
  for (let i = concepts.linkStart[concept]!; i < concepts.linkStart[concept + 1]!; i++) {
    yield { target: concepts.linkTarget[i]!, kind: concepts.linkKind[i]! };
  }
}

export function countTerms({ concepts, labels }: OpenTerms): TermCounts {
  return {
    concepts: concepts.sourceOf.length,
    labels: labels.roleOf.reduce((count, role) => count + (role <= labelRoles.alternative ? 1 : 0), 0),
  };
}

/** The most words that a typo may stand for, as short words have many neighbours. */
const MAX_TYPOS = 32;

/** Finds words of labels of which a word of 4 letters or more may be a typo, alphabetically. */
export function findLabelTypos({ spelling, lexicon: { words } }: OpenTerms, word: string): number[] {
  const nearWords = findTypos(spelling, word, (near) => words[near]!);
  return Array.from(nearWords.filter((near) => words[near] !== word).subarray(0, MAX_TYPOS));
}

export const readConceptUri = (terms: OpenTerms, concept: number): string =>
  readString(terms.concepts.uris, concept) || readConceptId(terms, concept);

/** Creates a function that finds a concept by its id or by the address that its publisher gave
 *  it. The map is made at the first call. */
export function createConceptFinder(terms: OpenTerms): (id: string) => ConceptEntry | null {
  let ordinals: ReadonlyMap<string, number> | undefined;
  return (id) => {
    ordinals ??= new Map(
      [readConceptUri, readConceptId].flatMap((read) =>
        Array.from(terms.concepts.sourceOf, (_, concept) => [read(terms, concept), concept] as const),
      ),
    );
    const concept = ordinals.get(id);
    return concept === undefined ? null : readConcept(terms, concept);
  };
}

const allLinkNames = [...linkNames, ...inverseLinkNames];

export function* listConcepts(terms: OpenTerms, source: string): Generator<ConceptEntry> {
  const { sources, sourceOf } = terms.concepts;
  const wantedSource = sources.indexOf(source);
  for (const [concept, conceptSource] of sourceOf.entries())
    if (conceptSource === wantedSource) yield readConcept(terms, concept);
}

function readConcept(terms: OpenTerms, concept: number): ConceptEntry {
  const { labels, vocabulary } = terms;
  const readLabels = (role: number) =>
    [...listConceptLabels(terms, concept)]
      .filter((label) => labels.roleOf[label] === role)
      .map((label) => ({ text: readLabelText(terms, label), lang: vocabulary.langs[labels.langOf[label]!] ?? '' }));
  const links = [...listConceptLinks(terms, concept)].flatMap(({ target, kind }) => {
    const name = allLinkNames[kind];
    return name === undefined ? [] : [{ name, id: readConceptId(terms, target), uri: readConceptUri(terms, target) }];
  });
  return {
    id: readConceptId(terms, concept),
    uri: readConceptUri(terms, concept),
    source: readConceptSource(terms, concept),
    kind: conceptKinds[terms.concepts.kindOf[concept]!]!,
    labels: readLabels(labelRoles.preferred),
    alternativeLabels: readLabels(labelRoles.alternative),
    links,
  };
}
