import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CopyNotice } from '../../../../demo/platform/notices.ts';
import { claim } from '../../../../demo/platform/vocabulary.ts';
import { bareObject } from '../../../fakes/learning-service.ts';
import { makeLaunch } from '../../../services/courses/launch-samples.ts';
import { type RunningProtocol, startProtocol } from './start-protocol.ts';

let running: RunningProtocol;

beforeEach(async () => {
  running = await startProtocol({ mode: 'canvas', hasSharedIssuer: false });
});

afterEach(() => running.close());

const handlersAsked = () => running.platform.requests.filter(({ path }) => path.startsWith('/notice-handlers'));

/** A launch names the service; the tool then says where it wants notices. */
async function subscribe(): Promise<void> {
  await running.platform.launch();
  await expect.poll(() => handlersAsked().map(({ method }) => method)).toEqual(['GET', 'PUT', 'PUT']);
  await expect.poll(() => tell({ originIds: [] })).toBe(200);
}

type Told = Partial<CopyNotice> & Pick<CopyNotice, 'originIds'>;

/** @returns the HTTP status that they are answered with */
const tell = (...notices: readonly Told[]) =>
  running.platform.sendCopies(
    notices.map((notice) => ({ clientId: running.tool.clientId, courseId: 'course-2', ...notice })),
  );

const titled = (title: string) => ({
  object: { ...bareObject, url: `https://example.org/${title}` },
  requestId: null,
  title,
  completion: 'marked' as const,
  points: null,
});

/** What a link in a course shows that the platform says nothing of but its item. */
async function shown(contextId: string, linkId: string, placement: string): Promise<string | undefined> {
  const opened = await running.lti.deps.placements.openLink(launchOf(contextId, linkId, placement));
  return opened?.placement.title;
}

const launchOf = (contextId: string, linkId: string, placement: string) => ({
  ...makeLaunch(running.registration, { clock: running.lti.deps.clock }),
  deploymentId: running.tool.deploymentId,
  deepLinking: null,
  custom: { placement },
  context: { id: contextId, label: null, title: null },
  resourceLink: { id: linkId, title: 'Item', description: null },
});

test('subscribes once at a platform that offers notices', async () => {
  await subscribe();
  await running.platform.launch();
  const handlers = handlersAsked();
  expect(handlers.map(({ method }) => method)).toEqual(['GET', 'PUT', 'PUT']);
  expect(handlers.slice(1).map(({ body }) => JSON.parse(body))).toEqual(
    ['LtiContextCopyNotice', 'LtiHelloWorldNotice'].map((notice_type) => ({
      notice_type,
      handler: `${running.lti.url}/lti/notices`,
    })),
  );
  expect(running.platform.refusals).toEqual([]);
  expect(running.lti.services.problems).toEqual([]);
});

test('shows in a copied course the objects of the original at that time', async () => {
  await subscribe();
  const { placements } = running.lti.deps;
  const [item] = await placements.place(launchOf('course-1', '1', ''), [titled('a')]);
  const original = launchOf('course-1', '1', item!.id);
  await placements.replace(original, titled('b'));
  expect(await tell({ originIds: ['course-1'], noticeId: 'first' })).toBe(200);
  await placements.replace(original, titled('c'));
  // The same notice again changes nothing.
  expect(await tell({ originIds: ['course-1'], noticeId: 'first' })).toBe(200);
  expect(await shown('course-2', '2', item!.id)).toBe('b');
  expect(await shown('course-1', '1', item!.id)).toBe('c');
  const known = { tenantId: running.registration.tenantId, registrationId: running.registration.id };
  const { placements: stored } = running.lti.services.store;
  const links = await stored.listLinksOfCourses({
    ...known,
    contextIds: ['course-2'],
    chosenId: null,
    after: null,
    limit: 10,
  });
  expect(links.map(({ resourceLinkId }) => resourceLinkId).toSorted()).toEqual(['', '2']);
});

test('receives several notices of one request', async () => {
  await subscribe();
  const { placements } = running.lti.deps;
  const [item] = await placements.place(launchOf('course-1', '1', ''), [titled('a')]);
  await placements.replace(launchOf('course-1', '1', item!.id), titled('b'));
  const copies = ['course-2', 'course-1'].map((courseId) => ({ courseId, originIds: ['course-1'] }));
  expect(await tell(...copies)).toBe(200);
  expect(await shown('course-2', '2', item!.id)).toBe('b');
});

test('accepts a notice of an unknown type without any change', async () => {
  await subscribe();
  const notice = { id: 'n', timestamp: new Date().toISOString(), type: 'LtiUnheardOfNotice' };
  const claims = { [claim.notice]: notice, 'https://other.example/claim': { a: 1 } };
  expect(await tell({ originIds: ['course-1'], claims })).toBe(200);
});

test('refuses a notice with wrong claims', async () => {
  await subscribe();
  const now = Math.floor(Date.now() / 1_000);
  const wrong: readonly (readonly [what: string, status: number, claims: Record<string, unknown>])[] = [
    ['a notice of another issuer', 403, { iss: 'https://other.example' }],
    ['a notice for another tool', 403, { aud: 'another-tool' }],
    ['a notice for another party', 401, { azp: 'another-tool' }],
    ['a notice that has expired', 401, { iat: now - 130, exp: now - 61 }],
    ['a notice without an end', 400, { exp: undefined }],
    ['a notice made in the future', 401, { iat: now + 120, exp: now + 200 }],
    ['a notice of another version', 400, { [claim.version]: '1.1' }],
    ['a notice without a deployment', 400, { [claim.deploymentId]: undefined }],
    ['a notice of an unknown deployment', 403, { [claim.deploymentId]: '77' }],
    ['a notice without an id', 400, { [claim.notice]: { type: 'LtiContextCopyNotice' } }],
    ['a notice that says nothing', 400, { [claim.notice]: undefined }],
  ];
  for (const [what, status, claims] of wrong)
    expect([what, await tell({ originIds: ['course-1'], claims })]).toEqual([what, status]);
});

test('refuses a notice that no registered platform signed', async () => {
  await subscribe();
  const post = async (body: string, type = 'application/json') => {
    const request = { method: 'POST', headers: { 'content-type': type }, body };
    const response = await fetch(`${running.lti.url}/lti/notices`, request);
    return [response.status, ((await response.json().catch(() => ({}))) as { code?: string }).code];
  };
  const unsigned = (claims: object) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    return JSON.stringify({ notices: [{ jwt: `${part({ alg: 'none' })}.${part(claims)}.` }] });
  };
  expect(await post('{')).toEqual([400, 'BODY_MALFORMED']);
  expect(await post('{"notices":[{"jwt":"x"}]}')).toEqual([400, 'BODY_MALFORMED']);
  expect(await post(JSON.stringify({ notices: [] }), 'text/plain')).toEqual([400, undefined]);
  const { issuer } = running.platform;
  expect(await post(unsigned({ iss: issuer, aud: 'another' }))).toEqual([403, 'LTI_PLATFORM_UNKNOWN']);
  const [status, code] = await post(unsigned({ iss: issuer, aud: running.tool.clientId }));
  expect([status, code]).not.toEqual([200, undefined]);
  expect(await tell({ originIds: [] })).toBe(200);
  // Its keys were read a moment ago, and do not have this one.
  running.platform.rotateKeys();
  expect(await tell({ originIds: [] })).toBe(401);
});
