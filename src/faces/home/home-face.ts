import { join } from 'node:path';
import express, { type Request, type Response, type Router } from 'express';
import { findNetworkOf } from '#domain/address-kinds';
import { pictureForms } from '#domain/picture';
import { AppError } from '#errors';
import { projectRoot } from '#project-root';
import type { Pictures } from '#services/catalogue/pictures/pictures';
import { createAbortSignal } from '../aborted-with.ts';
import { assets } from '../assets.ts';
import { createCookies, isSentByOwnOrigin, languageCookie, readCookieLocale } from '../cookies.ts';
import { createStrictRouter } from '../strict-paths.ts';
import { views } from '../views.ts';
import { locales } from '../words/i18n.ts';
import { createBrowsePages } from './browse/browse.ts';
import { readLanding } from './browse/landing-model.ts';
import type { HomeFaceDeps } from './deps.ts';
import { completionLimits, createLimit, type Limit, searchLimits } from './limiter.ts';
import { createLogos } from './logos.ts';
import { allowPlayers, createLook } from './look.ts';
import { type Reader, readPageModel } from './page-model.ts';
import { createPreparedPages, type SendPrepared } from './prepared-pages.ts';
import { readResultsModel } from './results-model.ts';
import { readAddress, writeAddress } from './search-address.ts';
import { createTags } from './tags.ts';

/** The front page: what this host is, a search without a key, and how to connect. */
export function createHomeFace(deps: HomeFaceDeps): Router {
  const { limits = { searches: searchLimits, completions: completionLimits } } = deps;
  const limitSearches = createLimit(limits.searches, deps.clock);
  const limitCompletions = createLimit(limits.completions, deps.clock);
  const readReader = createReadReader(deps);
  const sendPrepared = createPreparedPages(deps);
  const router = createStrictRouter();
  router.use('/assets', assets.serve, icons);
  router.use(createSearchPage(deps, { limitSearches, limitCompletions, sendPrepared, readReader }));
  router.use(createLook(deps, { limitSearches, readReader }));
  router.use(createBrowsePages(deps, { limitSearches, sendPrepared, readReader }));
  router.use(createTags(deps, { limitSearches, readReader }));
  router.use(createLanguageSwitch(deps));
  router.use(createLogos(deps.ownProviders));
  router.use(createPictureRoute(deps.pictures));
  return router;
}

/** By addresses that do not change: learning platforms show the icon on pages of their own. */
const icons = express.static(join(projectRoot, 'views', 'assets'), {
  index: false,
  redirect: false,
  maxAge: '1h',
  setHeaders: (response) => response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin'),
});

/** The reader of a page, with the language that they chose or their browser prefers. */
function createReadReader({ publicUrl, languages, pictures, isAdministrator }: HomeFaceDeps) {
  const cookies = createCookies<'language'>(publicUrl);
  return (request: Request, response: Response): Reader => {
    const locale = readCookieLocale(request, cookies);
    response.vary('Accept-Language').vary('Cookie');
    return {
      locale,
      t: languages.translatorOf(locale),
      pictures,
      here: request.originalUrl,
      isAdministrator: () => isAdministrator(request),
      signal: createAbortSignal(response),
    };
  };
}

/** Remembers the chosen language for all pages of this host, unless another site chose it, and
 *  leads back. */
function createLanguageSwitch({ publicUrl, clock }: HomeFaceDeps): Router {
  const cookies = createCookies<'language'>(publicUrl);
  const readForm = express.urlencoded({ extended: false });
  return createStrictRouter().post('/language', readForm, (request, response) => {
    const { language, next } = (request.body ?? {}) as Record<string, unknown>;
    const locale = locales.find((each) => each === language);
    if (locale !== undefined && isSentByOwnOrigin(request, publicUrl))
      cookies.change(response, languageCookie(locale, clock.now()));
    response.redirect(303, findOwnPath(next));
  });
}

/** A page of ours to go on to; anything else, like another site, becomes the front page. */
function findOwnPath(next: unknown): string {
  const base = 'http://home.invalid';
  if (typeof next !== 'string' || !URL.canParse(next, base)) return '/';
  const { origin, pathname, search } = new URL(next, base);
  // A path that begins with two slashes would be the address of another host.
  return origin === base ? pathname.replace(/^\/+/, '/') + search : '/';
}

/** One pixel, transparent: pages show it over the drawing for the kind of an object, so nothing
 *  looks broken. */
const NOTHING = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** Pictures of learning objects and logos of providers, for whoever has an address that a page of
 *  this host gave. Chats and learning platforms show them on pages of their own. */
function createPictureRoute({ find }: Pick<Pictures, 'find'>): Router {
  return createStrictRouter().get('/pictures/:token/:form', async (request, response) => {
    const form = pictureForms.find((each) => each === request.params.form);
    const result = form === undefined ? null : await find(request.params.token, form);
    if (result === null || result.kind === 'unknown')
      throw new AppError(
        'PATH_UNKNOWN',
        'There is no such picture. Search again: results have the addresses of theirs.',
      );
    response.set({ 'Cross-Origin-Resource-Policy': 'cross-origin' });
    if (result.kind === 'picture') {
      response.set('Cache-Control', 'public, max-age=604800').type(form === '320.jpg' ? 'jpeg' : 'webp');
      response.send(result.bytes);
      return;
    }
    const cache = result.kind === 'none' ? 'public, max-age=300' : 'no-store';
    response.status(404).set('Cache-Control', cache).type('gif').send(NOTHING);
  });
}

interface SearchPageOptions {
  readonly limitSearches: Limit;
  readonly limitCompletions: Limit;
  readonly sendPrepared: SendPrepared;
  readReader(request: Request, response: Response): Reader;
}

/** The front page, with results where words are given, and the words that complete what is typed
 *  there. */
function createSearchPage(deps: HomeFaceDeps, options: SearchPageOptions): Router {
  const { limitSearches, limitCompletions, sendPrepared, readReader } = options;
  const router = createStrictRouter();
  router.get('/', async (request, response) => {
    const form = readAddress(request.originalUrl);
    const reader = readReader(request, response);
    const renderFront = async (reader: Reader) => {
      const [model, { isWhole, ...landing }] = await Promise.all([
        readPageModel(deps, form, reader),
        readLanding(deps, reader),
      ]);
      return {
        html: views.render('home', { ...model, landing }),
        isWhole: isWhole && model.lists.missing.length === 0,
      };
    };
    if (request.originalUrl === '/') return sendPrepared(request, response, reader, renderFront);
    await limitSearches(request);
    if (form.q === '') return send(response, (await renderFront(reader)).html);
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
    const answer = answerFor(model.lists.providers);
    send(response, views.render('home', { ...model, ...found, filters, answer }));
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
function send(response: Response, html: string): void {
  allowPlayers(response);
  response.type('html').set('Cache-Control', 'no-cache').send(html);
}
