import { DCT, ESCO, SKOS } from '#domain/rights/taxonomies';
import type { PublishedConcept } from '#ports/object-catalog';

/** Properties by the names of links. Those from a skill to occupations are inverses. */
const relations: Readonly<Record<string, string>> = {
  broader: `${SKOS}broader`,
  narrower: `${SKOS}narrower`,
  related: `${SKOS}related`,
  sameAs: `${SKOS}exactMatch`,
  essential: `${ESCO}relatedEssentialSkill`,
  optional: `${ESCO}relatedOptionalSkill`,
};

export const skosContext = {
  id: '@id',
  type: '@type',
  Concept: `${SKOS}Concept`,
  ConceptScheme: `${SKOS}ConceptScheme`,
  prefLabel: { '@id': `${SKOS}prefLabel`, '@container': '@language' },
  altLabel: { '@id': `${SKOS}altLabel`, '@container': '@language' },
  inScheme: { '@id': `${SKOS}inScheme`, '@type': '@id' },
  title: `${DCT}title`,
  license: { '@id': `${DCT}license`, '@type': '@id' },
  ...Object.fromEntries(Object.entries(relations).map(([name, iri]) => [name, { '@id': iri, '@type': '@id' }])),
};

export interface Scheme {
  readonly iri: string;
  readonly name: string;
  /** Address of its licence; null where the operator publishes it without one. */
  readonly license: string | null;
}

export const groupByLanguage = (labels: PublishedConcept['labels']): Record<string, string[]> =>
  groupTexts(labels.map(({ lang, text }) => [lang || 'und', text]));

export const groupLinks = ({ links }: PublishedConcept): Record<string, string[]> =>
  groupTexts(links.map(({ name, id }) => [name, id]));

function groupTexts(pairs: readonly (readonly [group: string, text: string])[]): Record<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [group, text] of pairs) groups.set(group, [...(groups.get(group) ?? []), text]);
  return Object.fromEntries(groups);
}

export const toSkosScheme = ({ iri, name, license }: Scheme) => ({
  id: iri,
  type: 'ConceptScheme',
  title: name,
  ...(license !== null && { license }),
});

export function toSkosConcept(concept: PublishedConcept, scheme: string) {
  const links = Object.entries(groupLinks(concept)).filter(([name]) => Object.hasOwn(relations, name));
  return {
    id: concept.id,
    type: 'Concept',
    prefLabel: Object.fromEntries(concept.labels.map(({ text, lang }) => [lang || 'und', text])),
    ...(concept.others.length > 0 && { altLabel: groupByLanguage(concept.others) }),
    ...Object.fromEntries(links),
    inScheme: scheme,
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: Turtle forbids them in an IRI
const NOT_IN_IRI = /[\u0000-\u0020<>"{}|^`\\]/g;
const writeIri = (iri: string): string => `<${iri.replace(NOT_IN_IRI, (sign) => encodeURIComponent(sign))}>`;
const writeText = (text: string, lang = ''): string => JSON.stringify(text) + (lang && `@${lang}`);

const writeSubject = (iri: string, properties: readonly (readonly [property: string, value: string])[]): string =>
  `${writeIri(iri)} ${properties.map(([property, value]) => `${property} ${value}`).join(' ;\n  ')} .\n`;

export const writeTurtleScheme = ({ iri, name, license }: Scheme): string =>
  writeSubject(iri, [
    ['a', writeIri(`${SKOS}ConceptScheme`)],
    [writeIri(`${DCT}title`), writeText(name)],
    ...(license === null ? [] : [[writeIri(`${DCT}license`), writeIri(license)] as const]),
  ]);

export const writeTurtleConcept = ({ id, labels, others, links }: PublishedConcept, scheme: string): string =>
  writeSubject(id, [
    ['a', writeIri(`${SKOS}Concept`)],
    ...labels.map(({ text, lang }) => [writeIri(`${SKOS}prefLabel`), writeText(text, lang)] as const),
    ...others.map(({ text, lang }) => [writeIri(`${SKOS}altLabel`), writeText(text, lang)] as const),
    ...links.flatMap(({ name, id: to }) => {
      const relation = relations[name];
      return relation === undefined ? [] : [[writeIri(relation), writeIri(to)] as const];
    }),
    [writeIri(`${SKOS}inScheme`), writeIri(scheme)],
  ]);
