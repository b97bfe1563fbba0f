import express, { type Request, type Response, type Router } from 'express';
import { AppError } from '#errors';
import { createAbortSignal } from '../aborted-with.ts';
import { createStrictRouter } from '../strict-paths.ts';
import { chooseLocale, type Languages, readLanguages } from '../words/i18n.ts';
import { sendBrandStyles } from './brand.ts';
import type { LtiFaceDeps } from './deps.ts';
import { createErrorPages } from './error-pages.ts';
import { findGuardedToken, guardLaunch } from './guard.ts';
import { createObjectRoutes } from './object/object.ts';
import { pickerRoutes } from './picker/picker.ts';
import { createProtocolRoutes } from './protocol/protocol.ts';
import { createRegistrationRoutes } from './registration/registration.ts';
import type { LtiContext, LtiRoute } from './route.ts';
import { type Answered, createSend } from './send.ts';

/** Enough for an id_token with all its claims, or a text of 20,000 characters to plan from, each up to nine bytes in a form. */
const MAX_FORM = '256kb';

const FORM = 'application/x-www-form-urlencoded';

/** The LTI 1.3 tool, to be mounted at `/lti`. Every route is guarded as its `access` says. */
export function createLtiFace(deps: LtiFaceDeps): Router {
  const languages = readLanguages();
  const send = createSend(deps);
  const router = createStrictRouter();
  router.get('/brand/:colour', sendBrandStyles);
  for (const route of createRoutes(deps)) {
    const answer = createAnswer({ deps, languages }, route);
    router[route.method](route.path, async (request, response) => {
      await send(await answer(request, response), response);
    });
  }
  router.use(() => {
    throw new AppError('PATH_UNKNOWN', 'No page of the LTI tool has this address.');
  });
  router.use(createErrorPages(languages));
  return router;
}

/** Every route of the LTI tool, below `/lti`. */
function createRoutes(deps: LtiFaceDeps): readonly LtiRoute[] {
  return [
    ...createProtocolRoutes(deps),
    ...createRegistrationRoutes(deps),
    ...pickerRoutes(deps),
    ...createObjectRoutes(deps),
  ];
}

interface AnswerDeps {
  readonly deps: LtiFaceDeps;
  readonly languages: Languages;
}

/** The answer of a route. A token outside the form is checked before the form is read. */
function createAnswer({ deps, languages }: AnswerDeps, route: LtiRoute) {
  const readForm = createFormReader(route.maxForm ?? MAX_FORM, route.takes ?? FORM);
  return async (request: Request, response: Response): Promise<Answered> => {
    const context = readContext(request, response, { deps, languages });
    if (route.access === 'platform') {
      const asked = { ...context, form: await readForm(request, response) };
      return { reply: await route.handle(asked), context: asked, launch: null };
    }
    const early = findGuardedToken(request, context.query);
    const admitted = early === null ? null : await guardLaunch(deps, route.access, early);
    const form = await readForm(request, response);
    const token = early ?? form.get('launch') ?? '';
    const launch = admitted ?? (await guardLaunch(deps, route.access, token));
    const locale = chooseLocale(launch.locale ?? undefined, request.get('accept-language'));
    // For error pages.
    response.locals.locale = locale;
    const launched = { ...context, form, locale, t: languages.translatorOf(locale), launch, token };
    return { reply: await route.handle(launched), context: launched, launch };
  };
}

function createFormReader(limit: string, type: string) {
  const read = express.text({ type, limit });
  return async (request: Request, response: Response): Promise<URLSearchParams> => {
    await new Promise<void>((done, fail) =>
      read(request, response, (error?: unknown) => (error === undefined ? done() : fail(error))),
    );
    return new URLSearchParams(type === FORM && typeof request.body === 'string' ? request.body : '');
  };
}

function readContext(
  request: Request,
  response: Response,
  { deps, languages }: AnswerDeps,
): Omit<LtiContext, 'form'> {
  const locale = chooseLocale(undefined, request.get('accept-language'));
  return {
    request,
    params: request.params as Record<string, string>,
    query: new URLSearchParams(request.originalUrl.split('?')[1] ?? ''),
    locale,
    t: languages.translatorOf(locale),
    pictures: deps.pictures,
    signal: createAbortSignal(response),
  };
}
