import type { Request, Response } from 'express';
import { finishInTime } from '#domain/async/deadline';
import { hashObjectAddress } from '#domain/learning-object';
import { AppError } from '#errors';
import { findLookFrame } from '#faces/object-view/look';
import { toObjectView } from '#faces/object-view/object-view';
import { views } from '#faces/views';
import type { PublishedObject } from '#ports/object-catalog';
import type { HarvestReader } from '#services/catalogue/harvest';
import { linkConcept, writeSkillAddress } from '../../object-view/skill-address.ts';
import type { HomeFaceDeps } from '../deps.ts';
import { type HomePages, type HomeRoute, readReader, sendPage } from '../pages.ts';
import { toLearningResource } from './learning-resource.ts';

/** A page for each object that all tenants share, by any spelling of its address; oEmbed. For those
 *  who have a key of a tenant or administer it, pages as that tenant sees its objects. */
export const objectRoutes: readonly HomeRoute[] = [
  { method: 'get', path: '/objects/:id', handle: showObject },
  { method: 'get', path: '/oembed', handle: sendEmbedding },
];

/** A look inside an object does not wait longer for its page. */
const PASSING_MS = 300;
const JSON_LD = 'application/ld+json';
const WIDTH = 640;
const HEIGHT = 360;

/** Path of the page of an object; null where it has none, or that is not known in time. */
export async function findObjectPage(
  { harvest, publishes, onProblem }: HomeFaceDeps,
  url: string,
): Promise<string | null> {
  if (!publishes.objects) return null;
  const isPublished = await finishInTime(harvest.hasObject(url), PASSING_MS).catch(onProblem);
  return isPublished ? `/objects/${hashObjectAddress(url)}` : null;
}

async function showObject(request: Request, response: Response, pages: HomePages): Promise<void> {
  await pages.limitSearches(request);
  const [, id = '', extension] = /^([\w-]+)(\.json|\.jsonld)?$/.exec(String(request.params.id)) ?? [];
  const tenantId = await pages.findTenantOf(request);
  const published = await getObject(tenantId === null ? pages.harvest : pages.harvest.ofTenant(tenantId), id);
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
  const skills = derived.map(({ uri, ...skill }) => ({ ...skill, href: linkConcept(pages, uri) }));
  const taught = (published.object.teaches ?? []).flatMap(({ uri, label = uri }) => {
    const concept = uri === undefined ? null : pages.concepts.findConcept(uri);
    return concept === null ? [] : [{ label, href: writeSkillAddress(concept.id) }];
  });
  const model = {
    page,
    skills,
    taught: pages.publishes.skills ? taught : [],
    // Nothing of another site is loaded before the reader asks for it.
    look: { ...findLookFrame(published.object), embedding: null, view },
    description: published.object.description,
    // Escaped, as a script ends at `</script`.
    jsonLd: JSON.stringify(resource).replaceAll('<', '\\u003c'),
    picture: view.picture && pages.publicUrl + view.picture.plain,
    oembed: tenantId === null ? `${pages.publicUrl}/oembed?url=${encodeURIComponent(page)}` : null,
  };
  sendPage(response, views.render('object', { ...reader, ...model }));
}

async function getObject(harvest: Pick<HarvestReader, 'findObject'>, id: string): Promise<PublishedObject> {
  const object = await harvest.findObject(id);
  if (object !== null) return object;
  throw new AppError('PATH_UNKNOWN', 'There is no learning object at this address, or not any more.');
}

/** As https://oembed.com/ has it. Errors: PATH_UNKNOWN where the address is of no object here. */
async function sendEmbedding(request: Request, response: Response, pages: HomePages): Promise<void> {
  await pages.limitSearches(request);
  const { searchParams } = new URL(request.originalUrl, pages.publicUrl);
  const [prefix, url] = [`${pages.publicUrl}/objects/`, searchParams.get('url') ?? ''];
  if ((searchParams.get('format') ?? 'json') !== 'json') {
    response.status(501).type('text').send('The format is json.\n');
    return;
  }
  const { object } = await getObject(pages.harvest, url.startsWith(prefix) ? url.slice(prefix.length) : '');
  const { embedding } = findLookFrame(object);
  // Values below 1, or that are no numbers, do not limit anything.
  const limit = (name: string, size: number) => {
    const asked = Number(searchParams.get(name));
    return asked >= 1 ? Math.min(asked, size) : size;
  };
  const scale = Math.min(limit('maxwidth', WIDTH) / WIDTH, limit('maxheight', HEIGHT) / HEIGHT);
  const [width, height] = [Math.round(WIDTH * scale), Math.round(HEIGHT * scale)];
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
