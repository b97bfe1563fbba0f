import type { ErrorRequestHandler, Request } from 'express';
import type { ErrorCode } from '../../../errors.ts';
import { isGivenUp } from '../../aborted-with.ts';
import { beginErrorAnswer } from '../../app-errors.ts';
import { setPageHeaders } from '../../page-headers.ts';
import { views } from '../../views.ts';
import { chooseLocale, type Languages } from '../../words/i18n.ts';
import { framedByAnyone } from '../framed-by.ts';
import { describeError } from './describe-error.ts';

/** Scripts of our pages get what went wrong as JSON; everyone else a page. */
export function createErrorPages(languages: Languages): ErrorRequestHandler {
  return (thrown, request, response, next) => {
    if (response.headersSent) return next(thrown);
    if (isGivenUp(thrown, response)) return;
    const { error, message, reference } = beginErrorAnswer(thrown, request, response);
    const { code, problems, data } = error;
    // Whoever shows a reference asks why, and a page tells that only to the one who saw it.
    const facts = { ...(data.facts as object), ...(data.innerFacts as object) };
    request.log?.info({ reference, code, problems, facts }, 'request of the LTI tool refused');
    if (request.get('authorization') !== undefined) {
      response.json({ code, message, reference });
      return;
    }
    const locale = chooseLocale(response.locals.locale, request.get('accept-language'));
    setPageHeaders(response, { frameAncestors: framedByAnyone });
    const words = describeError(error, languages.translatorOf(locale), languages.has);
    const scripts = scriptsOf(request, code);
    const model = { t: languages.translatorOf(locale), locale, code, reference, scripts, ...words };
    response.type('html').send(views.render('lti/error', model));
  };
}

/** A page of a launch that is loaded again without its token, which `lti-address` has taken out of its address, goes on with
 *  it. One that came with a living token loses it from the address here, too. */
function scriptsOf({ method, originalUrl }: Request, code: ErrorCode): readonly string[] {
  if (method !== 'GET') return [];
  const hasToken = /[?&]launch=/.test(originalUrl);
  if (code === 'LAUNCH_INVALID') return hasToken ? [] : ['lti-resume'];
  return hasToken ? ['lti-address'] : [];
}
