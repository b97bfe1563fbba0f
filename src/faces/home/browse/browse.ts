import type { Request, Response, Router } from 'express';
import { createStrictRouter } from '#faces/strict-paths';
import { views } from '#faces/views';
import type { HomeFaceDeps } from '../deps.ts';
import type { Limit } from '../limiter.ts';
import { allowPlayers } from '../look.ts';
import type { Reader } from '../page-model.ts';
import type { SendPrepared } from '../prepared-pages.ts';
import { writeAddress } from '../search-address.ts';
import { readBrowseAddress } from './browse-address.ts';
import { readListModel, readUsedModel } from './list-model.ts';
import { readOverviewModel } from './overview-model.ts';

export interface BrowseOptions {
  readonly limitSearches: Limit;
  readonly sendPrepared: SendPrepared;
  readReader(request: Request, response: Response): Reader;
}

/** The catalogue without words: what there is, by what it is about, who offers it, and what courses
 *  use. Every page has an address that can be passed on. */
export function createBrowsePages(deps: HomeFaceDeps, options: BrowseOptions): Router {
  const { limitSearches, sendPrepared, readReader } = options;
  return createStrictRouter().get('/browse', async (request, response) => {
    await limitSearches(request);
    const reader = readReader(request, response);
    const query = readQuery(request);
    const form = readBrowseAddress(query);
    const order = (['most', 'newest'] as const).find((name) => name === query.get('used'));
    const renderOverview = async (reader: Reader) => {
      const { isWhole, ...model } = await readOverviewModel(deps, reader);
      return { html: views.render('browse', { ...reader, ...model }), isWhole };
    };
    if (request.originalUrl === '/browse') return sendPrepared(request, response, reader, renderOverview);
    if (query.size === 0) return send(response, (await renderOverview(reader)).html);
    const model =
      order === undefined
        ? await readListModel(deps, form, reader)
        : await readUsedModel(deps, order, form.page, reader);
    // The service behind this host can only be searched, with the same choices.
    if (model === null) return response.redirect(`${writeAddress(form)}#search`);
    const { pages } = model.results;
    // From an old or edited link: there are fewer objects now.
    if (pages > 0 && form.page >= pages) return response.redirect(model.addressOf({ page: pages - 1 }));
    if (!model.isKnown) response.status(404);
    send(response, views.render('browse-list', { ...reader, ...model }));
  });
}

function readQuery({ originalUrl }: Request): URLSearchParams {
  const start = originalUrl.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : originalUrl.slice(start));
}

/** The browser revalidates the page each time: the catalogue may have changed. */
function send(response: Response, html: string): void {
  allowPlayers(response);
  response.type('html').set('Cache-Control', 'no-cache').send(html);
}
