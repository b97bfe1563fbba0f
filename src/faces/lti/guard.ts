import type { Request } from 'express';
import type { Launch } from '#domain/lti/launch';
import { AppError } from '#errors';
import type { LaunchAudience, Launches } from '#services/courses/launches/launches';
import type { LtiFaceDeps } from './deps.ts';
import {
  createLaunchingDeploymentError,
  getRegistrationForLaunch,
} from './protocol/launching-registration.ts';
import type { LtiRoute } from './route.ts';

type Guarded = Exclude<LtiRoute['access'], 'platform'>;

type GuardDeps = Pick<LtiFaceDeps, 'launches' | 'registrations' | 'tenants'>;

/** A launch of one kind, or one whose request has been answered. */
type Stage = LaunchAudience | 'answered';

const stages: Readonly<Record<Guarded, readonly Stage[]>> = {
  'deep-linking': ['deep-linking'],
  'resource-link': ['resource-link'],
  instructor: ['resource-link'],
  picker: ['deep-linking', 'resource-link'],
  choice: ['deep-linking', 'answered', 'resource-link'],
};

/** The launch whose token came with a request. Errors: LAUNCH_INVALID; ROLE_INSUFFICIENT where it takes an instructor;
 *  LTI_PLATFORM_UNKNOWN, LTI_REGISTRATION_INACTIVE, LTI_TENANT_DISABLED and LTI_DEPLOYMENT_UNKNOWN for what has ended since. */
export async function guardLaunch(deps: GuardDeps, access: Guarded, token: string): Promise<Launch> {
  const launch = await getLaunch(deps.launches, token, stages[access]);
  await requireStanding(deps, launch);
  if (access !== 'resource-link' && launch.role !== 'instructor')
    throw new AppError(
      'ROLE_INSUFFICIENT',
      'Only people who teach in this course may do this. Ask one of them.',
    );
  return launch;
}

/** A launch lasts for hours, but turning a platform off or removing a deployment takes effect at once. */
async function requireStanding(deps: GuardDeps, launch: Launch): Promise<void> {
  const { role, isAdministrator, registrationId, deploymentId } = launch;
  try {
    const registration = await getRegistrationForLaunch(deps, registrationId);
    // New deployments are admitted by launches only.
    const closed = { ...registration, acceptsNewDeployments: false };
    if (!(await deps.registrations.admitDeployment(closed, deploymentId)))
      throw createLaunchingDeploymentError(launch);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, data } = error;
    throw new AppError(code, message, { cause: error, data: { ...data, role, isAdministrator } });
  }
}

/** The launch of a token, at any of these stages. Errors: LAUNCH_INVALID. */
async function getLaunch(launches: Launches, token: string, allowed: readonly Stage[]): Promise<Launch> {
  let refusal: unknown;
  for (const stage of allowed) {
    try {
      if (stage === 'answered') return await launches.getAnsweredLaunch(token);
      return await launches.getLaunch(token, stage);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'LAUNCH_INVALID')) throw error;
      refusal = error;
    }
  }
  throw refusal;
}

/** The token of a request. Null where it has none, unless it is in the form. */
export function findGuardedToken(request: Request, query: URLSearchParams): string | null {
  const [, bearer] = /^Bearer (\S+)$/i.exec(request.get('authorization') ?? '') ?? [];
  return bearer ?? query.get('launch');
}
