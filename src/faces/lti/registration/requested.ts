import type { PlatformConfiguration } from './platform-configuration.ts';
import { toolScopes } from './tool-addresses.ts';
import { DEEP_LINKING, grantedScopes, sendsMessage } from './tool-registration.ts';

/** What is asked of a platform, as keys below `register.can` and `register.data`. */
export interface Requested {
  /** What people will be able to do. */
  readonly can: readonly ('choose' | 'open' | 'score' | 'members')[];
  /** What it does not offer, and what is missed by that. */
  readonly cannot: readonly ('choose' | 'score' | 'members')[];
  /** What it will tell us of people. */
  readonly data: readonly ('person' | 'role' | 'course' | 'members')[];
}

export function describeRequest(configuration: PlatformConfiguration): Requested {
  const granted = grantedScopes(configuration);
  const offered = {
    choose: sendsMessage(configuration, DEEP_LINKING),
    score: granted.includes(toolScopes.scores[0]),
    members: granted.includes(toolScopes.members[0]),
  };
  const names = ['choose', 'score', 'members'] as const;
  const [can, cannot] = [true, false].map((wanted) => names.filter((name) => offered[name] === wanted));
  return {
    can: ['open', ...can!],
    cannot: cannot!,
    data: ['person', 'role', 'course', ...(offered.members ? (['members'] as const) : [])],
  };
}
