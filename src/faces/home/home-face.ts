import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { findNetworkOf } from '#domain/address-kinds';
import { listAssistantSetups } from '#domain/assistants';
import { pictureForms } from '#domain/picture';
import { AppError } from '#errors';
import { projectRoot } from '#project-root';
import { createAbortSignal } from '../abort-signal.ts';
import { createCookies, isSentByThisOrigin, languageCookie } from '../cookies.ts';
import { emptyForm } from '../search-view/search-form.ts';
import { createStrictRouter } from '../strict-paths.ts';
import { assets, views } from '../views.ts';
import { locales } from '../words/i18n.ts';
import { browseRoutes } from './browse/browse.ts';
import { readOverviewLanding } from './browse/overview-model.ts';
import type { FaceState, HomeFaceDeps } from './deps.ts';
import { sendLogo } from './logos.ts';
import { lookRoutes } from './look.ts';
import { readPageModel } from './page-model.ts';
import type { HomePages, HomeRoute, Reader } from './pages.ts';
import { completionLimits, createLimit, readReader, searchLimits, sendPage, sendPrepared } from './pages.ts';
import { planRoutes } from './plans.ts';
import { privacyRoutes } from './privacy-and-support.ts';
import { feedRoutes, writeFeedAddress } from './published/feeds-and-opensearch.ts';
import { objectRoutes } from './published/objects.ts';
import { sitemapRoutes } from './published/robots-and-sitemap.ts';
import { skillRoutes } from './published/skills.ts';
import { readResultsModel } from './results-model.ts';
import { readSearchAddress, readTypedSearchAddress, writeAddress } from './search-address.ts';
import { tagRoutes } from './tags.ts';

const routes: readonly HomeRoute[] = [
  { method: 'get', path: '/', handle: showHomePage },
  { method: 'get', path: '/complete', handle: completeHomeWords },
  ...lookRoutes,
  ...browseRoutes,
  ...tagRoutes,
  { method: 'get', path: '/connect', handle: showConnections },
  ...planRoutes,
  ...privacyRoutes,
  ...sitemapRoutes,
  { method: 'get', path: '/styleguide', handle: showStyleGuide },
  { method: 'post', path: '/language', handle: switchHomeLanguage },
  { method: 'get', path: '/logos/:provider/:variant', handle: sendLogo },
  { method: 'get', path: '/pictures/:token/:form', handle: sendPicture },
];

export function createHomeFace(deps: HomeFaceDeps): Router {
  const { clock, publicUrl, limits = { searches: searchLimits, completions: completionLimits } } = deps;
  const pages: HomePages = {
    ...deps,
    limitSearches: createLimit(limits.searches, clock),
    limitCompletions: createLimit(limits.completions, clock),
    cookies: createCookies<'language' | 'person'>(publicUrl),
    prepared: new Map(),
  };
  const router = createStrictRouter().use('/assets', assets.serve, serveIcons);
  const { objects, skills, feeds } = deps.publishes;
  const published = [...(objects ? objectRoutes : []), ...(skills ? skillRoutes : []), ...(feeds ? feedRoutes : [])];
  if (!deps.isIndexable) router.use(refuseIndexing);
  for (const { method, path, maxFormBytes = '100kb', handle } of [...routes, ...published]) {
    const formReaders = method === 'post' ? [express.urlencoded({ extended: false, limit: maxFormBytes })] : [];
    router[method](path, ...formReaders, (request, response) => handle(request, response, pages));
  }
  return router;
}

const refuseIndexing: RequestHandler = (_request, response, next) => {
  response.set('X-Robots-Tag', 'noindex');
  next();
};

/** Serves icons at addresses that do not change, as learning platforms show them on their pages. */
const serveIcons = express.static(join(projectRoot, 'views', 'assets'), {
  index: false,
  redirect: false,
  maxAge: '1h',
  setHeaders: (response) => response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin'),
});

async function showHomePage(request: Request, response: Response, pages: HomePages): Promise<void> {
  const form = request.originalUrl === '/' ? emptyForm : await readTypedSearchAddress(request.originalUrl, pages);
  const renderFront = async (reader: Reader) => {
    const [model, { isWhole, ...landing }] = await Promise.all([
      readPageModel(pages, form, reader),
      readOverviewLanding(pages, reader),
    ]);
    const filters = model.filtersOf();
    // The feed of the front page is that of the whole catalogue, which an upstream does not list.
    const feed = landing.fields.length > 0 ? writeFeedAddress(pages, '/') : null;
    const html = views.render('home', { ...model, filters, landing, feed });
    return { html, isWhole: isWhole && model.lists.missing.length === 0 };
  };
  if (request.originalUrl === '/') return sendPrepared(request, response, pages, renderFront);
  const reader = readReader(request, response, pages);
  await pages.limitSearches(request);
  if (form.q === '') return sendPage(response, (await renderFront(reader)).html);
  const [model, { answerFor, result, ...resultsModel }] = await Promise.all([
    readPageModel(pages, form, reader),
    readResultsModel(pages, form, reader),
  ]);
  const { insight, tenantId } = pages;
  if (result !== null && form.page === 0) {
    // Nobody is signed in, so a network counts as one person.
    const person = findNetworkOf(request.ip ?? '');
    insight.noteSearch({ tenantId, words: form.q, person, result, isWatched: false });
  }
  const { pages: count } = resultsModel.results;
  // The page of an old or edited link may not exist any more.
  if (count > 0 && form.page >= count) return response.redirect(writeAddress(form, { page: count - 1 }));
  const filters = model.filtersOf(result?.facets);
  const answer = answerFor(model.lists.providers);
  const feed = writeFeedAddress(pages, model.addressOf({}));
  sendPage(response, views.render('home', { ...model, ...resultsModel, filters, answer, feed }));
}

/** Shows the visual system to those who build pages; only with a demo, as in development. */
function showStyleGuide(request: Request, response: Response, pages: HomePages): void {
  if (pages.demoPath === undefined)
    throw new AppError('PATH_UNKNOWN', 'The style guide is a page of hosts in development.');
  const icons = [...iconFile.matchAll(/<symbol id="([^"]+)"/g)].map(([, name]) => name);
  sendPage(response, views.render('styleguide', { ...readReader(request, response, pages), icons }));
}

const iconFile = readFileSync(join(projectRoot, 'views', 'assets', 'icons.svg'), 'utf8');

/** Sends completions, those in the page's language first. It is in the address, for caches. */
async function completeHomeWords(request: Request, response: Response, pages: HomePages): Promise<void> {
  await pages.limitCompletions(request);
  const { q, lang } = readSearchAddress(request.originalUrl);
  const { suggestions } = await pages.discovery.complete(q, lang, { signal: createAbortSignal(response) });
  response.set('Cache-Control', 'public, max-age=300').json(suggestions.map(({ label }) => label));
}

/** Stores the language for all pages, unless another site has sent the form, and redirects back. */
function switchHomeLanguage(request: Request, response: Response, pages: HomePages): void {
  const { cookies, publicUrl, clock } = pages;
  const { language, next } = (request.body ?? {}) as Record<string, unknown>;
  const locale = locales.find((each) => each === language);
  if (locale !== undefined && isSentByThisOrigin(request, publicUrl))
    cookies.change(response, languageCookie(locale, clock.now()));
  response.redirect(303, findLocalPath(next));
}

/** Returns the path of a page of this host; for anything else, such as another site, `/`. */
function findLocalPath(next: unknown): string {
  const base = 'http://home.invalid';
  if (typeof next !== 'string' || !URL.canParse(next, base)) return '/';
  const { origin, pathname, search } = new URL(next, base);
  // A path that begins with two slashes would be the address of another host.
  return origin === base ? pathname.replace(/^\/+/, '/') + search : '/';
}

/** One transparent pixel, which lets the cover behind a missing picture show through. */
const TRANSPARENT_PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** Sends a picture by the token of its address. Chats and platforms show it on their pages. */
async function sendPicture({ params }: Request, response: Response, { pictures }: HomePages): Promise<void> {
  const form = pictureForms.find((each) => each === params.form);
  const result = form === undefined ? null : await pictures.find(String(params.token), form);
  if (result === null || result.kind === 'unknown')
    throw new AppError('PATH_UNKNOWN', 'There is no such picture. Search again: results have the addresses of theirs.');
  response.set({ 'Cross-Origin-Resource-Policy': 'cross-origin' });
  if (result.kind === 'picture') {
    response.set('Cache-Control', 'public, max-age=604800').type(form === '320.jpg' ? 'jpeg' : 'webp');
    response.send(result.bytes);
    return;
  }
  const cache = result.kind === 'none' ? 'public, max-age=300' : 'no-store';
  response.status(404).set('Cache-Control', cache).type('gif').send(TRANSPARENT_PIXEL);
}

function showConnections(request: Request, response: Response, pages: HomePages): Promise<void> {
  const { faces, publicUrl, demoKey } = pages;
  return sendPrepared(request, response, pages, async (reader) => {
    const [faceStates, isAdmin] = await Promise.all([faces(), reader.isAdministrator()]);
    const ways = faceStates.map((face) => toConnectionWay(face, isAdmin));
    const model = { ...reader, publicUrl, demoKey, setups: listAssistantSetups(publicUrl), ways };
    return { html: views.render('connect', model), isWhole: true };
  });
}

/** Describes a face for its card. Only administrators see that one can be turned on. */
function toConnectionWay({ id, isOn, href }: FaceState, isAdmin: boolean) {
  const guide = id === 'demoCourse' || id === 'demoChat' ? null : `/docs/guides/${id}`;
  if (isOn || isAdmin) return { id, isOn, state: isOn ? 'on' : 'setUp', href, guide };
  return { id, isOn, state: 'off', href: guide ?? href, guide: null };
}
