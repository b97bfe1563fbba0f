import type { ErrorRequestHandler, Request } from 'express';
import type { AppError, ErrorCode, Problem } from '#errors';
import { answerErrorsBy } from '../app-errors.ts';
import { setPageHeaders } from '../page-headers.ts';
import { views } from '../views.ts';
import { chooseLocale, type Languages, type Translate } from '../words/i18n.ts';
import { anyFramer } from './frame.ts';

interface ErrorTexts {
  readonly title: string;
  readonly words: readonly { readonly heading: string | null; readonly text: string }[];
  /** What to change, and where; null for readers who cannot change it. */
  readonly forAdministrators: string | null;
  readonly isAdministrator: boolean;
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly problems: readonly Problem[];
}

interface ErrorData {
  readonly role?: string;
  readonly isAdministrator?: boolean;
  readonly facts?: Readonly<Record<string, string>>;
  /** Values of the registration; for administrators of the platform only. */
  readonly innerFacts?: Readonly<Record<string, string>>;
}

/** Scripts of our pages and programs of platforms receive errors as JSON, browsers as a page. */
export function createErrorPages(languages: Languages): ErrorRequestHandler {
  return answerErrorsBy(({ error, message, reference }, request, response) => {
    const { code, problems, data } = error;
    // Logged, as people who ask about an error have its reference only.
    const facts = { ...(data.facts as object), ...(data.innerFacts as object) };
    request.log?.info({ reference, code, problems, facts }, 'request of the LTI tool refused');
    if (request.get('authorization') !== undefined || request.is('application/json')) {
      response.json({ code, message, reference });
      return;
    }
    const locale = chooseLocale(response.locals.locale, request.get('accept-language'));
    setPageHeaders(response, { frameAncestors: anyFramer });
    const t = languages.translatorOf(locale);
    const script = chooseScript(request, code);
    const model = { t, locale, code, reference, script, ...describeError(error, t, languages.has) };
    response.type('html').send(views.render('lti/error', model));
  });
}

/** `lti/address` removes a token from the address; `lti/resume` restores it on reload. */
function chooseScript({ method, originalUrl }: Request, code: ErrorCode): string | null {
  if (method !== 'GET') return null;
  const hasToken = /[?&]launch=/.test(originalUrl);
  if (code === 'LAUNCH_INVALID') return hasToken ? null : 'lti/resume';
  return hasToken ? 'lti/address' : null;
}

export function describeError(error: AppError, t: Translate, has: Languages['has']): ErrorTexts {
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
    words: chooseWords(role, codeKey, t),
    forAdministrators: role === 'learner' || !has(`${codeKey}.admin`) ? null : t(`${codeKey}.admin`),
  };
}

function chooseWords(role: string | undefined, codeKey: string, t: Translate): ErrorTexts['words'] {
  const [learner, instructor] = [t(`${codeKey}.learner`), t(`${codeKey}.instructor`)];
  if (learner === instructor || role === 'learner') return [{ heading: null, text: learner }];
  if (role === 'instructor') return [{ heading: null, text: instructor }];
  return [
    { heading: t('ltiErrors.forLearners'), text: learner },
    { heading: t('ltiErrors.forInstructors'), text: instructor },
  ];
}
