import type { Operation } from '#contract/index';
import { type ErrorCode, errorKinds } from '#errors';
import { toHttpStatus } from '../http-status.ts';

/** What an operation may fail with, by what it has or does. */
const errorCodes = {
  parameters: ['PARAMETERS_INVALID'],
  body: ['PARAMETERS_INVALID', 'BODY_MALFORMED', 'BODY_TOO_LARGE', 'MEDIA_TYPE_UNSUPPORTED'],
  key: ['KEY_MISSING', 'KEY_UNKNOWN', 'KEY_SCOPE', 'TENANT_DISABLED', 'RATE_LIMITED'],
  search: ['PLACE_UNKNOWN', 'PROVIDER_UNKNOWN'],
  feedback: ['REQUEST_ID_INVALID'],
  upstream: [
    'RESPONSE_INVALID',
    'UPSTREAM_UNREACHABLE',
    'UPSTREAM_TIMEOUT',
    'UPSTREAM_KEY_REFUSED',
    'UPSTREAM_FAILED',
    'UPSTREAM_THROTTLED',
    'UPSTREAM_PAUSED',
    'UPSTREAM_BUSY',
    'UPSTREAM_ADDRESS_REFUSED',
  ],
  host: ['INTERNAL', 'SECRET_UNREADABLE', 'STORE_UNAVAILABLE', 'CATALOG_UNAVAILABLE'],
} as const satisfies Readonly<Record<string, readonly ErrorCode[]>>;

/** HTTP statuses of the errors that an operation may answer with. Feedback is kept before any upstream is asked. */
export function listErrorStatuses({ scope, parameters, body }: Operation): number[] {
  const codes: readonly ErrorCode[] = [
    ...(parameters ? errorCodes.parameters : []),
    ...(body ? errorCodes.body : []),
    ...(scope ? errorCodes.key : []),
    ...(scope === 'learning-objects' ? errorCodes.search : []),
    ...(scope === 'feedback' ? errorCodes.feedback : errorCodes.upstream),
    ...errorCodes.host,
  ];
  return [...new Set(codes.map((code) => toHttpStatus({ code, kind: errorKinds[code] })))];
}

export const errorDescriptions: Readonly<Record<number, string>> = {
  400: 'Parameters or body cannot be used; every problem is listed',
  401: 'No key was sent',
  403: 'The key is not known here, has ended, or may not do this',
  404: 'There is no such provider',
  413: 'The body is larger than 64 kB',
  415: 'The body is not JSON',
  429: 'Too many requests; Retry-After says when to try again',
  500: 'The host made a mistake',
  502: 'The service that is searched cannot be reached, failed, or answered in a form that cannot be read',
  503: 'The host, or the service that is searched, cannot answer for now; Retry-After says when to try again, where that is known',
  504: 'The service that is searched did not answer in time',
};
