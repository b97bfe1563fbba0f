import type { Operation } from '#contract/index';
import { AppError } from '#errors';
import type { UpstreamCall, UpstreamConnection, UpstreamOutcome } from '#ports/upstream';
import { locateEndpoint } from './endpoints.ts';
import { hideKeys, toLine } from './explain.ts';
import { isUnknownPathAnswer } from './read-answer.ts';

/** A failed call as an administrator is shown it.
 *  @param hasKey whether a key was sent */
export function describeFailureOutcome(
  error: unknown,
  hasKey: boolean,
): Pick<UpstreamCall, 'outcome' | 'status' | 'detail'> {
  // Any other error is a mistake of ours; even that must not break the page.
  if (!(error instanceof AppError))
    return { outcome: 'unreachable', status: null, detail: 'The call failed unexpectedly.' };
  const { status, detail } = error.data;
  return {
    outcome: outcomeOf(error, hasKey),
    status: typeof status === 'number' ? status : null,
    detail: typeof detail === 'string' ? detail : toLine(error.message),
  };
}

function outcomeOf(error: AppError, hasKey: boolean): UpstreamOutcome {
  switch (error.code) {
    case 'UPSTREAM_ADDRESS_REFUSED':
      return 'address-refused';
    case 'UPSTREAM_UNREACHABLE':
      return 'unreachable';
    case 'UPSTREAM_TIMEOUT':
      return 'timed-out';
    case 'UPSTREAM_THROTTLED':
      return 'throttled';
    case 'UPSTREAM_KEY_REFUSED':
      return isKeyMissing(error, hasKey) ? 'key-missing' : 'key-refused';
    case 'UPSTREAM_FAILED':
      return outcomeOfStatus(error);
    case 'PROVIDER_UNKNOWN':
      return 'not-found';
    default:
      // The service calls a correct request wrong, or its answer does not follow the specification.
      return 'not-the-service';
  }
}

function outcomeOfStatus({ data }: AppError): UpstreamOutcome {
  const status = Number(data.status);
  const detail = typeof data.detail === 'string' ? data.detail : null;
  if (status >= 500) return 'server-error';
  const isNotFound =
    status === 404 || status === 405 || status === 410 || isUnknownPathAnswer({ status, detail });
  return isNotFound ? 'not-found' : 'not-the-service';
}

/** A key that was sent may still count as missing, if the service reads another header. */
function isKeyMissing({ data }: AppError, hasKey: boolean): boolean {
  if (data.upstreamCode !== undefined) return data.upstreamCode === 'KEY_MISSING';
  if (!hasKey) return data.status !== undefined;
  return (
    data.status === 401 &&
    /\b(?:missing|no) .{0,20}key\b|\bkey .{0,20}(?:missing|required)\b/i.test(String(data.detail))
  );
}

/** Where an operation of a connection is, without what must not be shown: user names, passwords, queries, keys. */
export function showOutcomeAddress(connection: UpstreamConnection, operation: Operation): string {
  try {
    const { origin, pathname } = locateEndpoint({ ...withoutKeys(connection) }, operation).url;
    return hideKeys(origin + pathname, connection);
  } catch {
    return operation.path;
  }
}

function withoutKeys({ url, marketplace }: UpstreamConnection): UpstreamConnection {
  return { url, ...(marketplace !== undefined && { marketplace: { url: marketplace.url } }) };
}
