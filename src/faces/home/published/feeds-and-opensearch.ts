import type { Request, Response } from 'express';
import type { LearningObject } from '#domain/learning-object';
import { AppError } from '#errors';
import { toBrowseRequest, toSearchFormQuery } from '#faces/search-view/search-form';
import { nameTopic } from '#faces/search-view/topics-view';
import { readStrictQuery } from '#faces/strict-paths';
import { escapeXmlText, writeElement, writeTexts, type Xml } from '#faces/xml';
import { type HomePages, type HomeRoute, type Reader, readReader, sendXml } from '../pages.ts';
import { homeDefaults, readTypedSearchAddress, writeAddress, writeBrowseAddress } from '../search-address.ts';

/** Serves results or a browsed page as RSS, newest first, and describes the search to browsers. */
export const feedRoutes: readonly HomeRoute[] = [
  { method: 'get', path: '/feed', handle: sendFeed },
  { method: 'get', path: '/opensearch.xml', handle: sendOpenSearchDescription },
];

const MAX_ITEMS = 50;
const ATOM = 'http://www.w3.org/2005/Atom';
const DC = 'http://purl.org/dc/elements/1.1/';

/** Writes the address of the feed of a page; null if this host publishes no feeds.
 *  @param address of the page, such as `/?q=python` or `/browse?topic=0613` */
export const writeFeedAddress = ({ publishes }: Pick<HomePages, 'publishes'>, address: string): string | null =>
  publishes.feeds ? address.replace(/^\/(?:browse)?/, '/feed') : null;

async function sendFeed(request: Request, response: Response, pages: HomePages): Promise<void> {
  await pages.limitSearches(request);
  const reader = readReader(request, response, pages);
  const { title, path, objects } = await listFeedObjects(request.originalUrl, pages, reader);
  const { publicUrl } = pages;
  const channel = writeElement('channel', [
    writeTexts('title', [`${title || reader.t('browse.everything')} · Skilldock`]),
    writeTexts('link', [publicUrl + path]),
    writeTexts('description', [reader.t('home.description')]),
    writeTexts('language', [reader.locale]),
    writeElement('atom:link', '', { href: publicUrl + request.originalUrl, rel: 'self', type: 'application/rss+xml' }),
    ...objects.map(writeFeedItem),
  ]);
  sendXml(
    response,
    'application/rss+xml',
    writeElement('rss', channel, { version: '2.0', 'xmlns:atom': ATOM, 'xmlns:dc': DC }),
  );
}

async function listFeedObjects(address: string, pages: HomePages, { locale, t, signal }: Reader) {
  const { discovery, browsing } = pages;
  const query = readStrictQuery({ originalUrl: address });
  const order = (['most', 'newest'] as const).find((name) => name === query.get('used'));
  if (order !== undefined) {
    const used = await browsing.listUsed(order);
    const path = `/browse?used=${order}`;
    return { title: t(`browse.used.${order}`), path, objects: used.map(({ object }) => object) };
  }
  const form = await readTypedSearchAddress(address, pages);
  const sorted = { ...form, sort: form.sort || ('newest' as const), page: 0 };
  const defaults = { ...homeDefaults, itemsPerPage: MAX_ITEMS };
  if (form.q !== '') {
    const { items } = await discovery.searchLearningObjects(toSearchFormQuery(sorted, defaults, locale), { signal });
    return { title: form.q, path: writeAddress(form), objects: items.map(({ object }) => object) };
  }
  const result = await browsing.browse(toBrowseRequest(sorted, defaults, locale), { signal });
  if (result === null) throw new AppError('PATH_UNKNOWN', 'The service behind this host has feeds of searches only.');
  return {
    title: result.within.map((topic) => nameTopic(topic, locale)).join(' · '),
    path: writeBrowseAddress(form),
    objects: result.items.map(({ object }) => object),
  };
}

function writeFeedItem({ title, url, description, type, author, publisher, provider, ...facts }: LearningObject): Xml {
  const date = facts.modified ?? facts.published;
  return writeElement('item', [
    writeTexts('title', [title]),
    writeTexts('link', [url]),
    writeTexts('guid', [url], { isPermaLink: 'true' }),
    writeTexts('description', [description]),
    // A date may be a year or a month only.
    date?.length === 10 ? writeTexts('pubDate', [new Date(date).toUTCString()]) : '',
    writeTexts('category', type),
    writeTexts('dc:creator', author.length > 0 ? author : publisher),
    writeTexts('dc:source', [provider]),
    writeTexts('dc:rights', [facts.license]),
  ]);
}

/** Sends a description of the search for browsers (https://github.com/dewitt/opensearch, 1.1). */
function sendOpenSearchDescription(request: Request, response: Response, pages: HomePages): void {
  const { publicUrl } = pages;
  const { t } = readReader(request, response, pages);
  const writeTemplate = (type: string, path: string) =>
    writeElement('Url', '', { type, template: `${publicUrl}${path}?q={searchTerms}` });
  const content = [
    writeTexts('ShortName', ['Skilldock']),
    writeTexts('Description', [t('home.description')]),
    writeElement('Image', escapeXmlText(`${publicUrl}/assets/icon.svg`), { type: 'image/svg+xml' }),
    writeTemplate('text/html', '/'),
    writeTemplate('application/rss+xml', '/feed'),
    writeTexts('InputEncoding', ['UTF-8']),
  ];
  const namespace = 'http://a9.com/-/spec/opensearch/1.1/';
  sendXml(
    response,
    'application/opensearchdescription+xml',
    writeElement('OpenSearchDescription', content, { xmlns: namespace }),
  );
}
