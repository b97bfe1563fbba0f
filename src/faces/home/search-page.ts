import { type Response, Router } from 'express';
import { abortedWith } from '../aborted-with.ts';
import { views } from '../views.ts';
import type { HomeFaceDeps } from './home-face.ts';
import type { Limit } from './limiter.ts';
import { readPageModel } from './page-model.ts';
import { readResultsModel } from './results-model.ts';
import { addressOf, readSearchForm } from './search-form.ts';

/** The front page, with results where words are given. */
export function createSearchPage(deps: HomeFaceDeps, limit: Limit): Router {
  return Router().get('/', async (request, response) => {
    const form = readSearchForm(request.originalUrl);
    const signal = abortedWith(response);
    if (form.q === '') return send(response, await readPageModel(deps, form, signal));
    await limit(request);
    const [model, found] = await Promise.all([
      readPageModel(deps, form, signal),
      readResultsModel(deps.discovery, form, signal),
    ]);
    const pages = found.results?.pages ?? 0;
    // A link that grew old, or an edited one: the objects it named are fewer now.
    if (pages > 0 && form.page >= pages) return response.redirect(addressOf(form, { page: pages - 1 }));
    send(response, { ...model, ...found, notices: found.noticesFor(model.providers) });
  });
}

/** The browser asks each time whether the page is still the same: the catalogue may have changed. */
function send(response: Response, model: object): void {
  response.type('html').set('Cache-Control', 'no-cache').send(views.render('home', model));
}
