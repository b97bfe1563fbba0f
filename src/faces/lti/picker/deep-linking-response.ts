import { randomUUID } from 'node:crypto';
import { importPKCS8, SignJWT } from 'jose';
import type { DeepLinkingSettings, Launch } from '#domain/lti/launch';
import type { SigningKey } from '#services/courses/lti-registrations/signing-keys';
import type { ContentItem } from './deep-linking-items.ts';

/** A deep-linking response: the answer to a deep-linking request, once.
 *  1. The picker posts what was chosen to us.
 *  2. We sign it as a JWT, towards the platform that asked (`aud` is its issuer, `iss` our client id there).
 *  3. A page of ours posts the JWT to the return address of the request, in the frame or window the picker was in.
 *  4. The platform makes links of the items. An empty list is how somebody cancels.
 *  Source: https://www.imsglobal.org/spec/lti-dl/v2p0#deep-linking-response-message */
export interface DeepLinkingResponse {
  readonly launch: Launch;
  readonly settings: DeepLinkingSettings;
  readonly items: readonly ContentItem[];
  /** For people, where the platform shows it; null for nothing to say. */
  readonly message: string | null;
}

const LTI = 'https://purl.imsglobal.org/spec/lti/claim';

const DEEP_LINKING = 'https://purl.imsglobal.org/spec/lti-dl/claim';

/** Clocks differ, and platforms refuse what was signed in the future of theirs. */
const BACK_SECONDS = 30;

/** Some platforms send people through a sign-in before they read it. */
const TTL_SECONDS = 300;

export async function signDeepLinkingResponse(
  { launch, settings, items, message }: DeepLinkingResponse,
  { keyId, privateKey }: SigningKey,
  now: Date,
): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1_000);
  const claims = {
    nonce: randomUUID(),
    [`${LTI}/deployment_id`]: launch.deploymentId,
    [`${LTI}/message_type`]: 'LtiDeepLinkingResponse',
    [`${LTI}/version`]: '1.3.0',
    [`${DEEP_LINKING}/content_items`]: items,
    ...(settings.data !== null && { [`${DEEP_LINKING}/data`]: settings.data }),
    ...(message !== null && { [`${DEEP_LINKING}/msg`]: message }),
  };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: keyId })
    .setIssuer(launch.clientId)
    .setAudience(launch.issuer)
    .setIssuedAt(seconds - BACK_SECONDS)
    .setExpirationTime(seconds + TTL_SECONDS)
    .setJti(randomUUID())
    .sign(await importPKCS8(privateKey, 'RS256'));
}
