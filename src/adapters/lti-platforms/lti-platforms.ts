import type { Clock } from '#ports/clock';
import type { LtiPlatforms } from '#ports/lti-platforms';
import type { Outbound } from '#ports/outbound';
import { createAccessTokens, type SigningKeys } from './access-token.ts';
import { createAgs } from './ags.ts';
import { checkPlatform } from './check-platform.ts';
import { fetchConfiguration, registerTool } from './dynamic-registration.ts';
import { checkLaunchClaims } from './ltijs.ts';
import { createNoticeSubscriptions } from './notices.ts';
import { createNrps } from './nrps.ts';
import { createTokenVerification } from './verify-token.ts';

export interface LtiPlatformsDeps {
  readonly registrations: SigningKeys;
  readonly outbound: Outbound;
  readonly clock: Clock;
}

/** jose verifies what platforms sign; ltijs calls their services where it does that well. */
export function createLtiPlatforms(deps: LtiPlatformsDeps): LtiPlatforms {
  const tokens = createAccessTokens(deps);
  return {
    verifyToken: createTokenVerification(deps),
    checkLaunchClaims,
    ...createAgs(tokens),
    ...createNrps(tokens),
    ...createNoticeSubscriptions(tokens),
    fetchConfiguration: (url, token) => fetchConfiguration(deps.outbound, url, token),
    registerTool: (platform, tool) => registerTool(deps.outbound, platform, tool),
    check: (registration) => checkPlatform(tokens, registration),
  };
}
