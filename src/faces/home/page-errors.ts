import type { ErrorRequestHandler, RequestHandler } from 'express';
import { AppError, isPassingError } from '#errors';
import { answerErrorsBy, type PublicError } from '../app-errors.ts';
import { createCookies, readCookieLocale } from '../cookies.ts';
import { views } from '../views.ts';
import type { Languages, Translate } from '../words/i18n.ts';
import type { HomeFaceDeps } from './deps.ts';

export const refuseUnknownPages: RequestHandler = () => {
  throw new AppError('PATH_UNKNOWN', 'No page has this address.');
};

/** Media types of addresses that are pages for people and data for programs. */
const mediaTypes = ['html', 'json', 'application/ld+json', 'text/turtle'];

/** Creates the last handler of the host, which explains every error on a page or in JSON. */
export function createHomeErrorPages(deps: Pick<HomeFaceDeps, 'publicUrl' | 'languages'>): ErrorRequestHandler {
  const { publicUrl, languages } = deps;
  const cookies = createCookies<'language'>(publicUrl);
  return answerErrorsBy((publicError, request, response) => {
    const { error, reference, message, statusCode } = publicError;
    response.vary('Accept');
    if ((request.accepts(mediaTypes) || 'html') !== 'html') {
      response.json({ statusCode, code: error.code, message, reference });
      return;
    }
    const locale = readCookieLocale(request, cookies);
    const t = languages.translatorOf(locale);
    const model = {
      t,
      locale,
      here: request.method === 'GET' ? request.originalUrl : '/',
      title: t(error.code === 'PLAN_CLOSED' ? 'home.planClosed' : `errors.titles.${error.kind}`),
      message: explainPageError(publicError, t, languages),
      reference,
      canRetry: request.method === 'GET' && isPassingError(error),
    };
    response.type('html').send(views.render('error', model));
  });
}

/** Explains an error in the reader's language if its code is translated, else with its message. */
function explainPageError({ error, message }: PublicError, t: Translate, { has }: Languages): string {
  const { code, kind, retryAfterSeconds: seconds } = error;
  if (has(`home.error.${code}`)) return t(`home.error.${code}`, { seconds, message });
  if (code.startsWith('UPSTREAM_')) return t('home.error.upstream');
  return message === error.message ? message : t(`errors.${kind}`);
}
