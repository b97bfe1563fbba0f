import type { Request, Response, Router } from 'express';
import { findNetworkOf } from '#domain/address-kinds';
import { createAbortSignal } from '../aborted-with.ts';
import { createStrictRouter } from '../strict-paths.ts';
import { views } from '../views.ts';
import { readLanding } from './browse/landing-model.ts';
import type { HomeFaceDeps } from './deps.ts';
import type { Limit } from './limiter.ts';
import { allowPlayers } from './look.ts';
import { type Reader, readPageModel } from './page-model.ts';
import { readResultsModel } from './results-model.ts';
import { readAddress, writeAddress } from './search-address.ts';

export interface SearchPageOptions {
  readonly limitSearches: Limit;
  readonly limitCompletions: Limit;
  readReader(request: Request, response: Response): Reader;
}

/** The front page, with results where words are given, and the words that complete what is typed there. */
export function createSearchPage(deps: HomeFaceDeps, options: SearchPageOptions): Router {
  const { limitSearches, limitCompletions, readReader } = options;
  const router = createStrictRouter();
  router.get('/', async (request, response) => {
    const form = readAddress(request.originalUrl);
    const reader = readReader(request, response);
    if (form.q === '') {
      const [model, landing] = await Promise.all([
        readPageModel(deps, form, reader),
        readLanding(deps, reader),
      ]);
      return send(response, { ...model, landing });
    }
    await limitSearches(request);
    const [model, { answerFor, found: result, ...found }] = await Promise.all([
      readPageModel(deps, form, reader),
      readResultsModel(deps, form, reader),
    ]);
    if (result !== null && form.page === 0)
      deps.insight.noteSearch({
        ...{ tenantId: deps.tenantId, words: form.q, person: findNetworkOf(request.ip ?? '') },
        ...{ found: result, isWatched: false },
      });
    const { pages } = found.results;
    // From an old or edited link: there are fewer objects now.
    if (pages > 0 && form.page >= pages) return response.redirect(writeAddress(form, { page: pages - 1 }));
    const filters = model.filtersOf(result?.facets);
    send(response, { ...model, ...found, filters, answer: answerFor(model.lists.providers) });
  });
  router.get('/complete', async (request, response) => {
    await limitCompletions(request);
    const { q } = readAddress(request.originalUrl);
    const { suggestions } = await deps.discovery.complete(q, { signal: createAbortSignal(response) });
    response.set('Cache-Control', 'public, max-age=300').json(suggestions.map(({ label }) => label));
  });
  return router;
}

/** The browser revalidates the page each time: the catalogue may have changed. */
function send(response: Response, model: object): void {
  allowPlayers(response);
  response.type('html').set('Cache-Control', 'no-cache').send(views.render('home', model));
}
