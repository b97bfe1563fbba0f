import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { DCT, ESCO, findTaxonomyLicense, SKOS } from '#domain/rights/taxonomies';
import { AppError } from '#errors';
import { writeSkillAddress } from '#faces/object-view/skill-address';
import { emptyForm, toBrowseRequest, toSearchFormQuery } from '#faces/search-view/search-form';
import { readStrictQuery } from '#faces/strict-paths';
import { views } from '#faces/views';
import { findLanguageName } from '#faces/words/language-names';
import type { PublishedConcept } from '#ports/object-catalog';
import type { Reader } from '../page-model.ts';
import { type HomePages, type HomeRoute, readReader, sendPage } from '../pages.ts';
import { toResultCard } from '../results-model.ts';
import { homeDefaults, writeAddress, writeBrowseAddress } from '../search-address.ts';

export const skillRoutes: readonly HomeRoute[] = [
  { method: 'get', path: '/skills', handle: showSkill },
  { method: 'get', path: '/skills/:id', handle: showSkill },
  { method: 'get', path: '/taxonomies/:file', handle: sendSkillTaxonomy },
];

const formats = { json: 'application/json', jsonld: 'application/ld+json', ttl: 'text/turtle' } as const;
type Format = keyof typeof formats;
const formatNames = Object.keys(formats) as Format[];

const linkNames = ['broader', 'narrower', 'related', 'sameAs', 'essential', 'optional', 'essentialFor', 'optionalFor'];
/** Of a group on a page: some occupations need a hundred skills. */
const MAX_LINKS = 60;

async function showSkill(request: Request, response: Response, pages: HomePages): Promise<void> {
  await pages.limitSearches(request);
  const { concept, format } = readSkillRequest(request, pages);
  response.vary('Accept');
  const scheme = describeSkillScheme(concept.source, pages).iri;
  if (format === null) return showSkillPage(request, response, pages, concept);
  response.set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=3600' }).type(formats[format]);
  if (format === 'ttl') response.send(writeTurtleConcept(concept, scheme));
  else if (format === 'jsonld')
    response.send(JSON.stringify({ '@context': skosContext, ...toSkosConcept(concept, scheme) }));
  else response.send(JSON.stringify(await describeConcept(concept, pages, readReader(request, response, pages))));
}

/** The concept of an address, and its form: null for a page. Errors: PATH_UNKNOWN. */
function readSkillRequest(request: Request, { concepts }: HomePages) {
  const query = readStrictQuery(request);
  const id = request.params.id ?? query.get('uri') ?? '';
  const [, stem = '', extension = query.get('format')] = /^(.*?)(?:\.(json|jsonld|ttl))?$/s.exec(String(id)) ?? [];
  const concept = concepts.findConcept(String(id)) ?? concepts.findConcept(stem);
  if (concept === null)
    throw new AppError(
      'PATH_UNKNOWN',
      'No taxonomy here has this concept. Answers of the API have the URIs of concepts.',
    );
  const asked = request.accepts(['text/html', ...Object.values(formats)]);
  const format = formatNames.find((name) => name === extension) ?? formatNames.find((name) => formats[name] === asked);
  return { concept, format: format ?? null };
}

async function describeConcept(concept: PublishedConcept, pages: HomePages, reader: Reader) {
  const { hits, wider } = await findObjectsForSkill(concept, pages, reader);
  const describeLink = ({ id, uri }: ConceptAddress) => {
    return { uri, label: nameSkillConcept(pages.concepts.findConcept(id), reader.locale) };
  };
  return {
    uri: concept.uri,
    id: concept.id,
    taxonomy: concept.source,
    kind: concept.kind,
    page: pages.publicUrl + writeSkillAddress(concept.id),
    labels: Object.fromEntries(concept.labels.map(({ text, lang }) => [lang, text])),
    alternativeLabels: groupSkillsByLanguage(concept.others),
    links: Object.fromEntries(
      Object.entries(groupSkillLinks(concept)).map(([name, ids]) => [name, ids.map(describeLink)]),
    ),
    objects: wider === null ? hits.map(({ object: { title, url } }) => ({ title, url })) : [],
  };
}

async function showSkillPage(request: Request, response: Response, pages: HomePages, concept: PublishedConcept) {
  const reader = readReader(request, response, pages);
  const { t, locale } = reader;
  const { hits, href, wider } = await findObjectsForSkill(concept, pages, reader);
  const links = groupSkillLinks(concept);
  const address = writeSkillAddress(concept.id);
  const alternativeLabels = groupSkillsByLanguage(concept.others);
  const model = {
    title: nameSkillConcept(concept, locale),
    concept,
    page: pages.publicUrl + address,
    dataHref: (format: Format) => address + (address.includes('?') ? `&format=${format}` : `.${format}`),
    labels: concept.labels.map(({ text, lang }) => ({
      text,
      lang,
      language: findLanguageName(lang, locale),
      others: (alternativeLabels[lang] ?? []).join(' · '),
    })),
    groups: linkNames.flatMap((name) => {
      const linked = (links[name] ?? []).map(({ id }) => pages.concepts.findConcept(id));
      const chips = linked.flatMap((to) =>
        to === null ? [] : [{ name: nameSkillConcept(to, locale), href: writeSkillAddress(to.id), objects: '' }],
      );
      return chips.length === 0 ? [] : [{ name: t(`published.links.${name}`), chips: chips.slice(0, MAX_LINKS) }];
    }),
    results:
      hits.length === 0 ? [] : [{ line: null, items: hits.map((hit) => toResultCard(hit, reader, pages.keyring)) }],
    wider: nameSkillConcept(wider, locale),
    moreHref: href,
    searchHref: writeAddress({ ...emptyForm, q: nameSkillConcept(concept, locale) }),
    taxonomyHref: mayPublishSkills(concept.source, pages) ? `/taxonomies/${encodeURIComponent(concept.source)}` : null,
    jsonLd: JSON.stringify({
      '@context': 'https://schema.org',
      '@type': 'DefinedTerm',
      '@id': concept.uri,
      name: nameSkillConcept(concept, locale),
      inDefinedTermSet: concept.source,
      url: pages.publicUrl + address,
    }).replaceAll('<', '\\u003c'),
  };
  sendPage(response, views.render('skill', { ...reader, ...model }));
}

function nameSkillConcept(concept: PublishedConcept | null, locale: string): string {
  const labels = concept?.labels ?? [];
  const label = labels.find(({ lang }) => lang === locale) ?? labels.find(({ lang }) => lang === 'en') ?? labels[0];
  return label?.text ?? '';
}

/** Objects about a skill; for a concept that cannot be browsed, hits that fit its label. Where
 *  there are none, those of the nearest broader concept that has any, which is `wider` then. */
async function findObjectsForSkill(concept: PublishedConcept, pages: HomePages, reader: Reader) {
  const direct = await findObjectsOf(concept, pages, reader);
  if (direct.hits.length > 0) return { ...direct, wider: null };
  for (const wider of listBroaderSkills(concept, pages)) {
    const result = await findObjectsOf(wider, pages, reader);
    if (result.hits.length > 0) return { ...result, wider };
  }
  return { ...direct, wider: null };
}

async function findObjectsOf(concept: PublishedConcept, { browsing, trial }: HomePages, { locale, signal }: Reader) {
  const about = { ...emptyForm, topic: [concept.id] };
  const browsed = await browsing.browse(toBrowseRequest(about, homeDefaults, locale), { signal });
  if (browsed !== null && browsed.within.length > 0)
    return { hits: browsed.items, href: writeBrowseAddress(emptyForm, { topic: [concept.id] }) };
  const form = { ...emptyForm, q: nameSkillConcept(concept, locale) };
  const { items } = await trial.searchLearningObjects(toSearchFormQuery(form, homeDefaults, locale), { signal });
  return { hits: items.filter(({ tier }) => tier !== 'close'), href: writeAddress(form) };
}

const MAX_BROADER = 5;

/** The broader concepts, the nearest first. */
function listBroaderSkills(concept: PublishedConcept, { concepts }: HomePages): readonly PublishedConcept[] {
  const broader = new Map([[concept.id, concept]]);
  for (const { links } of broader.values()) {
    for (const { name, id } of links) {
      const wider = name === 'broader' ? concepts.findConcept(id) : null;
      if (wider !== null && broader.size <= MAX_BROADER) broader.set(wider.id, wider);
    }
  }
  return [...broader.values()].slice(1);
}

const describeSkillScheme = (name: string, { publicUrl }: HomePages): Scheme => ({
  iri: `${publicUrl}/taxonomies/${encodeURIComponent(name)}`,
  name,
  license: findTaxonomyLicense(name),
});

const mayPublishSkills = (name: string, { publishes }: HomePages): boolean =>
  findTaxonomyLicense(name) !== null || publishes.taxonomies.includes(name);

/** A taxonomy as SKOS, in Turtle or JSON-LD. Errors: PATH_UNKNOWN, also without a licence. */
async function sendSkillTaxonomy(request: Request, response: Response, pages: HomePages): Promise<void> {
  await pages.limitSearches(request);
  const [, name = '', extension] = /^(.*?)(?:\.(jsonld|ttl))?$/s.exec(String(request.params.file)) ?? [];
  if (!pages.concepts.listTaxonomies().has(name) || !mayPublishSkills(name, pages))
    throw new AppError('PATH_UNKNOWN', 'There is no such taxonomy here, or its licence does not allow to pass it on.');
  const asked =
    extension ?? (request.accepts(['text/turtle', 'application/ld+json']) === 'text/turtle' ? 'ttl' : 'jsonld');
  const scheme = describeSkillScheme(name, pages);
  response.vary('Accept').set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=3600' });
  response.type(asked === 'ttl' ? formats.ttl : formats.jsonld);
  const concepts = pages.concepts.listConcepts(name);
  const chunks = asked === 'ttl' ? writeSkillsTurtle(scheme, concepts) : writeSkillsGraph(scheme, concepts);
  // Whoever leaves before the end needs no error.
  await pipeline(Readable.from(chunks), response).catch(pages.onProblem);
}

function* writeSkillsTurtle(scheme: Scheme, concepts: Iterable<PublishedConcept>): Generator<string> {
  yield writeTurtleSubject(scheme.iri, [
    ['a', writeTurtleIri(`${SKOS}ConceptScheme`)],
    [writeTurtleIri(`${DCT}title`), writeTurtleText(scheme.name)],
    ...(scheme.license === null ? [] : [[writeTurtleIri(`${DCT}license`), writeTurtleIri(scheme.license)] as const]),
  ]);
  for (const concept of concepts) yield writeTurtleConcept(concept, scheme.iri);
}

function* writeSkillsGraph(scheme: Scheme, concepts: Iterable<PublishedConcept>): Generator<string> {
  yield `{"@context":${JSON.stringify(skosContext)},"@graph":[${JSON.stringify(toSkosScheme(scheme))}`;
  for (const concept of concepts) yield `,\n${JSON.stringify(toSkosConcept(concept, scheme.iri))}`;
  yield ']}';
}

/** Properties by the names of links. Those from a skill to occupations are inverses. */
const relations: Readonly<Record<string, string>> = {
  broader: `${SKOS}broader`,
  narrower: `${SKOS}narrower`,
  related: `${SKOS}related`,
  sameAs: `${SKOS}exactMatch`,
  essential: `${ESCO}relatedEssentialSkill`,
  optional: `${ESCO}relatedOptionalSkill`,
};

const skosContext = {
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

interface Scheme {
  readonly iri: string;
  readonly name: string;
  /** Address of its licence; null if the operator publishes it without one. */
  readonly license: string | null;
}

const groupSkillsByLanguage = (labels: PublishedConcept['labels']): Record<string, string[]> =>
  groupSkillLinksByName(labels.map(({ lang, text }) => [lang || 'und', text]));

type ConceptAddress = Pick<PublishedConcept, 'id' | 'uri'>;

const groupSkillLinks = ({ links }: PublishedConcept): Record<string, ConceptAddress[]> =>
  groupSkillLinksByName(links.map(({ name, ...address }) => [name, address]));

function groupSkillLinksByName<T>(pairs: readonly (readonly [name: string, value: T])[]): Record<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const [name, value] of pairs) groups.set(name, [...(groups.get(name) ?? []), value]);
  return Object.fromEntries(groups);
}

const toSkosScheme = ({ iri, name, license }: Scheme) => ({
  id: iri,
  type: 'ConceptScheme',
  title: name,
  ...(license !== null && { license }),
});

function toSkosConcept(concept: PublishedConcept, scheme: string) {
  const links = Object.entries(groupSkillLinks(concept))
    .filter(([name]) => Object.hasOwn(relations, name))
    .map(([name, linked]) => [name, linked.map(({ uri }) => uri)] as const);
  return {
    id: concept.uri,
    type: 'Concept',
    prefLabel: Object.fromEntries(concept.labels.map(({ text, lang }) => [lang || 'und', text])),
    ...(concept.others.length > 0 && { altLabel: groupSkillsByLanguage(concept.others) }),
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

const writeTurtleConcept = ({ uri, labels, others, links }: PublishedConcept, scheme: string): string =>
  writeTurtleSubject(uri, [
    ['a', writeTurtleIri(`${SKOS}Concept`)],
    ...labels.map(({ text, lang }) => [writeTurtleIri(`${SKOS}prefLabel`), writeTurtleText(text, lang)] as const),
    ...others.map(({ text, lang }) => [writeTurtleIri(`${SKOS}altLabel`), writeTurtleText(text, lang)] as const),
    ...links.flatMap(({ name, uri: to }) => {
      const relation = relations[name];
      return relation === undefined ? [] : [[writeTurtleIri(relation), writeTurtleIri(to)] as const];
    }),
    [writeTurtleIri(`${SKOS}inScheme`), writeTurtleIri(scheme)],
  ]);
