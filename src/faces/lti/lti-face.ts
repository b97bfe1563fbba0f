import express, { type Request, type Response, type Router } from 'express';
import type { Launch } from '#domain/lti/launch';
import { AppError } from '#errors';
import type { LaunchAudience, Launches } from '#services/courses/launches/launches';
import { createAbortSignal } from '../aborted-with.ts';
import { createStrictRouter } from '../strict-paths.ts';
import { chooseLocale, type Languages, readLanguages } from '../words/i18n.ts';
import { sendBrandStyles } from './brand.ts';
import type { LtiFaceDeps } from './deps.ts';
import { createErrorPages } from './error-pages.ts';
import { createObjectRoutes } from './object/object.ts';
import { pickerRoutes } from './picker/picker.ts';
import { createDeploymentUnknownError, getRegistrationForLaunch } from './protocol/launching-registration.ts';
import { createProtocolRoutes } from './protocol/protocol.ts';
import { createRegistrationRoutes } from './registration/registration.ts';
import type { LtiContext, LtiRoute } from './route.ts';
import { type Answered, createSend } from './send.ts';

/** Enough for an id_token with all its claims, or a text of 20,000 characters to plan from, each up
 *  to nine bytes in a form. */
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

type Guarded = Exclude<LtiRoute['access'], 'platform'>;

type GuardDeps = Pick<LtiFaceDeps, 'launches' | 'registrations' | 'tenants'>;

/** A launch of one kind, or one whose request has been answered. */
type Stage = LaunchAudience | 'answered';

const stages: Readonly<Record<Guarded, readonly Stage[]>> = {
  'deep-linking': ['deep-linking'],
  'resource-link': ['resource-link'],
  instructor: ['resource-link'],
  picker: ['deep-linking', 'resource-link'],
  choice: ['deep-linking', 'answered', 'resource-link'],
};

/** The launch whose token came with a request. Errors: LAUNCH_INVALID; ROLE_INSUFFICIENT where it
 *  takes an instructor; LTI_PLATFORM_UNKNOWN, LTI_REGISTRATION_INACTIVE, LTI_TENANT_DISABLED and
 *  LTI_DEPLOYMENT_UNKNOWN for what has ended since. */
async function guardLaunch(deps: GuardDeps, access: Guarded, token: string): Promise<Launch> {
  const launch = await getLaunch(deps.launches, token, stages[access]);
  await requireStanding(deps, launch);
  if (access !== 'resource-link' && launch.role !== 'instructor')
    throw new AppError(
      'ROLE_INSUFFICIENT',
      'Only people who teach in this course may do this. Ask one of them.',
    );
  return launch;
}

/** A launch lasts for hours, but turning a platform off or removing a deployment takes effect at
 *  once. */
async function requireStanding(deps: GuardDeps, launch: Launch): Promise<void> {
  const { role, isAdministrator, registrationId, deploymentId } = launch;
  try {
    const registration = await getRegistrationForLaunch(deps, registrationId);
    // New deployments are admitted by launches only.
    const closed = { ...registration, acceptsNewDeployments: false };
    if (!(await deps.registrations.admitDeployment(closed, deploymentId)))
      throw createDeploymentUnknownError(launch);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, data } = error;
    throw new AppError(code, message, { cause: error, data: { ...data, role, isAdministrator } });
  }
}

/** The launch of a token, at any of these stages. Errors: LAUNCH_INVALID. */
async function getLaunch(launches: Launches, token: string, allowed: readonly Stage[]): Promise<Launch> {
  let refusal: unknown;
  for (const stage of allowed) {
    try {
      if (stage === 'answered') return await launches.getAnsweredLaunch(token);
      return await launches.getLaunch(token, stage);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'LAUNCH_INVALID')) throw error;
      refusal = error;
    }
  }
  throw refusal;
}

/** The token of a request. Null where it has none, unless it is in the form. */
function findGuardedToken(request: Request, query: URLSearchParams): string | null {
  const [, bearer] = /^Bearer (\S+)$/i.exec(request.get('authorization') ?? '') ?? [];
  return bearer ?? query.get('launch');
}
