import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { findTaxonomyLicense } from '#domain/rights/taxonomies';
import { AppError } from '#errors';
import { writeSkillAddress } from '#faces/object-view/skill-address';
import { emptyForm, toBrowseRequest, toSearchFormQuery } from '#faces/search-view/search-form';
import { readStrictQuery } from '#faces/strict-paths';
import { views } from '#faces/views';
import { findLanguageName } from '#faces/words/language-names';
import type { PublishedConcept } from '#ports/object-catalog';
import { type HomePages, type HomeRoute, type Reader, readReader, sendPage } from '../pages.ts';
import { toResultCard } from '../results-model.ts';
import { homeDefaults, writeAddress, writeBrowseAddress } from '../search-address.ts';
import {
  groupLabelsByLanguage,
  groupLinksByName,
  type SkosScheme,
  skosContext,
  toSkosConcept,
  writeSkosGraph,
  writeSkosTurtle,
  writeTurtleConcept,
} from './skos.ts';

/** Serves concepts as pages and as data, and taxonomies as SKOS. */
export const skillRoutes: readonly HomeRoute[] = [
  { method: 'get', path: '/skills', handle: showSkill },
  { method: 'get', path: '/skills/:id', handle: showSkill },
  { method: 'get', path: '/taxonomies/:file', handle: sendTaxonomy },
];

const formats = { json: 'application/json', jsonld: 'application/ld+json', ttl: 'text/turtle' } as const;
type Format = keyof typeof formats;
const formatNames = Object.keys(formats) as Format[];

const linkNames = ['broader', 'narrower', 'related', 'sameAs', 'essential', 'optional', 'essentialFor', 'optionalFor'];
/** Limit for a group of links on a page, as some occupations need a hundred skills. */
const MAX_LINKS = 60;

async function showSkill(request: Request, response: Response, pages: HomePages): Promise<void> {
  await pages.limitSearches(request);
  const { concept, format } = readSkillRequest(request, pages);
  response.vary('Accept');
  const scheme = describeTaxonomy(concept.source, pages).iri;
  if (format === null) return showSkillPage(request, response, pages, concept);
  response.set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=3600' }).type(formats[format]);
  if (format === 'ttl') response.send(writeTurtleConcept(concept, scheme));
  else if (format === 'jsonld')
    response.send(JSON.stringify({ '@context': skosContext, ...toSkosConcept(concept, scheme) }));
  else response.send(JSON.stringify(await describeConcept(concept, pages, readReader(request, response, pages))));
}

/** Returns the concept and the format of a request: null for a page. Errors: PATH_UNKNOWN. */
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
  const accepted = request.accepts(['text/html', ...Object.values(formats)]);
  const acceptedFormat = formatNames.find((name) => formats[name] === accepted) ?? null;
  return { concept, format: formatNames.find((name) => name === extension) ?? acceptedFormat };
}

async function describeConcept(concept: PublishedConcept, pages: HomePages, reader: Reader) {
  const { hits, wider } = await findObjectsForSkill(concept, pages, reader);
  const describeLink = ({ id, uri }: Pick<PublishedConcept, 'id' | 'uri'>) => ({
    uri,
    label: nameSkillConcept(pages.concepts.findConcept(id), reader.locale),
  });
  return {
    uri: concept.uri,
    id: concept.id,
    taxonomy: concept.source,
    kind: concept.kind,
    page: pages.publicUrl + writeSkillAddress(concept.id),
    labels: Object.fromEntries(concept.labels.map(({ text, lang }) => [lang, text])),
    alternativeLabels: groupLabelsByLanguage(concept.alternativeLabels),
    links: Object.fromEntries(
      Object.entries(groupLinksByName(concept)).map(([name, ids]) => [name, ids.map(describeLink)]),
    ),
    objects: wider === null ? hits.map(({ object: { title, url } }) => ({ title, url })) : [],
  };
}

async function showSkillPage(request: Request, response: Response, pages: HomePages, concept: PublishedConcept) {
  const reader = readReader(request, response, pages);
  const { t, locale } = reader;
  const { hits, href, wider } = await findObjectsForSkill(concept, pages, reader);
  const links = groupLinksByName(concept);
  const address = writeSkillAddress(concept.id);
  const alternativeLabels = groupLabelsByLanguage(concept.alternativeLabels);
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
    taxonomyHref: isTaxonomyPublished(concept.source, pages)
      ? `/taxonomies/${encodeURIComponent(concept.source)}`
      : null,
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

/** Finds objects about a skill, else about the nearest broader concept, which is then `wider`. */
async function findObjectsForSkill(concept: PublishedConcept, pages: HomePages, reader: Reader) {
  const direct = await findObjectsOf(concept, pages, reader);
  if (direct.hits.length > 0) return { ...direct, wider: null };
  for (const wider of listBroaderSkills(concept, pages)) {
    const result = await findObjectsOf(wider, pages, reader);
    if (result.hits.length > 0) return { ...result, wider };
  }
  return { ...direct, wider: null };
}

/** Finds objects about a concept; if it cannot be browsed, objects that fit its label. */
async function findObjectsOf(concept: PublishedConcept, { browsing, trial }: HomePages, { locale, signal }: Reader) {
  const topicForm = { ...emptyForm, topic: [concept.id] };
  const browsed = await browsing.browse(toBrowseRequest(topicForm, homeDefaults, locale), { signal });
  if (browsed !== null && browsed.within.length > 0)
    return { hits: browsed.items, href: writeBrowseAddress(topicForm) };
  const form = { ...emptyForm, q: nameSkillConcept(concept, locale) };
  const { items } = await trial.searchLearningObjects(toSearchFormQuery(form, homeDefaults, locale), { signal });
  return { hits: items.filter(({ tier }) => tier !== 'close'), href: writeAddress(form) };
}

const MAX_BROADER = 5;

/** Lists at most five broader concepts, the nearest first. */
function listBroaderSkills(concept: PublishedConcept, { concepts }: HomePages): readonly PublishedConcept[] {
  const broader = new Map([[concept.id, concept]]);
  // The loop also visits the concepts that it adds.
  for (const { links } of broader.values()) {
    for (const { name, id } of links) {
      const wider = name === 'broader' ? concepts.findConcept(id) : null;
      if (wider !== null && broader.size <= MAX_BROADER) broader.set(wider.id, wider);
    }
  }
  return [...broader.values()].slice(1);
}

const isTaxonomyPublished = (name: string, { publishes }: HomePages): boolean =>
  findTaxonomyLicense(name) !== null || publishes.taxonomies.includes(name);

/** Sends a taxonomy as SKOS, in Turtle or JSON-LD. Errors: PATH_UNKNOWN, also without a licence. */
async function sendTaxonomy(request: Request, response: Response, pages: HomePages): Promise<void> {
  await pages.limitSearches(request);
  const [, name = '', extension] = /^(.*?)(?:\.(jsonld|ttl))?$/s.exec(String(request.params.file)) ?? [];
  if (!pages.concepts.listTaxonomies().has(name) || !isTaxonomyPublished(name, pages))
    throw new AppError('PATH_UNKNOWN', 'There is no such taxonomy here, or its licence does not allow to pass it on.');
  const accepted = request.accepts(['text/turtle', 'application/ld+json']) === 'text/turtle' ? 'ttl' : 'jsonld';
  const isTurtle = (extension ?? accepted) === 'ttl';
  const scheme = describeTaxonomy(name, pages);
  response.vary('Accept').set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=3600' });
  response.type(isTurtle ? formats.ttl : formats.jsonld);
  const concepts = pages.concepts.listConcepts(name);
  const chunks = isTurtle ? writeSkosTurtle(scheme, concepts) : writeSkosGraph(scheme, concepts);
  // A client that leaves before the end is no error of the request.
  await pipeline(Readable.from(chunks), response).catch(pages.onProblem);
}

const describeTaxonomy = (name: string, { publicUrl }: HomePages): SkosScheme => ({
  iri: `${publicUrl}/taxonomies/${encodeURIComponent(name)}`,
  name,
  license: findTaxonomyLicense(name),
});
