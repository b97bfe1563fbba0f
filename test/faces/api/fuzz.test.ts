import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningApp, startApp } from '../../helpers/app.ts';
import { propertyRuns } from '../../helpers/draw.ts';
import { type RawAnswer, sendRaw } from '../../helpers/send-raw.ts';
import { bodies, gets, headers, mediaTypes, posts, queries, visible } from './fuzz-arbitraries.ts';

let app: RunningApp;
let withKey: Record<string, string>;
beforeAll(async () => {
  app = await startApp();
  const key = await app.createKey();
  withKey = { 'x-api-key': key, 'x-marketplace-key': key };
});
afterAll(() => app.close());

/** No answer is a mistake of the host, and each one is JSON that says its own status. */
function expectJson({ status, text }: RawAnswer): void {
  expect(status).toBeLessThan(500);
  const body: unknown = JSON.parse(text);
  if (!Array.isArray(body)) expect(body).toHaveProperty('statusCode', status);
}

test.each(gets)('any query string to %s is answered', async (path) => {
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(queries, async (query) => {
      const answer = await sendRaw(app.url, { method: 'GET', path: `${path}?${query}`, headers: withKey });
      expectJson(answer);
      statuses.add(answer.status);
    }),
    propertyRuns(100),
  );
  expect(statuses).toContain(200);
});

test.each(posts)('any body to %s is answered', async (path) => {
  await fc.assert(
    fc.asyncProperty(bodies, mediaTypes, queries, async (body, type, query) => {
      const sent = { ...withKey, 'content-type': type, 'content-length': String(body.length) };
      expectJson(await sendRaw(app.url, { method: 'POST', path: `${path}?${query}`, headers: sent }, body));
    }),
    propertyRuns(150),
  );
});

test('any headers are answered', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...gets), headers, async (path, given) => {
      const wanted = { method: 'GET', path: `${path}?keywords=python`, headers: { ...withKey, ...given } };
      const { status } = await sendRaw(app.url, wanted);
      expect(status).toBeLessThan(500);
    }),
    propertyRuns(150),
  );
});

test('any path and method is answered', async () => {
  const prefixes = fc.constantFrom(
    '/domcomp/',
    '/learningobject/',
    '/marketplace/',
    '/learningobject/v2/type/',
    '/domcomp/v1/similar',
  );
  const methods = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS');
  await fc.assert(
    fc.asyncProperty(prefixes, visible, methods, async (prefix, rest, method) => {
      const answer = await sendRaw(app.url, { method, path: prefix + rest, headers: withKey });
      if (answer.text === '') expect(answer.status).toBeLessThan(500);
      else expectJson(answer);
    }),
    propertyRuns(200),
  );
});
