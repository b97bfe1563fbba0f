import { createLocalJWKSet, jwtVerify } from 'jose';
import { expect } from 'vitest';
import type { LearningObject } from '../../../../src/domain/learning-object.ts';
import type { DeepLinkingSettings, Launch } from '../../../../src/domain/lti/launch.ts';
import { DEFAULT_TENANT } from '../../../../src/domain/tenant.ts';
import { sealHandle } from '../../../../src/faces/object-view/handle.ts';
import { fullObject } from '../../../fakes/learning-service.ts';
import { textOf } from '../../admin/read-page.ts';
import type { RunningLti } from '../start-lti.ts';

/** Deep-linking settings that ask for nothing special. */
export const settings: DeepLinkingSettings = {
  returnUrl: 'https://lms.example.org/return?course=1',
  acceptTypes: ['ltiResourceLink'],
  acceptMultiple: true,
  targets: ['iframe', 'window'],
  acceptLineItem: true,
  autoCreate: false,
  title: null,
  text: null,
  data: null,
};

/** A launch of an instructor for a link that is in the course. */
export const linkLaunch = {
  deepLinking: null,
  resourceLink: { id: 'link-1', title: 'A link', description: null },
} as const satisfies Partial<Launch>;

/** An object as the page sends it. */
export function choiceOf(
  lti: RunningLti,
  object: LearningObject = fullObject,
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const handle = sealHandle(
    { object, requestId: 'request-1' },
    { keyring: lti.deps.keyring, tenantId: DEFAULT_TENANT },
  );
  return { handle, title: object.title, completion: 'marked', points: null, target: null, ...more };
}

/** Send the tray's form, as a browser does, without following redirects. */
export function choose(
  lti: RunningLti,
  launch: string,
  chosen: unknown,
  fields: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const json = typeof chosen === 'string' ? chosen : JSON.stringify(chosen);
  const body = new URLSearchParams({ launch, action: 'choose', chosen: json, ...fields });
  return fetch(`${lti.url}/lti/picker/choose`, { method: 'POST', body, redirect: 'manual' });
}

/** The response in a page that takes it to the platform, verified as the platform would. */
export async function readResponse(lti: RunningLti, answer: Response) {
  const html = await answer.text();
  expect(answer.status, textOf(html)).toBe(200);
  const [, jwt = ''] = /name="JWT" value="([^"]+)"/.exec(html) ?? [];
  const keys = await (await fetch(`${lti.url}/lti/keys`)).json();
  const { issuer, clientId } = lti.registration;
  const { payload, protectedHeader } = await jwtVerify(jwt, createLocalJWKSet(keys), {
    issuer: clientId,
    audience: issuer,
    currentDate: lti.deps.clock.now(),
  });
  const items = payload['https://purl.imsglobal.org/spec/lti-dl/claim/content_items'];
  return { html, payload, header: protectedHeader, items: items as Record<string, unknown>[] };
}

/** Choose what the host refuses, and see that nothing is kept of it. @returns what a script is told
 *  of it */
export async function expectRefused(lti: RunningLti, launch: string, chosen: unknown, status = 400): Promise<string> {
  const before = await countPlacements(lti);
  const answer = await fetch(`${lti.url}/lti/picker/choose`, {
    method: 'POST',
    body: new URLSearchParams({ chosen: typeof chosen === 'string' ? chosen : JSON.stringify(chosen) }),
    headers: { Authorization: `Bearer ${launch}` },
  });
  const { message } = await answer.json();
  expect(answer.status, message).toBe(status);
  expect(await countPlacements(lti)).toBe(before);
  return message;
}

export async function countPlacements({ registration, services }: RunningLti): Promise<number> {
  const { tenantId, id: registrationId } = registration;
  const course = { tenantId, registrationId, contextId: 'course-1' };
  return (await services.store.placements.listPlacementsOfContext(course, 100)).length;
}
