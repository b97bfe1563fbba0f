import type { Request, Response } from 'express';
import type { LearningObject } from '#domain/learning-object';
import { DEFAULT_TENANT } from '#domain/tenant';
import { MAX_HANDLE_LENGTH, openHandle } from '../object-view/handle.ts';
import { findLookFrame, findLookLike } from '../object-view/look.ts';
import { toObjectView } from '../object-view/object-view.ts';
import { views } from '../views.ts';
import { allowPlayersOnPage, type HomePages, type HomeRoute, type Reader, readReader } from './pages.ts';
import { findPublishedObjectPage } from './published/objects.ts';
import { homeDefaults } from './search-address.ts';

const maxFormBytes = 2 * MAX_HANDLE_LENGTH;

/** Shows an object with its player, facts and similar objects: as a page or, with the field `part`,
 *  as the content of the dialog of the front page, which fetches the similar objects later. */
export const lookRoutes: readonly HomeRoute[] = [
  { method: 'post', path: '/look', maxFormBytes, handle: showLook },
  { method: 'post', path: '/look/like', maxFormBytes, handle: showLookLike },
];

async function showLook(request: Request, response: Response, pages: HomePages): Promise<void> {
  await pages.limitSearches(request);
  const { object, isPart } = readLookForm(request, pages);
  const reader = readReader(request, response, pages);
  const view = toObjectView(object, reader);
  const items = isPart ? null : await findLike(object, reader, pages);
  const page = await findPublishedObjectPage(pages, object.url);
  const look = { ...findLookFrame(object), view, items, page };
  allowPlayersOnPage(response);
  // Only forms are sent to this address, so a change of the language returns to the front page.
  const model = { ...reader, here: '/', look };
  response.type('html').set('Cache-Control', 'no-store');
  response.send(isPart ? views.render('partials/look-article', { ...model, ...look }) : views.render('look', model));
}

async function showLookLike(request: Request, response: Response, pages: HomePages): Promise<void> {
  await pages.limitSearches(request);
  const reader = readReader(request, response, pages);
  const items = await findLike(readLookForm(request, pages).object, reader, pages);
  response.type('html').set('Cache-Control', 'no-store');
  response.send(views.render('partials/look-like', { t: reader.t, items, action: '/look' }));
}

function readLookForm({ body }: Request, { keyring }: HomePages) {
  const { handle, part } = (body ?? {}) as Record<string, unknown>;
  const scope = { keyring, tenantId: DEFAULT_TENANT };
  const { object } = openHandle(typeof handle === 'string' ? handle : '', scope);
  return { object, isPart: part !== undefined };
}

function findLike(object: LearningObject, reader: Reader, { trial, keyring, onProblem }: HomePages) {
  const search = { discovery: trial, tenant: { defaults: homeDefaults }, signal: reader.signal, onProblem };
  return findLookLike({ search, words: reader, keyring, tenantId: DEFAULT_TENANT }, object);
}
