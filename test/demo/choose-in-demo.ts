import { randomUUID } from 'node:crypto';
import { decodeJwt, importPKCS8, SignJWT } from 'jose';
import { claim } from '../../demo/platform/vocabulary.ts';
import type { RunningDemo } from './start-demo.ts';

/** Claims of the message that an address of the course leads to, as a browser would carry it. */
export async function readMessage(demo: RunningDemo, path: string): Promise<Record<string, unknown>> {
  const begun = await demo.get(path);
  const login = await fetch(begun.headers.get('location')!);
  const page = (await login.text()).replaceAll('&amp;', '&');
  const authorization = /"(http[^"]*\/demo\/lti\/authorize\?[^"]*)"/.exec(page)![1]!;
  const form = await (await fetch(authorization)).text();
  return decodeJwt(/name="id_token" value="([^"]*)"/.exec(form)![1]!);
}

/** Chooses content items in a part of the course, signed by the tool.
 *  @param query of whoever chooses */
export async function chooseInDemo(demo: RunningDemo, items: readonly object[], query = ''): Promise<Response> {
  const asked = await readMessage(demo, `/launch/choose/statistics${query}`);
  const settings = asked[claim.deepLinkingSettings] as { deep_link_return_url: string; data: string };
  const { ltiRegistrations } = demo.services;
  const registration = await ltiRegistrations.findRegistrationOfClient(demo.url, asked.aud as string);
  const { keyId, privateKey } = await ltiRegistrations.signingKeyOf(registration!);
  const jwt = await new SignJWT({
    nonce: randomUUID(),
    [claim.messageType]: 'LtiDeepLinkingResponse',
    [claim.version]: '1.3.0',
    [claim.deploymentId]: asked[claim.deploymentId],
    [claim.data]: settings.data,
    [claim.contentItems]: items,
  })
    .setProtectedHeader({ alg: 'RS256', kid: keyId })
    .setIssuer(asked.aud as string)
    .setAudience(asked.iss as string)
    .setIssuedAt()
    .setExpirationTime('5 minutes')
    .sign(await importPKCS8(privateKey, 'RS256'));
  return fetch(settings.deep_link_return_url, { method: 'POST', body: new URLSearchParams({ JWT: jwt }) });
}
