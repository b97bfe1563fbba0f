import type { Request, Response } from 'express';
import { views } from '#faces/views';
import type { Reader } from '../page-model.ts';
import { type HomePages, type HomeRoute, readReader, sendPage, sendPrepared } from '../pages.ts';
import { writeFeedAddress } from '../published/feeds.ts';
import { readBrowseAddress, writeAddress } from '../search-address.ts';
import { readListModel, readUsedModel } from './list-model.ts';
import { readOverviewModel } from './overview-model.ts';

/** The catalogue by topic, provider and use in courses. Every page has a permanent address. */
export const browseRoutes: readonly HomeRoute[] = [{ method: 'get', path: '/browse', handle: showBrowsed }];

async function showBrowsed(request: Request, response: Response, pages: HomePages): Promise<void> {
  await pages.limitSearches(request);
  const renderOverview = async (reader: Reader) => {
    const { isWhole, ...model } = await readOverviewModel(pages, reader);
    return { html: views.render('browse', { ...reader, ...model }), isWhole };
  };
  if (request.originalUrl === '/browse') return sendPrepared(request, response, pages, renderOverview);
  const reader = readReader(request, response, pages);
  const query = readQuery(request);
  if (query.size === 0) return sendPage(response, (await renderOverview(reader)).html);
  const form = readBrowseAddress(query);
  const order = (['most', 'newest'] as const).find((name) => name === query.get('used'));
  const model =
    order === undefined
      ? await readListModel(pages, form, reader)
      : await readUsedModel(pages, order, form.page, reader);
  // The service behind this host can only be searched, with the same choices.
  if (model === null) return response.redirect(`${writeAddress(form)}#search`);
  const { pages: count } = model.results;
  // From an old or edited link: there are fewer objects now.
  if (count > 0 && form.page >= count) return response.redirect(model.addressOf({ page: count - 1 }));
  if (!model.isKnown) response.status(404);
  sendPage(
    response,
    views.render('browse-list', { ...reader, ...model, feed: writeFeedAddress(pages, model.addressOf({})) }),
  );
}

function readQuery({ originalUrl }: Request): URLSearchParams {
  const start = originalUrl.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : originalUrl.slice(start));
}
