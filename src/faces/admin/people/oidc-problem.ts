import { AppError, type ErrorCode } from '../../../errors.ts';
import { type PageContext, page, type Reply } from '../route.ts';

const statuses: Readonly<Partial<Record<ErrorCode, number>>> = {
  OIDC_FAILED: 401,
  SIGN_IN_FAILED: 403,
  OIDC_UNAVAILABLE: 503,
};

type Origin = Pick<PageContext, 'request'> & {
  /** Token of the one-time link that it was begun with. */
  readonly link: string | undefined;
};

/** A page that says what went wrong at the provider or with its account, and leads back to the beginning. Rethrows what is
 *  not about that. */
export function showOidcProblem(error: unknown, { request, link }: Origin): Reply {
  const status = error instanceof AppError ? statuses[error.code] : undefined;
  if (!(error instanceof AppError) || status === undefined) throw error;
  request.log?.warn({ err: error }, 'a sign-in with OpenID Connect failed');
  const reason = error.data.reason ?? error.code;
  const backTo = link === undefined ? '/admin/sign-in' : `/admin/link/${link}`;
  return page('oidc-problem', { reason, backTo }, { status });
}

/** What came back belongs to no sign-in of this browser. */
export function notBegunHere(): AppError {
  const message =
    'This sign-in was not begun in this browser, was used already, or took longer than 10 minutes. Begin again.';
  return new AppError('OIDC_FAILED', message, { data: { reason: 'NOT_BEGUN_HERE' } });
}
