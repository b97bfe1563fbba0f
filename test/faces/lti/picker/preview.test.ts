import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LearningObject } from '../../../../src/domain/learning-object.ts';
import { DEFAULT_TENANT } from '../../../../src/domain/tenant.ts';
import { sealHandle } from '../../../../src/faces/object-view/handle.ts';
import { bareObject, fullObject } from '../../../fakes/learning-service.ts';
import { type RunningLti, startLti } from '../start-lti.ts';

let lti: RunningLti;

beforeEach(async () => {
  lti = await startLti();
});
afterEach(() => lti.close());

async function preview(handle: string, locale = 'en'): Promise<Response> {
  const launch = await lti.launchToken({ locale });
  const body = new URLSearchParams({ handle });
  const headers = { authorization: `Bearer ${launch}` };
  return fetch(`${lti.url}/lti/picker/preview`, { method: 'POST', headers, body });
}

const handleOf = (object: LearningObject, tenantId = DEFAULT_TENANT) =>
  sealHandle({ object, requestId: 'request-1' }, { keyring: lti.deps.keyring, tenantId });

test('shows all details and a link', async () => {
  const html = await (await preview(handleOf(fullObject))).text();
  for (const known of ['Python for everybody', 'YouTube', 'An introduction.', 'Career profile', '1 h 30 min', 'Lyon'])
    expect(html).toContain(known);
  expect(html).toMatch(
    /<a class="button" href="https:\/\/example\.org\/python" target="_blank" rel="noopener noreferrer"/,
  );
  expect(html).toContain('Open on example.org');
  expect(html).not.toContain('<iframe');
});

test('embeds what may be framed, in the most private player', async () => {
  const object = { ...fullObject, url: 'https://www.youtube.com/watch?v=BSaF8KxnoLY' };
  const html = await (await preview(handleOf(object))).text();
  expect(html).toMatch(
    /<iframe src="https:\/\/www\.youtube-nocookie\.com\/embed\/BSaF8KxnoLY\?rel=0"[^>]*sandbox="[^"]*allow-popups-to-escape-sandbox/,
  );
  expect(html).not.toContain('allowfullscreen');
  expect(html).toContain('Open on youtube.com');
});

test('embeds an object that the catalogue marks as embeddable only from known sites', async () => {
  const embed = 'https://www.youtube.com/embed/BSaF8KxnoLY?autoplay=1';
  const known = await (await preview(handleOf({ ...fullObject, embed }))).text();
  expect(known).toContain('<iframe src="https://www.youtube-nocookie.com/embed/BSaF8KxnoLY?rel=0"');
  expect(known).toContain('Open on example.org');
  const other = await (await preview(handleOf({ ...fullObject, embed: 'https://evil.example/frame' }))).text();
  expect(other).not.toContain('<iframe');
  expect(other).toContain('example.org opens in a new tab.');
});

test('lists similar objects that can be previewed', async () => {
  const launch = await lti.launchToken({ locale: 'en' });
  const like = async (handle: string) => {
    const headers = { authorization: `Bearer ${launch}` };
    const body = new URLSearchParams({ handle });
    return (await fetch(`${lti.url}/lti/picker/preview/like`, { method: 'POST', headers, body })).text();
  };
  const html = await like(handleOf(fullObject));
  expect(html).toContain('data-preview');
  expect(html).toContain('Bare');
  expect(html).not.toContain('Python for everybody');
  expect((await preview(/data-handle="([^"]+)"/.exec(html)![1]!)).status).toBe(200);
  expect(await like(handleOf(fullObject, 'paris'))).toContain('No other resource teaches the same skills.');
});

test('is in French for a French launch', async () => {
  const html = await (await preview(handleOf(fullObject), 'fr')).text();
  expect(html).toContain('Ouvrir sur example.org');
  expect(html).toContain('Objectifs d’apprentissage (Bloom)');
});

test('gives a handle that opens another preview', async () => {
  const html = await (await preview(handleOf(bareObject))).text();
  const again = /data-handle="([^"]+)"/.exec(html)![1]!;
  expect((await preview(again)).status).toBe(200);
});

test.each([
  ['none', () => ''],
  ['one of another tenant', () => handleOf(fullObject, 'paris')],
  ['one that was made up', () => 'v1.00000000.AAAA'],
  ['one that is too long', () => 'x'.repeat(100_001)],
])('shows a message for %s', async (_, handle) => {
  const html = await (await preview(handle())).text();
  expect(html).toMatch(/class="problem"[^>]*>This resource comes from an earlier search/);
  expect(html).not.toContain('data-handle');
});
