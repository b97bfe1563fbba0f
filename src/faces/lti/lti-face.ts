import express, { type ErrorRequestHandler, type Request, type Response, type Router } from 'express';
import type { Launch } from '#domain/lti/launch';
import { AppError, type ErrorCode, hasErrorCode } from '#errors';
import type { LaunchAudience } from '#services/courses/launches/launches';
import { createAbortSignal } from '../abort-signal.ts';
import { answerErrorsBy } from '../app-errors.ts';
import { setPageHeaders } from '../page-headers.ts';
import { createStrictRouter, readStrictQuery } from '../strict-paths.ts';
import { views } from '../views.ts';
import { chooseLocale, type Languages, readLanguages, type Translate } from '../words/i18n.ts';
import { courseRoutes } from './course/course.ts';
import type { LtiFaceDeps } from './deps.ts';
import { anyFramer } from './frame.ts';
import { objectRoutes } from './object/object.ts';
import { pickerRoutes } from './picker/picker.ts';
import { storedPlanRoutes } from './picker/stored-plans.ts';
import { handleLaunch } from './protocol/launch.ts';
import { createDeploymentUnknownError, getRegistrationForLaunch } from './protocol/launching-registration.ts';
import { beginLtiLogin, checkLoginCookie } from './protocol/login.ts';
import { receiveNotices } from './protocol/notices.ts';
import { registrationRoutes } from './registration/registration.ts';
import {
  type LaunchAccess,
  type LaunchContext,
  type LtiReply,
  type LtiRoute,
  makeLtiPage,
  toShelfOwner,
} from './route.ts';
import { type AnsweredRequest, sendBrandStyles, sendLtiReply } from './send.ts';

/** Enough for an id_token with all claims, and for a form with 20,000 escaped characters. */
const MAX_FORM = '256kb';

const KEYS_SECONDS = 60;
const FORM = 'application/x-www-form-urlencoded';

/** The LTI 1.3 tool, to be mounted at `/lti`. Each route is guarded according to its `access`. */
export function createLtiFace(deps: LtiFaceDeps): Router {
  const languages = readLanguages();
  const router = createStrictRouter();
  router.get('/brand/:colour', sendBrandStyles);
  for (const route of [
    ...protocolRoutes,
    ...registrationRoutes,
    ...pickerRoutes,
    ...storedPlanRoutes,
    ...objectRoutes,
    ...courseRoutes,
  ]) {
    const answer = createLtiAnswer(deps, languages, route);
    router[route.method](route.path, async (request, response) => {
      await sendLtiReply(deps, await answer(request, response), response);
    });
  }
  router.use(() => {
    throw new AppError('PATH_UNKNOWN', 'No page of the LTI tool has this address.');
  });
  router.use(createLtiErrorPages(languages));
  return router;
}

const protocolRoutes: readonly LtiRoute[] = [
  { method: 'get', path: '/login', access: 'platform', handle: beginLtiLogin },
  { method: 'post', path: '/login', access: 'platform', handle: beginLtiLogin },
  { method: 'get', path: '/login/check', access: 'platform', handle: checkLoginCookie },
  { method: 'post', path: '/launch', access: 'platform', handle: handleLaunch },
  { method: 'post', path: '/notices', access: 'platform', takes: 'application/json', handle: receiveNotices },
  // Platforms check the addresses of their items by GET, and people open them.
  { method: 'get', path: '/launch', access: 'platform', handle: () => makeLtiPage('item', {}) },
  { method: 'get', path: '/keys', access: 'platform', handle: sendLtiPublicKeys },
  { method: 'get', path: '/my-data', access: 'resource-link', handle: openMyDataOverLti },
  { method: 'get', path: '/picker/my-data', access: 'picker', handle: openMyDataOverLti },
];

function openMyDataOverLti({ personData }: LtiFaceDeps, { launch }: LaunchContext): LtiReply {
  const { tenantId, person } = toShelfOwner(launch);
  const emails = launch.user.email === null ? [] : [launch.user.email];
  return { kind: 'redirect', to: personData.makeDataPath({ tenantId, accounts: [person], emails }) };
}

async function sendLtiPublicKeys({ registrations }: LtiFaceDeps): Promise<LtiReply> {
  const keys = await registrations.listPublicKeys();
  return { kind: 'json', body: { keys }, maxAgeSeconds: KEYS_SECONDS };
}

/** Creates a function that reads a request, checks its launch, and calls its route's handler. */
function createLtiAnswer(deps: LtiFaceDeps, languages: Languages, route: LtiRoute) {
  const readForm = createLtiFormReader(route.maxForm ?? MAX_FORM, route.takes ?? FORM);
  return async (request: Request, response: Response): Promise<AnsweredRequest> => {
    const base = readLtiContext(deps, languages, request, response);
    if (route.access === 'platform') {
      const context = { ...base, form: await readForm(request, response) };
      return { reply: await route.handle(deps, context), context, launch: null };
    }
    // A token outside of the form is checked before a large form is read.
    const earlyToken = findLtiToken(request, base.query);
    const earlyLaunch = earlyToken === null ? null : await guardLtiLaunch(deps, route.access, earlyToken);
    const form = await readForm(request, response);
    const token = earlyToken ?? form.get('launch') ?? '';
    const launch = earlyLaunch ?? (await guardLtiLaunch(deps, route.access, token));
    const locale = chooseLocale(launch.locale ?? undefined, request.get('accept-language'));
    response.locals.locale = locale;
    const context = { ...base, form, locale, t: languages.translatorOf(locale), launch, token };
    return { reply: await route.handle(deps, context), context, launch };
  };
}

function createLtiFormReader(limit: string, type: string) {
  const read = express.text({ type, limit });
  return async (request: Request, response: Response): Promise<URLSearchParams> => {
    await new Promise<void>((done, fail) =>
      read(request, response, (error?: unknown) => (error === undefined ? done() : fail(error))),
    );
    return new URLSearchParams(type === FORM && typeof request.body === 'string' ? request.body : '');
  };
}

function readLtiContext({ pictures }: LtiFaceDeps, languages: Languages, request: Request, response: Response) {
  const locale = chooseLocale(undefined, request.get('accept-language'));
  return {
    request,
    params: request.params as Record<string, string>,
    query: readStrictQuery(request),
    locale,
    t: languages.translatorOf(locale),
    pictures,
    signal: createAbortSignal(response),
  };
}

type Stage = LaunchAudience | 'answered';

/** The stages of a launch at which a route may be called. */
const stages: Readonly<Record<LaunchAccess, readonly Stage[]>> = {
  'resource-link': ['resource-link'],
  instructor: ['resource-link'],
  picker: ['deep-linking', 'resource-link'],
  choice: ['deep-linking', 'answered', 'resource-link'],
};

/** Gets a launch that may call a route. Errors: LAUNCH_INVALID; ROLE_INSUFFICIENT unless the person
 *  is an instructor; LTI_PLATFORM_UNKNOWN, LTI_REGISTRATION_INACTIVE, LTI_TENANT_DISABLED and
 *  LTI_DEPLOYMENT_UNKNOWN if the registration was changed since the launch. */
async function guardLtiLaunch(deps: LtiFaceDeps, access: LaunchAccess, token: string): Promise<Launch> {
  const launch = await getLtiLaunch(deps, token, stages[access]);
  const { role, isAdministrator, registrationId, deploymentId } = launch;
  try {
    const registration = await getRegistrationForLaunch(deps, registrationId);
    // Only a launch may add a deployment, not a later request.
    const closed = { ...registration, acceptsNewDeployments: false };
    if (!(await deps.registrations.admitDeployment(closed, deploymentId))) throw createDeploymentUnknownError(launch);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, data } = error;
    throw new AppError(code, message, { cause: error, data: { ...data, role, isAdministrator } });
  }
  if (access !== 'resource-link' && role !== 'instructor')
    throw new AppError('ROLE_INSUFFICIENT', 'Only people who teach in this course may do this. Ask one of them.');
  return launch;
}

/** Gets the launch of a token that is valid at one of the stages. Errors: LAUNCH_INVALID. */
async function getLtiLaunch({ launches }: LtiFaceDeps, token: string, allowed: readonly Stage[]): Promise<Launch> {
  let refusal: unknown;
  for (const stage of allowed) {
    try {
      return await (stage === 'answered' ? launches.getAnsweredLaunch(token) : launches.getLaunch(token, stage));
    } catch (error) {
      if (!hasErrorCode(error, 'LAUNCH_INVALID')) throw error;
      refusal = error;
    }
  }
  throw refusal;
}

function findLtiToken(request: Request, query: URLSearchParams): string | null {
  const [, bearer] = /^Bearer (\S+)$/i.exec(request.get('authorization') ?? '') ?? [];
  return bearer ?? query.get('launch');
}

interface ErrorData {
  readonly role?: string;
  readonly isAdministrator?: boolean;
  readonly facts?: Readonly<Record<string, string>>;
  /** Values of the registration, which only administrators of the platform may see. */
  readonly innerFacts?: Readonly<Record<string, string>>;
}

/** Answers errors with JSON to scripts and to programs of platforms, with a page to browsers. */
function createLtiErrorPages(languages: Languages): ErrorRequestHandler {
  return answerErrorsBy(({ error, message, reference }, request, response) => {
    const { code, problems, data } = error;
    // The log has the facts, as people who ask about an error may have only its reference.
    const facts = { ...(data.facts as object), ...(data.innerFacts as object) };
    request.log?.info({ reference, code, problems, facts }, 'request of the LTI tool refused');
    if (request.get('authorization') !== undefined || request.is('application/json')) {
      response.json({ code, message, reference });
      return;
    }
    const locale = chooseLocale(response.locals.locale, request.get('accept-language'));
    setPageHeaders(response, { frameAncestors: anyFramer });
    const t = languages.translatorOf(locale);
    const script = chooseLtiScript(request, code);
    const model = { t, locale, code, reference, script, ...describeLtiError(error, t, languages.has) };
    response.type('html').send(views.render('lti/error', model));
  });
}

/** `lti/address` removes a token from the address; `lti/resume` restores it on reload. */
function chooseLtiScript({ method, originalUrl }: Request, code: ErrorCode): string | null {
  if (method !== 'GET') return null;
  const hasToken = /[?&]launch=/.test(originalUrl);
  if (code === 'LAUNCH_INVALID') return hasToken ? null : 'lti/resume';
  return hasToken ? 'lti/address' : null;
}

/** Describes an error in the words for the reader's role, or for both roles if it is unknown.
 *  `forAdministrators` says what to change, and where; null for readers who cannot change it. */
export function describeLtiError(error: AppError, t: Translate, has: Languages['has']) {
  const { role, isAdministrator = false, facts, innerFacts } = error.data as ErrorData;
  const common = {
    isAdministrator,
    facts: Object.entries({ ...facts, ...(isAdministrator && innerFacts) }).map(([name, value]) => ({
      name: t(`ltiErrors.facts.${name}`),
      value,
    })),
    problems: error.problems,
  };
  const codeKey = `ltiErrors.codes.${error.code}`;
  if (!has(`${codeKey}.title`)) {
    const kindKey = `ltiErrors.kinds.${error.kind}`;
    const words = [{ heading: null, text: t(`${kindKey}.text`) }];
    return { ...common, title: t(`${kindKey}.title`), words, forAdministrators: null };
  }
  return {
    ...common,
    title: t(`${codeKey}.title`),
    words: chooseLtiWords(role, codeKey, t),
    forAdministrators: role === 'learner' || !has(`${codeKey}.admin`) ? null : t(`${codeKey}.admin`),
  };
}

function chooseLtiWords(role: string | undefined, codeKey: string, t: Translate) {
  const [learner, instructor] = [t(`${codeKey}.learner`), t(`${codeKey}.instructor`)];
  if (learner === instructor || role === 'learner') return [{ heading: null, text: learner }];
  if (role === 'instructor') return [{ heading: null, text: instructor }];
  return [
    { heading: t('ltiErrors.forLearners'), text: learner },
    { heading: t('ltiErrors.forInstructors'), text: instructor },
  ];
}
