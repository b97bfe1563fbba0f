import express, { type Request, type Response, type Router } from 'express';
import type { LearningObject } from '#domain/learning-object';
import { embeddingSources } from '#domain/sites/sites';
import { DEFAULT_TENANT } from '#domain/tenant';
import { MAX_HANDLE_LENGTH, openHandle } from '../object-view/handle.ts';
import { findLookFrame, findLookLike } from '../object-view/look.ts';
import { toObjectView } from '../object-view/object-view.ts';
import { createStrictRouter } from '../strict-paths.ts';
import { views } from '../views.ts';
import type { HomeFaceDeps } from './deps.ts';
import type { Limit } from './limiter.ts';
import type { Reader } from './page-model.ts';
import { homeDefaults } from './search-address.ts';

export interface LookOptions {
  readonly limitSearches: Limit;
  readReader(request: Request, response: Response): Reader;
}

/** A look inside an object that a search of the front page found: its player, what is known of it,
 *  and others like it. A page, or, for the dialog of the front page (`part`), what is in it; the
 *  others follow there. */
export function createLook(deps: HomeFaceDeps, { limitSearches, readReader }: LookOptions): Router {
  const { trial, keyring, onProblem } = deps;
  const scope = { keyring, tenantId: DEFAULT_TENANT };

  const readAsked = ({ body }: Request) => {
    const { handle, part } = (body ?? {}) as Record<string, unknown>;
    const { object } = openHandle(typeof handle === 'string' ? handle : '', scope);
    return { object, isPart: part !== undefined };
  };
  const findLike = (object: LearningObject, reader: Reader) => {
    const search = { discovery: trial, tenant: { defaults: homeDefaults }, signal: reader.signal, onProblem };
    return findLookLike({ search, words: reader, ...scope }, object);
  };

  const router = createStrictRouter();
  const readForm = express.urlencoded({ extended: false, limit: 2 * MAX_HANDLE_LENGTH });
  router.post('/look', readForm, async (request, response) => {
    await limitSearches(request);
    const { object, isPart } = readAsked(request);
    const reader = readReader(request, response);
    const view = toObjectView(object, reader);
    const look = { ...findLookFrame(object), view, items: isPart ? null : await findLike(object, reader) };
    allowPlayers(response);
    // There is nothing to come back to at an address that takes forms only.
    const model = { ...reader, here: '/', look };
    response.type('html').set('Cache-Control', 'no-store');
    response.send(
      isPart ? views.render('partials/look-article', { ...model, ...look }) : views.render('look', model),
    );
  });
  router.post('/look/like', readForm, async (request, response) => {
    await limitSearches(request);
    const reader = readReader(request, response);
    const items = await findLike(readAsked(request).object, reader);
    response.type('html').set('Cache-Control', 'no-store');
    response.send(views.render('partials/look-like', { t: reader.t, items, action: '/look' }));
  });
  return router;
}

/** Lets a page of ours frame the players of known sites, and nothing else. */
export function allowPlayers(response: Response): void {
  const policy = response.getHeader('Content-Security-Policy');
  if (typeof policy === 'string')
    response.set('Content-Security-Policy', `${policy};frame-src ${embeddingSources.join(' ')}`);
}
