import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { DCT, ESCO, findTaxonomyLicense, SKOS } from '#domain/rights/taxonomies';
import { AppError } from '#errors';
import { writeSkillAddress } from '#faces/object-view/skill-address';
import { emptyForm, toBrowseRequest, toSearchFormQuery } from '#faces/search-view/search-form';
import { readQuery } from '#faces/strict-paths';
import { views } from '#faces/views';
import { findLanguageName } from '#faces/words/language-names';
import type { PublishedConcept } from '#ports/object-catalog';
import type { Reader } from '../page-model.ts';
import { type HomePages, type HomeRoute, readReader, sendPage } from '../pages.ts';
import { toCard } from '../results-model.ts';
import { homeDefaults, writeAddress, writeBrowseAddress } from '../search-address.ts';

export const skillRoutes: readonly HomeRoute[] = [
  { method: 'get', path: '/skills', handle: showSkill },
  { method: 'get', path: '/skills/:id', handle: showSkill },
  { method: 'get', path: '/taxonomies/:file', handle: sendTaxonomy },
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
  const scheme = describeScheme(concept.source, pages).iri;
  if (format === null) return showSkillPage(request, response, pages, concept);
  response.set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=3600' }).type(formats[format]);
  if (format === 'ttl') response.send(writeTurtleConcept(concept, scheme));
  else if (format === 'jsonld')
    response.send(JSON.stringify({ '@context': skosContext, ...toSkosConcept(concept, scheme) }));
  else response.send(JSON.stringify(await describeConcept(concept, pages, readReader(request, response, pages))));
}

/** The concept of an address, and its form: null for a page. Errors: PATH_UNKNOWN. */
function readSkillRequest(request: Request, { concepts }: HomePages) {
  const query = readQuery(request);
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
  const { hits, wider } = await findObjects(concept, pages, reader);
  const describe = ({ id, uri }: ConceptAddress) => {
    return { uri, label: nameConcept(pages.concepts.findConcept(id), reader.locale) };
  };
  return {
    uri: concept.uri,
    id: concept.id,
    taxonomy: concept.source,
    kind: concept.kind,
    page: pages.publicUrl + writeSkillAddress(concept.id),
    labels: Object.fromEntries(concept.labels.map(({ text, lang }) => [lang, text])),
    alternativeLabels: groupByLanguage(concept.others),
    links: Object.fromEntries(Object.entries(groupLinks(concept)).map(([name, ids]) => [name, ids.map(describe)])),
    objects: wider === null ? hits.map(({ object: { title, url } }) => ({ title, url })) : [],
  };
}

async function showSkillPage(request: Request, response: Response, pages: HomePages, concept: PublishedConcept) {
  const reader = readReader(request, response, pages);
  const { t, locale } = reader;
  const { hits, href, wider } = await findObjects(concept, pages, reader);
  const links = groupLinks(concept);
  const address = writeSkillAddress(concept.id);
  const others = groupByLanguage(concept.others);
  const model = {
    title: nameConcept(concept, locale),
    concept,
    page: pages.publicUrl + address,
    dataHref: (format: Format) => address + (address.includes('?') ? `&format=${format}` : `.${format}`),
    labels: concept.labels.map(({ text, lang }) => ({
      text,
      lang,
      language: findLanguageName(lang, locale),
      others: (others[lang] ?? []).join(' · '),
    })),
    groups: linkNames.flatMap((name) => {
      const linked = (links[name] ?? []).map(({ id }) => pages.concepts.findConcept(id));
      const chips = linked.flatMap((to) =>
        to === null ? [] : [{ name: nameConcept(to, locale), href: writeSkillAddress(to.id), objects: '' }],
      );
      return chips.length === 0 ? [] : [{ name: t(`published.links.${name}`), chips: chips.slice(0, MAX_LINKS) }];
    }),
    results: hits.length === 0 ? [] : [{ line: null, items: hits.map((hit) => toCard(hit, reader, pages.keyring)) }],
    wider: nameConcept(wider, locale),
    moreHref: href,
    searchHref: writeAddress({ ...emptyForm, q: nameConcept(concept, locale) }),
    taxonomyHref: mayPublish(concept.source, pages) ? `/taxonomies/${encodeURIComponent(concept.source)}` : null,
    jsonLd: JSON.stringify({
      '@context': 'https://schema.org',
      '@type': 'DefinedTerm',
      '@id': concept.uri,
      name: nameConcept(concept, locale),
      inDefinedTermSet: concept.source,
      url: pages.publicUrl + address,
    }).replaceAll('<', '\\u003c'),
  };
  sendPage(response, views.render('skill', { ...reader, ...model }));
}

function nameConcept(concept: PublishedConcept | null, locale: string): string {
  const labels = concept?.labels ?? [];
  const label = labels.find(({ lang }) => lang === locale) ?? labels.find(({ lang }) => lang === 'en') ?? labels[0];
  return label?.text ?? '';
}

/** Objects about a skill; for a concept that cannot be browsed, hits that fit its label. Where
 *  there are none, those of the nearest broader concept that has any, which is `wider` then. */
async function findObjects(concept: PublishedConcept, pages: HomePages, reader: Reader) {
  const direct = await findObjectsOf(concept, pages, reader);
  if (direct.hits.length > 0) return { ...direct, wider: null };
  for (const wider of listBroader(concept, pages)) {
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
  const form = { ...emptyForm, q: nameConcept(concept, locale) };
  const { items } = await trial.searchLearningObjects(toSearchFormQuery(form, homeDefaults, locale), { signal });
  return { hits: items.filter(({ tier }) => tier !== 'close'), href: writeAddress(form) };
}

const MAX_BROADER = 5;

/** The nearest first. */
function listBroader(concept: PublishedConcept, { concepts }: HomePages): readonly PublishedConcept[] {
  const broader = new Map([[concept.id, concept]]);
  for (const { links } of broader.values()) {
    for (const { name, id } of links) {
      const wider = name === 'broader' ? concepts.findConcept(id) : null;
      if (wider !== null && broader.size <= MAX_BROADER) broader.set(wider.id, wider);
    }
  }
  return [...broader.values()].slice(1);
}

const describeScheme = (name: string, { publicUrl }: HomePages): Scheme => ({
  iri: `${publicUrl}/taxonomies/${encodeURIComponent(name)}`,
  name,
  license: findTaxonomyLicense(name),
});

const mayPublish = (name: string, { publishes }: HomePages): boolean =>
  findTaxonomyLicense(name) !== null || publishes.taxonomies.includes(name);

/** A taxonomy as SKOS, in Turtle or JSON-LD. Errors: PATH_UNKNOWN, also without a licence. */
async function sendTaxonomy(request: Request, response: Response, pages: HomePages): Promise<void> {
  await pages.limitSearches(request);
  const [, name = '', extension] = /^(.*?)(?:\.(jsonld|ttl))?$/s.exec(String(request.params.file)) ?? [];
  if (!pages.concepts.listTaxonomies().has(name) || !mayPublish(name, pages))
    throw new AppError('PATH_UNKNOWN', 'There is no such taxonomy here, or its licence does not allow to pass it on.');
  const asked =
    extension ?? (request.accepts(['text/turtle', 'application/ld+json']) === 'text/turtle' ? 'ttl' : 'jsonld');
  const scheme = describeScheme(name, pages);
  response.vary('Accept').set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=3600' });
  response.type(asked === 'ttl' ? formats.ttl : formats.jsonld);
  const concepts = pages.concepts.listConcepts(name);
  const chunks = asked === 'ttl' ? writeTurtle(scheme, concepts) : writeGraph(scheme, concepts);
  // Whoever leaves before the end needs no error.
  await pipeline(Readable.from(chunks), response).catch(pages.onProblem);
}

function* writeTurtle(scheme: Scheme, concepts: Iterable<PublishedConcept>): Generator<string> {
  yield writeTurtleScheme(scheme);
  for (const concept of concepts) yield writeTurtleConcept(concept, scheme.iri);
}

function* writeGraph(scheme: Scheme, concepts: Iterable<PublishedConcept>): Generator<string> {
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
  /** Address of its licence; null where the operator publishes it without one. */
  readonly license: string | null;
}

const groupByLanguage = (labels: PublishedConcept['labels']): Record<string, string[]> =>
  groupByName(labels.map(({ lang, text }) => [lang || 'und', text]));

type ConceptAddress = Pick<PublishedConcept, 'id' | 'uri'>;

const groupLinks = ({ links }: PublishedConcept): Record<string, ConceptAddress[]> =>
  groupByName(links.map(({ name, ...address }) => [name, address]));

function groupByName<T>(pairs: readonly (readonly [name: string, value: T])[]): Record<string, T[]> {
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
  const links = Object.entries(groupLinks(concept))
    .filter(([name]) => Object.hasOwn(relations, name))
    .map(([name, linked]) => [name, linked.map(({ uri }) => uri)] as const);
  return {
    id: concept.uri,
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

const writeTurtleScheme = ({ iri, name, license }: Scheme): string =>
  writeSubject(iri, [
    ['a', writeIri(`${SKOS}ConceptScheme`)],
    [writeIri(`${DCT}title`), writeText(name)],
    ...(license === null ? [] : [[writeIri(`${DCT}license`), writeIri(license)] as const]),
  ]);

const writeTurtleConcept = ({ uri, labels, others, links }: PublishedConcept, scheme: string): string =>
  writeSubject(uri, [
    ['a', writeIri(`${SKOS}Concept`)],
    ...labels.map(({ text, lang }) => [writeIri(`${SKOS}prefLabel`), writeText(text, lang)] as const),
    ...others.map(({ text, lang }) => [writeIri(`${SKOS}altLabel`), writeText(text, lang)] as const),
    ...links.flatMap(({ name, uri: to }) => {
      const relation = relations[name];
      return relation === undefined ? [] : [[writeIri(relation), writeIri(to)] as const];
    }),
    [writeIri(`${SKOS}inScheme`), writeIri(scheme)],
  ]);
