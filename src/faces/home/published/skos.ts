import { DCT, ESCO, SKOS } from '#domain/rights/taxonomies';
import type { PublishedConcept } from '#ports/object-catalog';

export function* writeSkosTurtle(scheme: SkosScheme, concepts: Iterable<PublishedConcept>): Generator<string> {
  yield writeTurtleSubject(scheme.iri, [
    ['a', writeTurtleIri(`${SKOS}ConceptScheme`)],
    [writeTurtleIri(`${DCT}title`), writeTurtleText(scheme.name)],
    ...(scheme.license === null ? [] : [[writeTurtleIri(`${DCT}license`), writeTurtleIri(scheme.license)] as const]),
  ]);
  for (const concept of concepts) yield writeTurtleConcept(concept, scheme.iri);
}

export function* writeSkosGraph(scheme: SkosScheme, concepts: Iterable<PublishedConcept>): Generator<string> {
  yield `{"@context":${JSON.stringify(skosContext)},"@graph":[${JSON.stringify(toSkosScheme(scheme))}`;
  for (const concept of concepts) yield `,\n${JSON.stringify(toSkosConcept(concept, scheme.iri))}`;
  yield ']}';
}

/** Properties by names of links. Links from skills to occupations are inverse and have none. */
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

export interface SkosScheme {
  readonly iri: string;
  readonly name: string;
  /** Address of the licence; null if the operator publishes the taxonomy without one. */
  readonly license: string | null;
}

/** Groups labels by their languages, `und` for an unknown one. */
export const groupLabelsByLanguage = (labels: PublishedConcept['labels']): Record<string, string[]> =>
  groupByName(labels.map(({ lang, text }) => [lang || 'und', text]));

type ConceptReference = Pick<PublishedConcept, 'id' | 'uri'>;

export const groupLinksByName = ({ links }: PublishedConcept): Record<string, ConceptReference[]> =>
  groupByName(links.map(({ name, ...reference }) => [name, reference]));

function groupByName<T>(pairs: readonly (readonly [name: string, value: T])[]): Record<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const [name, value] of pairs) {
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [value]);
    else group.push(value);
  }
  return Object.fromEntries(groups);
}

const toSkosScheme = ({ iri, name, license }: SkosScheme) => ({
  id: iri,
  type: 'ConceptScheme',
  title: name,
  ...(license !== null && { license }),
});

export function toSkosConcept(concept: PublishedConcept, scheme: string) {
  const links = Object.entries(groupLinksByName(concept))
    .filter(([name]) => Object.hasOwn(relations, name))
    .map(([name, linked]) => [name, linked.map(({ uri }) => uri)] as const);
  return {
    id: concept.uri,
    type: 'Concept',
    prefLabel: Object.fromEntries(concept.labels.map(({ text, lang }) => [lang || 'und', text])),
    ...(concept.alternativeLabels.length > 0 && { altLabel: groupLabelsByLanguage(concept.alternativeLabels) }),
    ...Object.fromEntries(links),
    inScheme: scheme,
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: Turtle forbids them in an IRI
const NOT_IN_IRI = /[\u0000-\u0020<>"{}|^`\\]/g;
const writeTurtleIri = (iri: string): string => `<${iri.replace(NOT_IN_IRI, (sign) => encodeURIComponent(sign))}>`;
const writeTurtleText = (text: string, lang = ''): string => JSON.stringify(text) + (lang && `@${lang}`);

const writeTurtleSubject = (iri: string, properties: readonly (readonly [property: string, value: string])[]): string =>
  `${writeTurtleIri(iri)} ${properties.map(([property, value]) => `${property} ${value}`).join(' ;\n  ')} .\n`;

export const writeTurtleConcept = (
  { uri, labels, alternativeLabels, links }: PublishedConcept,
  scheme: string,
): string =>
  writeTurtleSubject(uri, [
    ['a', writeTurtleIri(`${SKOS}Concept`)],
    ...labels.map(({ text, lang }) => [writeTurtleIri(`${SKOS}prefLabel`), writeTurtleText(text, lang)] as const),
    ...alternativeLabels.map(
      ({ text, lang }) => [writeTurtleIri(`${SKOS}altLabel`), writeTurtleText(text, lang)] as const,
    ),
    ...links.flatMap(({ name, uri: to }) => {
      const relation = relations[name];
      return relation === undefined ? [] : [[writeTurtleIri(relation), writeTurtleIri(to)] as const];
    }),
    [writeTurtleIri(`${SKOS}inScheme`), writeTurtleIri(scheme)],
  ]);
