import { decodeJwt } from 'jose';
import { z } from 'zod';
import { AppError } from '#errors';
import type { LtiFaceDeps } from '../deps.ts';
import type { LtiContext, LtiReply } from '../route.ts';
import { claimNames } from './claims.ts';
import type { VerifySigned } from './id-token.ts';
import { createPlatformUnknownError, getRegistrationForLaunch } from './launching-registration.ts';

/** The notices that we want: of copied courses, and the one by which platforms try a new
 *  handler. */
export const noticeTypes = ['LtiContextCopyNotice', 'LtiHelloWorldNotice'] as const;

const LTI = 'https://purl.imsglobal.org/spec/lti/claim';
const id = z.string().min(1).max(500);

const MOST_NOTICES = 100;

const noticeClaims = z.object({
  [claimNames.version]: z.literal('1.3.0'),
  [claimNames.deploymentId]: id,
  [`${LTI}/notice`]: z.object({ id, type: z.string() }),
  [claimNames.context]: z.object({ id }).nullish(),
  [`${LTI}/origin_contexts`]: z.array(id).max(100).nullish(),
});

/** Takes what a platform tells beside all launches (Platform Notification Service 1.0). Each notice
 *  is signed like a launch, and nothing of it is taken before that is verified. A platform may send
 *  one twice; some never repeat one that failed.
 *  Errors: BODY_MALFORMED; those of a launch. https://www.imsglobal.org/spec/lti-pns/v1p0/main/ */
export function createNotices(deps: LtiFaceDeps, verify: VerifySigned) {
  const { registrations, placements, launches } = deps;

  async function take(jwt: string): Promise<void> {
    const { id: registrationId } = await findSender(deps, jwt);
    const registration = await getRegistrationForLaunch(deps, registrationId);
    const { data } = noticeClaims.safeParse(await verify(jwt, registration));
    if (data === undefined) throw createNoticeError('A notice lacks something that every notice has.');
    const deploymentId = data[claimNames.deploymentId];
    if (!(await registrations.admitDeployment(registration, deploymentId)))
      throw new AppError('LTI_DEPLOYMENT_UNKNOWN', 'The notice is of a deployment that is not known here.');
    const { id: noticeId, type } = data[`${LTI}/notice`];
    const contextId = data[claimNames.context]?.id;
    const originIds = data[`${LTI}/origin_contexts`] ?? [];
    if (type !== 'LtiContextCopyNotice' || contextId === undefined) return;
    const { tenantId } = registration;
    await placements.copyCourse({
      ...{ tenantId, registrationId, deploymentId, contextId, originIds, noticeId },
    });
  }

  return async ({ request }: LtiContext): Promise<LtiReply> => {
    try {
      for (const jwt of readNotices(request.body)) await take(jwt);
      return { kind: 'json', body: {} };
    } catch (error) {
      await launches.countAttempt(request.ip ?? 'unknown');
      throw error;
    }
  };
}

/** Anybody may send this: what is too much is not looked at. */
function readNotices(body: unknown): readonly string[] {
  const { notices: sent }: { notices?: unknown } = readObject(body);
  const signed = Array.isArray(sent) && sent.length <= MOST_NOTICES ? sent : [null];
  return signed.map((notice) => {
    if (typeof notice?.jwt === 'string') return notice.jwt;
    throw createNoticeError(`A list of at most ${MOST_NOTICES} signed notices is expected, as JSON.`);
  });
}

function readObject(body: unknown): object {
  try {
    return Object(JSON.parse(String(body)));
  } catch {
    return {};
  }
}

/** By what the notice claims; its signature is verified with the keys of this one. Errors:
 *  LTI_PLATFORM_UNKNOWN. */
async function findSender({ registrations }: LtiFaceDeps, jwt: string) {
  const { iss = '', aud = '' } = readUnverified(jwt);
  const clientIds = [aud].flat().slice(0, 10);
  for (const clientId of clientIds) {
    const found = await registrations.findRegistrationOfClient(iss, clientId);
    if (found !== null) return found;
  }
  throw createPlatformUnknownError({ issuer: iss });
}

function readUnverified(jwt: string) {
  try {
    return decodeJwt(jwt);
  } catch {
    throw createNoticeError('A notice is not a signed JWT.');
  }
}

const createNoticeError = (message: string) => new AppError('BODY_MALFORMED', message);
