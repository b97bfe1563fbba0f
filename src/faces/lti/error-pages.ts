import type { ErrorRequestHandler, Request } from 'express';
import type { AppError, ErrorCode, Problem } from '#errors';
import { isGivenUp } from '../aborted-with.ts';
import { beginErrorAnswer } from '../app-errors.ts';
import { setPageHeaders } from '../page-headers.ts';
import { views } from '../views.ts';
import { chooseLocale, type Languages, type Translate } from '../words/i18n.ts';
import { anyFramer } from './frame.ts';

/** What a page says about an error. */
interface ErrorWords {
  readonly title: string;
  /** With headings where we do not know who reads them. */
  readonly words: readonly { readonly heading: string | null; readonly text: string }[];
  /** What to change and where; null for readers who cannot change it. */
  readonly forAdministrators: string | null;
  readonly isAdministrator: boolean;
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly problems: readonly Problem[];
}

/** What the LTI tool adds to an error for its page. */
interface ErrorData {
  readonly role?: string;
  readonly isAdministrator?: boolean;
  /** What the platform or the browser sent. */
  readonly facts?: Readonly<Record<string, string>>;
  /** What we know of the platform; for its administrators only. */
  readonly innerFacts?: Readonly<Record<string, string>>;
}

/** Scripts of our pages and programs of platforms get errors as JSON, everybody else as a page. */
export function createErrorPages(languages: Languages): ErrorRequestHandler {
  return (thrown, request, response, next) => {
    if (response.headersSent) return next(thrown);
    if (isGivenUp(thrown, response)) return;
    const { error, message, reference } = beginErrorAnswer(thrown, request, response);
    const { code, problems, data } = error;
    // Also logged: people ask about it with only a reference in hand.
    const facts = { ...(data.facts as object), ...(data.innerFacts as object) };
    request.log?.info({ reference, code, problems, facts }, 'request of the LTI tool refused');
    if (request.get('authorization') !== undefined || request.is('application/json')) {
      response.json({ code, message, reference });
      return;
    }
    const locale = chooseLocale(response.locals.locale, request.get('accept-language'));
    setPageHeaders(response, { frameAncestors: anyFramer });
    const words = describeError(error, languages.translatorOf(locale), languages.has);
    const script = chooseScript(request, code);
    const model = { t: languages.translatorOf(locale), locale, code, reference, script, ...words };
    response.type('html').send(views.render('lti/error', model));
  };
}

/** A page of a launch that is loaded again without its token, which the script `lti/address` took
 *  out of the address, gets it back by `lti/resume`. A living token is taken out of the address of
 *  an error page, too. */
function chooseScript({ method, originalUrl }: Request, code: ErrorCode): string | null {
  if (method !== 'GET') return null;
  const hasToken = /[?&]launch=/.test(originalUrl);
  if (code === 'LAUNCH_INVALID') return hasToken ? null : 'lti/resume';
  return hasToken ? 'lti/address' : null;
}

/** Describes an error in the words of its code, for learners or teachers, or else in those of its
 *  kind. */
export function describeError(error: AppError, t: Translate, has: Languages['has']): ErrorWords {
  const { role, isAdministrator = false, facts, innerFacts } = error.data as ErrorData;
  const common = {
    isAdministrator,
    facts: Object.entries({ ...facts, ...(isAdministrator && innerFacts) }).map(([name, value]) => ({
      name: t(`ltiErrors.facts.${name}`),
      value,
    })),
    problems: error.problems,
  };
  const ofCode = `ltiErrors.codes.${error.code}`;
  if (!has(`${ofCode}.title`)) {
    const ofKind = `ltiErrors.kinds.${error.kind}`;
    const words = [{ heading: null, text: t(`${ofKind}.text`) }];
    return { ...common, title: t(`${ofKind}.title`), words, forAdministrators: null };
  }
  return {
    ...common,
    title: t(`${ofCode}.title`),
    words: chooseWords(role, ofCode, t),
    forAdministrators: role === 'learner' ? null : t(`${ofCode}.admin`),
  };
}

function chooseWords(role: string | undefined, ofCode: string, t: Translate): ErrorWords['words'] {
  const [learner, instructor] = [t(`${ofCode}.learner`), t(`${ofCode}.instructor`)];
  if (learner === instructor || role === 'learner') return [{ heading: null, text: learner }];
  if (role === 'instructor') return [{ heading: null, text: instructor }];
  return [
    { heading: t('ltiErrors.forLearners'), text: learner },
    { heading: t('ltiErrors.forInstructors'), text: instructor },
  ];
}
