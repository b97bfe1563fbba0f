import { LINE_ITEM_SCOPE, SCORE_SCOPE } from '#domain/lti/launch';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { LtiPlatforms, PlatformCheck, PlatformScore } from '#ports/lti-platforms';
import type { Outbound } from '#ports/outbound';
import type { LtiRegistrationRecord } from '#ports/store/store';
import type { LtiRegistrations } from '#services/courses/lti-registrations/lti-registrations';
import { createAccessTokens } from '../ltijs/access-tokens.ts';
import { withHttp } from '../ltijs/http.ts';
import { createLtijsServices, type LtijsServices } from '../ltijs/ltijs.ts';
import { createLtijsDatabase } from '../ltijs/ltijs-database.ts';
import { getProductTraits } from '../products/products.ts';
import { fetchKeySet } from '../protocol/key-set.ts';
import { createRecentLineItems, findOrMakeLineItem } from './line-items.ts';
import { readMembers } from './members.ts';
import { createRecentSubscriptions, setNoticeHandlers } from './notice-subscriptions.ts';
import { type CallPart, createPlatformCall, showPlatformText, toPlatformError } from './platform-calls.ts';
import { createRecentMembers } from './recent-members.ts';

export interface LtiPlatformsDeps {
  readonly registrations: Pick<LtiRegistrations, 'signingKeyOf'>;
  readonly outbound: Outbound;
  readonly clock: Clock;
}

const NOTICES = 'https://purl.imsglobal.org/spec/lti/scope/noticehandlers';
const MEMBERSHIPS = 'https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly';

/** One use of a service of a platform. */
interface Use {
  readonly registration: LtiRegistrationRecord;
  readonly part: Exclude<CallPart, 'token'>;
  readonly scope: string;
}

/** Implements the port with the services of ltijs. */
export function createLtiPlatforms({ registrations, outbound, clock }: LtiPlatformsDeps): LtiPlatforms {
  const tokens = createAccessTokens(clock);
  const members = createRecentMembers();
  const subscriptions = createRecentSubscriptions();
  const lineItems = createRecentLineItems();

  /** Does work whose calls are for one part; its errors become those of the port. */
  function call<T>(part: CallPart, work: () => Promise<T>): Promise<T> {
    return withHttp(createPlatformCall(outbound, part), work).catch((error: unknown) => {
      throw toPlatformError(error, part);
    });
  }

  function openServices(registration: LtiRegistrationRecord): LtijsServices {
    return createLtijsServices(registration, {
      database: createLtijsDatabase(registration, { registrations, tokens }),
      getToken: (scopes, ask) => tokens.once(registration, scopes, () => call('token', ask)),
    });
  }

  async function use<T>(
    { registration, part, scope }: Use,
    work: (services: LtijsServices) => Promise<T>,
  ): Promise<T> {
    const services = openServices(registration);
    const attempt = () => call(part, () => work(services));
    return attempt().catch((error: unknown) => {
      if (!isTokenRefused(error, part)) throw error;
      // The platform may have ended it before its time.
      tokens.drop(registration, scope);
      return attempt();
    });
  }

  return {
    submitScore: (registration, score) =>
      use({ registration, part: 'score', scope: SCORE_SCOPE }, (services) =>
        services.submitScore(score.lineItem, toScore(registration, score), score.earnedAt),
      ),
    provideLineItem: (registration, wanted) =>
      lineItems.once(registration, wanted, () =>
        use({ registration, part: 'line-item', scope: LINE_ITEM_SCOPE }, async (services) => {
          const { access_token: token } = await services.getToken(LINE_ITEM_SCOPE);
          return findOrMakeLineItem(createPlatformCall(outbound, 'line-item'), token, wanted);
        }),
      ),
    listMembers: (registration, url, { signal } = {}) =>
      members.list({ registration, url, signal }, (untilLeft) =>
        use({ registration, part: 'members', scope: MEMBERSHIPS }, (services) =>
          readMembers(url, services.getMembers, untilLeft),
        ),
      ),
    subscribeToNotices: (registration, wanted) =>
      subscriptions.once(registration, wanted, () =>
        use({ registration, part: 'notices', scope: NOTICES }, async (services) => {
          const { access_token: token } = await services.getToken(NOTICES);
          await setNoticeHandlers(createPlatformCall(outbound, 'notices'), token, wanted);
        }),
      ),
    async check(registration) {
      const services = openServices(registration);
      const getToken = (scope: string) => {
        tokens.drop(registration, scope);
        return services.getToken(scope);
      };
      return [
        await checkPlatformKeys(outbound, registration),
        await checkPlatformToken(registration, [SCORE_SCOPE, MEMBERSHIPS], getToken),
      ];
    },
  };
}

function isTokenRefused(error: unknown, part: CallPart): boolean {
  if (!(error instanceof AppError) || error.code !== 'PLATFORM_REFUSED') return false;
  return error.data.part === part && error.data.status === 401;
}

/** A score of Assignment and Grade Services 2.0 §3.4, without its time. */
function toScore({ product }: LtiRegistrationRecord, { userId, points }: PlatformScore): object {
  return {
    ...getProductTraits(product).scoreExtras,
    userId,
    scoreGiven: points,
    scoreMaximum: points,
    activityProgress: 'Completed',
    gradingProgress: 'FullyGraded',
  };
}

type Outcome = Pick<PlatformCheck, 'outcome' | 'detail'>;

const ok: Outcome = { outcome: 'ok', detail: null };

async function checkPlatformKeys(
  outbound: Outbound,
  { jwksUri }: LtiRegistrationRecord,
): Promise<PlatformCheck> {
  const result = await fetchKeySet(outbound, jwksUri).then((keys): Outcome => {
    if (keys.length > 0) return ok;
    return {
      outcome: 'wrong',
      detail: 'There is no RSA key of 2,048 bits or more for signatures with RS256.',
    };
  }, toOutcome);
  return { part: 'keys', url: jwksUri, ...result };
}

/** @param getToken asks for a token with a scope. One of the scopes is enough, as platforms refuse
 *  those that are turned off. */
async function checkPlatformToken(
  { tokenEndpoint }: LtiRegistrationRecord,
  scopes: readonly string[],
  getToken: (scope: string) => Promise<unknown>,
): Promise<PlatformCheck> {
  let result: Outcome = ok;
  for (const scope of scopes) {
    result = await getToken(scope).then(() => ok, toOutcome);
    if (result.outcome !== 'refused') break;
  }
  return { part: 'token', url: tokenEndpoint, ...result };
}

function toOutcome(error: unknown): Outcome {
  if (!(error instanceof AppError)) return { outcome: 'wrong', detail: showPlatformText(String(error)) };
  const { status = null, detail = error.message } = error.data as { status?: number | null; detail?: string };
  return {
    outcome: chooseOutcome(error, status),
    detail: showPlatformText(status === null ? detail : `HTTP ${status}: ${detail}`),
  };
}

function chooseOutcome({ code }: AppError, status: number | null): PlatformCheck['outcome'] {
  if (status === null) return code === 'SECRET_UNREADABLE' ? 'wrong' : 'unreachable';
  if (status === 401 || status === 403) return 'refused';
  return code === 'PLATFORM_REFUSED' || code === 'PLATFORM_THROTTLED' ? 'refused' : 'wrong';
}
