import {
  listConceptLabels,
  listLinks,
  type OpenTerms,
  readConceptId,
  readConceptLabelText,
  readConceptSource,
} from './concept-view.ts';
import { labelRoles } from './term-data.ts';
import { type ConceptEntry, conceptKinds, linkNames } from './types.ts';

/** A concept by its id; null where there is none. The ids are put in order when the first one is asked for. */
export function createConceptFinder(terms: OpenTerms): (id: string) => ConceptEntry | null {
  let ordinals: ReadonlyMap<string, number> | undefined;
  return (id) => {
    ordinals ??= new Map(
      Array.from(terms.concepts.sourceOf, (_, each) => [readConceptId(terms, each), each]),
    );
    const concept = ordinals.get(id);
    return concept === undefined ? null : readConcept(terms, concept);
  };
}

function readConcept(terms: OpenTerms, concept: number): ConceptEntry {
  const { labels, vocabulary } = terms;
  const all = [...listConceptLabels(terms, concept)].map((label) => ({
    text: readConceptLabelText(terms, label),
    lang: vocabulary.langs[labels.langOf[label]!] ?? '',
    role: labels.roleOf[label]!,
  }));
  const links = [...listLinks(terms, concept)].flatMap(({ target, kind }) => {
    const name = linkNames[kind];
    return name === undefined ? [] : [{ name, id: readConceptId(terms, target) }];
  });
  return {
    id: readConceptId(terms, concept),
    source: readConceptSource(terms, concept),
    kind: conceptKinds[terms.concepts.kindOf[concept]!]!,
    labels: all.filter(({ role }) => role === labelRoles.preferred).map(({ text, lang }) => ({ text, lang })),
    others: all
      .filter(({ role }) => role === labelRoles.alternative)
      .map(({ text, lang }) => ({ text, lang })),
    links,
  };
}
