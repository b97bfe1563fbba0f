import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import express, { type ErrorRequestHandler, type Request, type Response, type Router } from 'express';
import { isInAdminScope } from '#domain/admin';
import { AppError, hasErrorCode } from '#errors';
import type { SignedIn } from '#services/tenants/admins/admin-sessions';
import { beginErrorAnswer } from '../app-errors.ts';
import { createCookies, readCookieLocale } from '../cookies.ts';
import { allowSlowBody } from '../slow-body.ts';
import { createStrictRouter, readStrictQuery } from '../strict-paths.ts';
import { views } from '../views.ts';
import { chooseLocale, readLanguages } from '../words/i18n.ts';
import { createAccessCookieValue, deriveCsrfToken, requireAccess, requireSameOriginForm } from './access.ts';
import type { AdminDeps, AdminFaceDeps } from './deps.ts';
import { describeFormError } from './forms/forms.ts';
import { createLayoutModel, readTenantSwitch } from './layout-model.ts';
import { createHealthCheckLimit } from './overview/situation.ts';
import { type AdminRoute, type CookieName, makeRedirect, type PageContext, type Reply } from './route.ts';
import { adminFaceRoutes } from './routes.ts';
import { readUpload } from './upload.ts';

const MAX_FORM = '64kb';

/** Creates the router for `/admin`. Each entry in the table of `routes.ts` says who may open it. */
export function createAdminFace(services: AdminFaceDeps): Router {
  const deps: AdminDeps = { ...services, languages: readLanguages(), limitHealthChecks: createHealthCheckLimit() };
  const router = createStrictRouter();
  router.use(express.text({ type: 'application/x-www-form-urlencoded', limit: MAX_FORM }));
  router.use((_request, response, next) => {
    response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'same-origin' });
    next();
  });
  for (const route of adminFaceRoutes) {
    router[route.method](route.path, async (request, response) => {
      const context = await readAdminContext(deps, request, response);
      await sendAdminReply(context, await answerAdminRoute(route, context), response);
    });
  }
  router.use(() => {
    throw new AppError('PATH_UNKNOWN', 'No admin page has this address.');
  });
  router.use(createAdminErrorPages(deps));
  return router;
}

async function answerAdminRoute(route: AdminRoute, context: PageContext): Promise<Reply> {
  const checkForm = (form = context.form) => {
    if (context.request.method === 'POST') requireSameOriginForm(context.request, form.get('csrf'), context.csrf);
  };
  if (await lacksSecondFactor(route, context)) return makeRedirect('/account/second-factor');
  if (route.access === 'anyone') {
    checkForm();
    return route.handle(context);
  }
  // Access comes first: the end of a session ends its forms, and only signing in helps.
  const signedIn = requireAccess(route, context);
  if (route.takesFile) {
    // A form of another type has been read already.
    if (!context.request.is('multipart/form-data')) checkForm();
    allowSlowBody(context.request);
    return route.handle({ ...signedIn, ...(await readUpload(context, checkForm)) });
  }
  checkForm();
  return route.handle(signedIn);
}

/** Paths that open without the second factor that a tenant requires. */
const beforeSecondFactor = /^\/(?:sign-|link\/|oidc\/|language$|account\/second-factor)/;

async function lacksSecondFactor({ path }: AdminRoute, { signedIn, tenants }: PageContext): Promise<boolean> {
  if (signedIn === null || beforeSecondFactor.test(path)) return false;
  const { hasPassword, recoveryCodes, tenants: scope } = signedIn.admin;
  return hasPassword && recoveryCodes === null && tenants.requiresSecondFactor(scope);
}

/** Reads what a handler needs. A browser without a session gets a cookie for its forms. */
async function readAdminContext(deps: AdminDeps, request: Request, response: Response): Promise<PageContext> {
  const { sessions, languages, publicUrl } = deps;
  const cookies = createCookies<CookieName>(publicUrl);
  const token = cookies.read(request, 'session');
  const signedIn = token === undefined ? null : await sessions.findSession(token);
  let secret = signedIn === null ? cookies.read(request, 'form') : token;
  if (secret === undefined) {
    secret = createAccessCookieValue();
    cookies.change(response, { name: 'form', value: secret });
  }
  const locale = readCookieLocale(request, cookies);
  const params = request.params as Record<string, string>;
  return {
    ...deps,
    request,
    params,
    param: (name) => getAdminRouteParam(params, name),
    query: await readAdminQuery(deps, request, { signedIn, chosen: cookies.read(request, 'tenant') }),
    form: new URLSearchParams(typeof request.body === 'string' ? request.body : ''),
    signedIn,
    locale,
    t: languages.translatorOf(locale),
    csrf: deriveCsrfToken(secret),
    cookie: (name) => cookies.read(request, name),
    caller: {
      // IPv4 in its usual form, even where the socket serves both versions.
      address: request.ip?.replace(/^::ffff:(?=\d+\.)/i, '') ?? null,
      userAgent: request.get('user-agent')?.slice(0, 200) ?? null,
      browser: cookies.read(request, 'browser') ?? null,
    },
  };
}

/** Reads the query, with the tenant that was chosen for all pages if the address names none. */
async function readAdminQuery(
  { tenants }: AdminDeps,
  request: Request,
  { signedIn, chosen }: { readonly signedIn: SignedIn | null; readonly chosen: string | undefined },
): Promise<URLSearchParams> {
  const query = readStrictQuery(request);
  if (signedIn === null || chosen === undefined || request.method !== 'GET' || query.has('tenant')) return query;
  if (isInAdminScope(signedIn.admin.tenants, chosen) && (await tenants.findTenant(chosen)) !== null)
    query.set('tenant', chosen);
  return query;
}

function getAdminRouteParam(params: Readonly<Record<string, string>>, name: string): string {
  const value = params[name];
  if (value === undefined) throw new AppError('INTERNAL', `The path of this route has no ":${name}".`);
  return value;
}

async function sendAdminReply(context: PageContext, reply: Reply, response: Response): Promise<void> {
  const cookies = createCookies<CookieName>(context.publicUrl);
  if ('cookies' in reply) for (const change of reply.cookies ?? []) cookies.change(response, change);
  switch (reply.kind) {
    case 'redirect':
      return response.redirect(303, reply.to);
    case 'json':
      return void response.json(reply.body);
    case 'download':
      response.attachment(reply.name).type(reply.type);
      return pipeline(Readable.from(reply.lines), response);
    case 'page': {
      const model = { ...createLayoutModel(context, await readTenantSwitch(context)), ...reply.model };
      if (reply.retryAfterSeconds !== undefined) response.set('Retry-After', `${reply.retryAfterSeconds}`);
      response
        .status(reply.status ?? 200)
        .type('html')
        .send(views.render(`admin/${reply.view}`, model));
    }
  }
}

/** Writes the query that leads from the sign-in page back to this page, or to that of this form. */
function writeNextQuery(request: Request): string {
  let page = request.originalUrl;
  if (request.method !== 'GET') {
    const referrer = request.get('referer') ?? '';
    if (!URL.canParse(referrer)) return '';
    page = new URL(referrer).pathname;
  }
  return `?next=${encodeURIComponent(page)}`;
}

/** Leads people without a session to the sign-in page and back; other errors become a page. */
function createAdminErrorPages(deps: AdminDeps): ErrorRequestHandler {
  const { languages } = deps;
  return async (thrown, request, response, next) => {
    if (response.headersSent) return next(thrown);
    if (hasErrorCode(thrown, 'SIGN_IN_REQUIRED'))
      return response.redirect(303, `/admin/sign-in${writeNextQuery(request)}`);
    const { error, message, reference } = beginErrorAnswer(thrown, request, response);
    const context = await readAdminContext(deps, request, response).catch(() => null);
    const locale = chooseLocale(context?.locale, request.get('accept-language'));
    const t = languages.translatorOf(locale);
    const isPublic = message === error.message;
    const model = {
      ...(context === null ? { t, locale, nav: [], signedIn: null } : createLayoutModel(context)),
      title: t(`errors.titles.${error.kind}`),
      message: isPublic ? describeFormError(error, { t, languages }) : t(`errors.${error.kind}`),
      reference,
    };
    response.type('html').send(views.render('admin/error', model));
  };
}
