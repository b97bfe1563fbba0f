import type { Request, Response } from 'express';
import { finishInTime } from '#domain/async/deadline';
import type { LearningObject, LearningObjectType } from '#domain/learning-object';
import { hashObjectAddress, toLearningMinutes } from '#domain/learning-object';
import { pickFacts } from '#domain/object-facts';
import { linkLicense } from '#domain/rights/licences';
import { AppError } from '#errors';
import { findLookFrame } from '#faces/object-view/look';
import { toObjectView } from '#faces/object-view/object-view';
import { linkSkillPage, writeSkillAddress } from '#faces/object-view/skill-address';
import { readStrictQuery } from '#faces/strict-paths';
import { views } from '#faces/views';
import type { DerivedSkill, PublishedObject } from '#ports/object-catalog';
import type { HarvestReader } from '#services/catalogue/harvest';
import type { HomeFaceDeps } from '../deps.ts';
import { type HomePages, type HomeRoute, readReader, sendPage } from '../pages.ts';

/** Serves pages and oEmbed of shared objects, and a tenant's objects to those with its key. */
export const objectRoutes: readonly HomeRoute[] = [
  { method: 'get', path: '/objects/:id', handle: showPublishedObject },
  { method: 'get', path: '/oembed', handle: sendObjectEmbedding },
];

/** How long a look inside an object waits for the link to its page. */
const PAGE_LOOKUP_MS = 300;
const JSON_LD = 'application/ld+json';
const WIDTH = 640;
const HEIGHT = 360;

/** Returns the path of an object's page; null if it has none, or if the lookup takes too long. */
export async function findPublishedObjectPage(deps: HomeFaceDeps, url: string): Promise<string | null> {
  const { harvest, publishes, onProblem } = deps;
  if (!publishes.objects) return null;
  const isPublished = await finishInTime(harvest.hasObject(url), PAGE_LOOKUP_MS).catch(onProblem);
  return isPublished ? `/objects/${hashObjectAddress(url)}` : null;
}

async function showPublishedObject(request: Request, response: Response, pages: HomePages): Promise<void> {
  await pages.limitSearches(request);
  const [, id = '', extension] = /^([\w-]+)(\.json|\.jsonld)?$/.exec(String(request.params.id)) ?? [];
  const tenantId = await pages.findTenantOf(request);
  const published = await getPublishedObject(tenantId === null ? pages.harvest : pages.harvest.ofTenant(tenantId), id);
  const page = `${pages.publicUrl}/objects/${id}`;
  const reader = readReader(request, response, pages);
  const { object, keywords } = published;
  const derived = pages.publishes.skills ? pages.concepts.deriveSkills({ ...object, keywords }) : [];
  const resource = toLearningResource(published, { page, derived });
  response.vary('Accept').vary('X-Api-Key');
  if (tenantId !== null) response.set('X-Robots-Tag', 'noindex');
  if (extension !== undefined || request.accepts(['html', JSON_LD, 'json']) !== 'html') {
    const cacheControl = tenantId === null ? 'public, max-age=3600' : 'private, no-store';
    response.set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': cacheControl });
    response.type(extension === '.json' ? 'json' : JSON_LD).send(JSON.stringify(resource));
    return;
  }
  const view = toObjectView(published.object, reader);
  const skills = derived.map(({ uri, ...skill }) => ({ ...skill, href: linkSkillPage(pages, uri) }));
  const taught = (published.object.teaches ?? []).flatMap(({ uri, label = uri }) => {
    const concept = uri === undefined ? null : pages.concepts.findConcept(uri);
    return concept === null ? [] : [{ label, href: writeSkillAddress(concept.id) }];
  });
  const model = {
    page,
    skills,
    taught: pages.publishes.skills ? taught : [],
    // Leaves out the embedding: nothing of another site may load before the reader asks for it.
    look: { ...findLookFrame(published.object), embedding: null, view },
    description: published.object.description,
    // Escaped, as a script ends at `</script`.
    jsonLd: JSON.stringify(resource).replaceAll('<', '\\u003c'),
    picture: view.picture && pages.publicUrl + view.picture.plain,
    oembed: tenantId === null ? `${pages.publicUrl}/oembed?url=${encodeURIComponent(page)}` : null,
  };
  sendPage(response, views.render('object', { ...reader, ...model }));
}

async function getPublishedObject(harvest: Pick<HarvestReader, 'findObject'>, id: string): Promise<PublishedObject> {
  const object = await harvest.findObject(id);
  if (object !== null) return object;
  throw new AppError('PATH_UNKNOWN', 'There is no learning object at this address, or not any more.');
}

/** Answers an oEmbed request (https://oembed.com/). Errors: PATH_UNKNOWN for an unknown object. */
async function sendObjectEmbedding(request: Request, response: Response, pages: HomePages): Promise<void> {
  await pages.limitSearches(request);
  const query = readStrictQuery(request);
  const prefix = `${pages.publicUrl}/objects/`;
  const url = query.get('url') ?? '';
  if ((query.get('format') ?? 'json') !== 'json') {
    response.status(501).type('text').send('The format is json.\n');
    return;
  }
  const { object } = await getPublishedObject(pages.harvest, url.startsWith(prefix) ? url.slice(prefix.length) : '');
  const { embedding } = findLookFrame(object);
  // Values that are no numbers, or below 1, are ignored.
  const limitSize = (name: string, size: number) => {
    const limit = Number(query.get(name));
    return limit >= 1 ? Math.min(limit, size) : size;
  };
  const scale = Math.min(limitSize('maxwidth', WIDTH) / WIDTH, limitSize('maxheight', HEIGHT) / HEIGHT);
  const width = Math.round(WIDTH * scale);
  const height = Math.round(HEIGHT * scale);
  const frame = embedding && views.render('partials/embedding', { embedding, title: object.title, width, height });
  response.set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=3600' }).json({
    version: '1.0',
    ...(frame === null ? { type: 'link' } : { type: 'rich', html: frame.trim(), width, height }),
    title: object.title,
    ...(object.provider !== undefined && { provider_name: object.provider }),
    provider_url: new URL(object.url).origin,
    ...(object.author.length > 0 && { author_name: object.author.join(', ') }),
    cache_age: 3_600,
  });
}

/** Types in schema.org, and in the vocabulary HCRT, which the profile AMB requires. */
const types: Readonly<Partial<Record<string, readonly [schema: string, hcrt: string]>>> = {
  app: ['WebApplication', 'application'],
  article: ['Article', 'text'],
  book: ['Book', 'textbook'],
  'career profile': ['WebPage', 'text'],
  'distance learning': ['Course', 'course'],
  ebook: ['Book', 'textbook'],
  mooc: ['Course', 'course'],
  podcast: ['PodcastSeries', 'audio'],
  'safety sheet': ['DigitalDocument', 'text'],
  'serious game': ['Game', 'educational_game'],
  training: ['Course', 'course'],
  tutorial: ['HowTo', 'other'],
  video: ['VideoObject', 'video'],
  website: ['WebPage', 'web_page'],
} satisfies Readonly<Record<LearningObjectType, readonly [string, string]>>;

type ResourceContext = { readonly page: string; readonly derived: readonly DerivedSkill[] };

/** Describes an object in JSON-LD, as a LearningResource of schema.org (LRMI) that is also valid in
 *  the profile AMB. Derived skills are not among `teaches`. Source: https://w3id.org/kim/amb/ */
export function toLearningResource({ object, keywords, age }: PublishedObject, { page, derived }: ResourceContext) {
  const { lang = 'en', teaches = [], price } = object;
  const resourceTypes = object.type.map((name) => types[name]).filter((names) => names !== undefined);
  const concepts = teaches.flatMap(({ uri, label }) =>
    uri === undefined
      ? []
      : [{ id: uri, type: 'Concept', ...(label !== undefined && { prefLabel: { [lang]: label } }) }],
  );
  const labels = teaches.flatMap(({ uri, label }) => (uri === undefined && label ? [label] : []));
  return {
    // Processors of JSON-LD ignore `derived`, which maps to null.
    '@context': ['https://schema.org', 'https://w3id.org/kim/amb/context.jsonld', { '@language': lang, derived: null }],
    id: object.url,
    type: [...new Set(['LearningResource', ...resourceTypes.map(([schema]) => schema)])],
    name: object.title,
    description: object.description,
    inLanguage: [lang],
    keywords: omitEmpty(keywords),
    image: object.picture,
    creator: omitEmpty(object.author.map((name) => ({ type: 'Person', name }))),
    publisher: omitEmpty(object.publisher.map((name) => ({ type: 'Organization', name }))),
    provider: object.provider === undefined ? undefined : { type: 'Organization', name: object.provider },
    learningResourceType: omitEmpty(
      [...new Set(resourceTypes.map(([, hcrt]) => hcrt))].map((name) => ({
        id: `https://w3id.org/kim/hcrt/${name}`,
        type: 'Concept',
      })),
    ),
    isAccessibleForFree: price?.free,
    teaches: omitEmpty(concepts),
    // AMB allows only concepts with addresses in `teaches`.
    educationalAlignment: omitEmpty(
      labels.map((targetName) => ({ type: 'AlignmentObject', alignmentType: 'teaches', targetName })),
    ),
    typicalAgeRange: age && `${age.min ?? 0}-${age.max ?? ''}`,
    ...writePublishedFacts(object),
    mainEntityOfPage: [{ id: page, type: 'WebContent' }],
    derived: omitEmpty(derived),
  };
}

/** Returns undefined for an empty list, so that JSON lacks it. */
const omitEmpty = <T>(list: readonly T[]): readonly T[] | undefined => (list.length > 0 ? list : undefined);

/** Writes the other facts. The prefix `schema:` marks values that the profile does not allow. */
function writePublishedFacts({
  license,
  published,
  modified,
  educationalLevel,
  learningTime,
  teaches: _,
  ...facts
}: LearningObject) {
  const rights = license === undefined ? null : linkLicense(license);
  const minutes = toLearningMinutes(learningTime);
  return {
    ...(rights !== null && (isProfileLicense(rights) ? { license: { id: rights } } : { 'schema:license': rights })),
    ...writePublishedDate('datePublished', published),
    ...writePublishedDate('dateModified', modified),
    ...(minutes !== undefined && { timeRequired: `PT${Math.max(1, Math.round(minutes))}M` }),
    'schema:educationalLevel': educationalLevel,
    ...pickFacts(facts),
  };
}

/** Writes a date; the profile does not allow a year or a month without a day. */
const writePublishedDate = (name: string, date: string | undefined) =>
  date !== undefined && { [date.length === 10 ? name : `schema:${name}`]: date };

const isProfileLicense = (address: string): boolean =>
  /^https?:\/\/(?:creativecommons\.org\/(?:licen[sc]es|publicdomain)|www\.(?:gnu|apache)\.org\/licenses)\/./.test(
    address,
  );
