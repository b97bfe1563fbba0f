import { AppError } from '../../../errors.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { LtiPlatforms, PlatformScore } from '../../../ports/lti-platforms.ts';
import type { Outbound } from '../../../ports/outbound.ts';
import type { LtiRegistrationRecord } from '../../../ports/store/store.ts';
import type { LtiRegistrations } from '../../../services/lti-registrations/lti-registrations.ts';
import { getProductTraits } from '../products/products.ts';
import { createAccessTokens } from './access-tokens.ts';
import { checkKeys, checkToken } from './check.ts';
import { withHttp } from './http.ts';
import { GradeService, type LtijsDatabase, type LtijsPlatform, NamesAndRolesService } from './load.ts';
import { readMembers } from './members.ts';
import { type CallPart, createPlatformCall, toPlatformError } from './platform-calls.ts';
import { createRecentMembers } from './recent-members.ts';
import { createPlatform, NO_KEY } from './registered-platform.ts';
import { createStorePlugin } from './store-plugin.ts';

export interface LtiPlatformsDeps {
  readonly registrations: Pick<LtiRegistrations, 'signingKeyOf'>;
  readonly outbound: Outbound;
  readonly clock: Clock;
}

const SCORE = 'https://purl.imsglobal.org/spec/lti-ags/scope/score';
const MEMBERSHIPS = 'https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly';

/** One use of the services of a registration. */
interface Use {
  readonly registration: LtiRegistrationRecord;
  readonly part: Exclude<CallPart, 'token'>;
  readonly scope: string;
}

interface Tools {
  readonly platform: LtijsPlatform;
  readonly database: LtijsDatabase;
}

/** The port over the services of ltijs. */
export function createLtiPlatforms({ registrations, outbound, clock }: LtiPlatformsDeps): LtiPlatforms {
  const tokens = createAccessTokens(clock);
  const members = createRecentMembers();
  const callOf = (part: CallPart) => createPlatformCall(outbound, part);

  function toolsOf(registration: LtiRegistrationRecord): Tools {
    const database = createStorePlugin(registration, { registrations, tokens });
    const platform = createPlatform(registration, database);
    const ask = platform.platformAccessToken.bind(platform);
    platform.platformAccessToken = (scopes) =>
      tokens.once(registration, scopes, () =>
        withHttp(callOf('token'), () => ask(scopes)).catch((error: unknown) => {
          throw toPlatformError(error, 'token');
        }),
      );
    return { platform, database };
  }

  async function use<T>({ registration, part, scope }: Use, work: (tools: Tools) => Promise<T>): Promise<T> {
    const tools = toolsOf(registration);
    const attempt = () =>
      withHttp(callOf(part), () => work(tools)).catch((error: unknown) => {
        throw toPlatformError(error, part);
      });
    return attempt().catch((error: unknown) => {
      if (!isTokenRefused(error, part)) throw error;
      // The platform may have ended it before its time.
      tokens.drop(registration, scope);
      return attempt();
    });
  }

  return {
    submitScore: (registration, score) =>
      use({ registration, part: 'score', scope: SCORE }, async ({ platform, database }) => {
        const grades = new GradeService(async () => platform, NO_KEY, database);
        await grades.submitScore(launchOf(registration), score.lineItem, toScore(registration, score));
      }),
    listMembers: (registration, url, { signal } = {}) =>
      members.list({ registration, url, signal }, (untilLeft) =>
        use({ registration, part: 'members', scope: MEMBERSHIPS }, ({ platform, database }) => {
          const service = new NamesAndRolesService(async () => platform, NO_KEY, database);
          const launch = {
            ...launchOf(registration),
            platformContext: { namesRoles: { context_memberships_url: url } },
          };
          return readMembers(url, (page) => service.getMembers(launch, { pages: 1, url: page }), untilLeft);
        }),
      ),
    async check(registration) {
      const { platform } = toolsOf(registration);
      const getToken = (scope: string) => {
        tokens.drop(registration, scope);
        return platform.platformAccessToken(scope);
      };
      return [
        await checkKeys(outbound, registration),
        await checkToken(registration, [SCORE, MEMBERSHIPS], getToken),
      ];
    },
  };
}

function launchOf({ issuer, clientId }: LtiRegistrationRecord) {
  return { iss: issuer, clientId, platformContext: {} };
}

function isTokenRefused(error: unknown, part: CallPart): boolean {
  if (!(error instanceof AppError) || error.code !== 'PLATFORM_REFUSED') return false;
  return error.data.part === part && error.data.status === 401;
}

/** A score of Assignment and Grade Services 2.0 §3.4. */
function toScore({ product }: LtiRegistrationRecord, { userId, points, earnedAt }: PlatformScore): object {
  const score = {
    ...getProductTraits(product).scoreExtras,
    userId,
    scoreGiven: points,
    scoreMaximum: points,
    activityProgress: 'Completed',
    gradingProgress: 'FullyGraded',
  };
  // ltijs would write the present time over it, and a score that is sent again would be a newer one.
  const timestamp = { enumerable: true, get: () => earnedAt.toISOString(), set() {} };
  return Object.defineProperty(score, 'timestamp', timestamp);
}
