import { join } from 'node:path';
import express, { type Request, type Response, type Router } from 'express';
import { projectRoot } from '#project-root';
import { createAbortSignal } from '../aborted-with.ts';
import { assets } from '../assets.ts';
import { createCookies, isSentByOwnOrigin, languageCookie, readCookieLocale } from '../cookies.ts';
import { createStrictRouter } from '../strict-paths.ts';
import { locales } from '../words/i18n.ts';
import { createBrowsePages } from './browse/browse.ts';
import type { HomeFaceDeps } from './deps.ts';
import { completionLimits, createLimit, searchLimits } from './limiter.ts';
import { createLogos } from './logos.ts';
import { createLook } from './look.ts';
import type { Reader } from './page-model.ts';
import { createPictureRoute } from './pictures.ts';
import { createSearchPage } from './search-page.ts';
import { createTags } from './tags.ts';

/** The front page: what this host is, a search without a key, and how to connect. */
export function createHomeFace(deps: HomeFaceDeps): Router {
  const { limits = { searches: searchLimits, completions: completionLimits } } = deps;
  const limitSearches = createLimit(limits.searches, deps.clock);
  const limitCompletions = createLimit(limits.completions, deps.clock);
  const readReader = createReadReader(deps);
  const router = createStrictRouter();
  router.use('/assets', assets.serve, icons);
  router.use(createSearchPage(deps, { limitSearches, limitCompletions, readReader }));
  router.use(createLook(deps, { limitSearches, readReader }));
  router.use(createBrowsePages(deps, { limitSearches, readReader }));
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

/** Remembers the chosen language for all pages of this host, unless another site chose it, and leads back. */
function createLanguageSwitch({ publicUrl, clock }: HomeFaceDeps): Router {
  const cookies = createCookies<'language'>(publicUrl);
  const readForm = express.urlencoded({ extended: false });
  return createStrictRouter().post('/language', readForm, (request, response) => {
    const { language, next } = (request.body ?? {}) as Record<string, unknown>;
    const locale = locales.find((known) => known === language);
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
