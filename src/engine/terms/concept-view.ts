import { stringAt, stringCount } from '../string-table.ts';
import { type Lexicon, openLexicon } from './lexicon.ts';
import { openSpelling, type Spelling } from './spelling.ts';
import { labelRoles, linkKinds, type TermData } from './term-data.ts';
import { type Concept, conceptKinds, type LinkName, linkNames, type TermCounts } from './types.ts';

/** The saved tables and the maps made from them. */
export interface OpenTerms extends Omit<TermData, 'spelling'> {
  readonly lexicon: Lexicon;
  readonly spelling: Spelling;
}

export function openTerms(data: TermData): OpenTerms {
  const lexicon = openLexicon(data.vocabulary);
  return { ...data, lexicon, spelling: openSpelling(data.spelling, lexicon.words) };
}

export function sourceOf({ concepts }: OpenTerms, concept: number): string {
  return concepts.sources[concepts.sourceOf[concept]!]!;
}

export function idOf({ concepts }: OpenTerms, concept: number): string {
  return stringAt(concepts.ids, concept);
}

export function textOf({ labels }: OpenTerms, label: number): string {
  return stringAt(labels.texts, label);
}

/** The label a concept is shown by: the preferred one of the language, else of English, else the first. */
export function preferredLabel(terms: OpenTerms, concept: number, lang: string): number {
  const { concepts, labels, lexicon } = terms;
  const wanted = lexicon.findLang(lang);
  const english = lexicon.findLang('en');
  let best = concepts.labelStart[concept]!;
  for (const label of labelsOf(terms, concept)) {
    if (labels.roleOf[label] !== labelRoles.preferred) continue;
    if (labels.langOf[label] === wanted) return label;
    if (labels.langOf[label] === english) best = label;
  }
  return best;
}

/** Ordinals of a concept's labels, preferred ones first. */
export function* labelsOf({ concepts }: OpenTerms, concept: number): Generator<number> {
  for (let label = concepts.labelStart[concept]!; label < concepts.labelStart[concept + 1]!; label++) {
    yield label;
  }
}

/** A label's words, folded. */
export function foldedWordsOf({ labels, lexicon }: OpenTerms, label: number): string[] {
  return Array.from(
    labels.words.subarray(labels.wordStart[label], labels.wordStart[label + 1]),
    (word) => lexicon.words[word]!,
  );
}

/** Neighbours of a concept with the kind of each link. */
export function* linksOf(
  { concepts }: OpenTerms,
  concept: number,
): Generator<{ target: number; kind: number }> {
  for (let i = concepts.linkStart[concept]!; i < concepts.linkStart[concept + 1]!; i++) {
    yield { target: concepts.linkTarget[i]!, kind: concepts.linkKind[i]! };
  }
}

/** Finds concepts by id; the map holds the ids only, a concept is put together when it is asked for. */
export function createConceptFinder(terms: OpenTerms): (id: string) => Concept | null {
  const ordinals = new Map<string, number>();
  for (let concept = 0; concept < stringCount(terms.concepts.ids); concept++) {
    ordinals.set(idOf(terms, concept), concept);
  }
  return (id) => {
    const concept = ordinals.get(id);
    return concept === undefined ? null : readConcept(terms, concept);
  };
}

export function countTerms(terms: OpenTerms): TermCounts {
  const { concepts, labels } = terms;
  const bySource: Record<string, number> = Object.fromEntries(concepts.sources.map((source) => [source, 0]));
  for (const source of concepts.sourceOf) bySource[concepts.sources[source]!]!++;
  return {
    concepts: concepts.sourceOf.length,
    labels: labels.roleOf.reduce((count, role) => count + (role <= labelRoles.alternative ? 1 : 0), 0),
    bySource,
  };
}

/** Put a concept together again. Alternative labels that fold to the same words were kept once. */
function readConcept(terms: OpenTerms, concept: number): Concept {
  const { concepts, vocabulary, labels } = terms;
  const preferred: Record<string, string> = {};
  const altLabels: Record<string, string[]> = {};
  for (const label of labelsOf(terms, concept)) {
    const lang = vocabulary.langs[labels.langOf[label]!]!;
    if (labels.roleOf[label] === labelRoles.preferred) preferred[lang] = textOf(terms, label);
    else if (labels.roleOf[label] === labelRoles.alternative) {
      altLabels[lang] = [...(altLabels[lang] ?? []), textOf(terms, label)];
    }
  }
  const description: Record<string, string> = {};
  for (let i = concepts.descriptionStart[concept]!; i < concepts.descriptionStart[concept + 1]!; i++) {
    description[vocabulary.langs[concepts.descriptionLang[i]!]!] = stringAt(concepts.descriptions, i);
  }
  return {
    id: idOf(terms, concept),
    source: sourceOf(terms, concept),
    kind: conceptKinds[concepts.kindOf[concept]!]!,
    labels: preferred,
    altLabels,
    ...(Object.keys(description).length > 0 ? { description } : {}),
    links: readLinks(terms, concept),
  };
}

function readLinks(terms: OpenTerms, concept: number): Partial<Record<LinkName, string[]>> {
  const links: Partial<Record<LinkName, string[]>> = {};
  for (const { target, kind } of linksOf(terms, concept)) {
    if (kind > linkKinds.optional) continue;
    const name = linkNames[kind]!;
    links[name] = [...(links[name] ?? []), idOf(terms, target)];
  }
  return links;
}
