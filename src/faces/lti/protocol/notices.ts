import { decodeJwt } from 'jose';
import { z } from 'zod';
import { AppError } from '#errors';
import type { LtiRegistrationRecord } from '#ports/store/store';
import type { LtiFaceDeps } from '../deps.ts';
import type { LtiContext, LtiReply } from '../route.ts';
import { claimNames } from './claims.ts';
import { createPlatformUnknownError, getRegistrationForLaunch } from './launching-registration.ts';

/** Notices to subscribe to: those of copied courses, and those by which platforms test handlers. */
export const noticeTypes = ['LtiContextCopyNotice', 'LtiHelloWorldNotice'] as const;

const LTI = 'https://purl.imsglobal.org/spec/lti/claim';
const MAX_NOTICES = 100;
const id = z.string().min(1).max(500);

const noticeClaims = z.object({
  [claimNames.version]: z.literal('1.3.0'),
  [claimNames.deploymentId]: id,
  [`${LTI}/notice`]: z.object({ id, type: z.string() }),
  [claimNames.context]: z.object({ id }).nullish(),
  [`${LTI}/origin_contexts`]: z.array(id).max(100).nullish(),
});

/** Receives notices (Platform Notification Service 1.0), each verified like a launch before use. A
 *  platform may send one twice; some never repeat one that failed. Errors: BODY_MALFORMED; those of
 *  a launch. https://www.imsglobal.org/spec/lti-pns/v1p0/main/ */
export async function receiveNotices(deps: LtiFaceDeps, { request }: LtiContext): Promise<LtiReply> {
  try {
    for (const jwt of readNotices(request.body)) await receiveNotice(deps, jwt);
    return { kind: 'json', body: {} };
  } catch (error) {
    await deps.launches.countAttempt(request.ip ?? 'unknown');
    throw error;
  }
}

async function receiveNotice(deps: LtiFaceDeps, jwt: string): Promise<void> {
  const { registrations, placements, platforms } = deps;
  const { id: registrationId } = await findNoticeSender(deps, jwt);
  const registration = await getRegistrationForLaunch(deps, registrationId);
  const { data } = noticeClaims.safeParse(await platforms.verifyToken(registration, jwt));
  if (data === undefined) throw createNoticeError('A notice lacks something that every notice has.');
  const deploymentId = data[claimNames.deploymentId];
  if (!(await registrations.admitDeployment(registration, deploymentId)))
    throw new AppError('LTI_DEPLOYMENT_UNKNOWN', 'The notice is of a deployment that is not known here.');
  const { id: noticeId, type } = data[`${LTI}/notice`];
  const contextId = data[claimNames.context]?.id;
  const originIds = data[`${LTI}/origin_contexts`] ?? [];
  if (type !== 'LtiContextCopyNotice' || contextId === undefined) return;
  const { tenantId } = registration;
  await placements.copyCourse({ tenantId, registrationId, deploymentId, contextId, originIds, noticeId });
}

function readNotices(body: unknown): readonly string[] {
  const { notices }: { notices?: unknown } = parseNoticeObject(body);
  const list = Array.isArray(notices) && notices.length <= MAX_NOTICES ? notices : [null];
  return list.map((notice) => {
    if (typeof notice?.jwt === 'string') return notice.jwt;
    throw createNoticeError(`A list of at most ${MAX_NOTICES} signed notices is expected, as JSON.`);
  });
}

function parseNoticeObject(body: unknown): object {
  try {
    return Object(JSON.parse(String(body)));
  } catch {
    return {};
  }
}

/** The registration that a notice names; its keys verify it. Errors: LTI_PLATFORM_UNKNOWN. */
async function findNoticeSender({ registrations }: LtiFaceDeps, jwt: string): Promise<LtiRegistrationRecord> {
  const { iss = '', aud = '' } = decodeUnverifiedNotice(jwt);
  const clientIds = [aud].flat().slice(0, 10);
  for (const clientId of clientIds) {
    const registration = await registrations.findRegistrationOfClient(iss, clientId);
    if (registration !== null) return registration;
  }
  throw createPlatformUnknownError({ issuer: iss });
}

function decodeUnverifiedNotice(jwt: string) {
  try {
    return decodeJwt(jwt);
  } catch {
    throw createNoticeError('A notice is not a signed JWT.');
  }
}

const createNoticeError = (message: string) => new AppError('BODY_MALFORMED', message);
