import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError, type ErrorCode, errorKinds } from '../../../src/errors.ts';
import { type Endpoint, endpoints } from '../../../src/faces/api/endpoints.ts';
import { type HandlerService, KNOWN_REQUEST_ID } from '../../fakes/learning-service.ts';
import { anyApiKey, tester } from '../../helpers/open-services.ts';
import { type Api, startApi } from './start-api.ts';

type Responses = Readonly<Record<string, unknown>>;
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>>;
}

/** Whatever a service that is searched, or the way to it, can fail with. */
const serviceCodes = (Object.keys(errorKinds) as ErrorCode[]).filter(
  (code) => code.startsWith('UPSTREAM_') || ['RESPONSE_INVALID', 'SECRET_UNREADABLE', 'INTERNAL'].includes(code),
);

let api: Api;
let document: Document;
/** What the service fails with now. */
let failing: ErrorCode | null = null;
let usedUp: string;
let narrow: string;
beforeAll(async () => {
  api = await startApi();
  document = (await (await fetch(`${api.url}/openapi.json`)).json()) as Document;
  for (const [name, answer] of Object.entries(api.learning) as [keyof HandlerService, unknown][])
    if (name !== 'ask' && typeof answer === 'function')
      Object.assign(api.learning, {
        [name]: async (...given: unknown[]) => {
          if (failing !== null) throw new AppError(failing, 'what happened');
          return answer(...given);
        },
      });
  const { apiKeys } = api.services;
  usedUp = (await apiKeys.createApiKey(tester, { ...anyApiKey, perDay: 1 })).key;
  await api.get('/domcomp/v1/suggest?keywords=a', withKey(usedUp));
  narrow = (await apiKeys.createApiKey(tester, { ...anyApiKey, scopes: [] })).key;
});
afterAll(() => api.close());

const withKey = (key: string) => ({ 'x-api-key': key, 'x-marketplace-key': key });

const feedback = {
  url: 'https://example.org/python',
  request_id: KNOWN_REQUEST_ID,
  email: 'ada@example.org',
  source: 'https://school.example.org',
};
const bodies: Readonly<Record<string, object>> = { tagger: { text: 'We teach Python' }, feedback };

const ask = ({ path, name, operation }: Endpoint, headers: Record<string, string> = {}) =>
  operation.method === 'POST'
    ? api.post(path, bodies[name], headers)
    : api.get(`${path}${operation.parameters ? '?keywords=python' : ''}`, headers);

/** Every way in which requests of this operation fail. */
async function* failAll(endpoint: Endpoint): AsyncGenerator<Response> {
  const { path, operation } = endpoint;
  // Feedback is judged by our own engine or kept; no upstream is asked before it is answered.
  for (const code of operation.scope === 'feedback' ? (['INTERNAL'] as const) : serviceCodes) {
    failing = code;
    yield await ask(endpoint);
  }
  failing = null;
  if (operation.scope !== undefined)
    for (const key of ['', 'nobody', narrow, usedUp]) yield await ask(endpoint, withKey(key));
  if (operation.parameters !== undefined) yield await api.get(`${path}?max=x`);
  if (operation.scope === 'learning-objects') yield await api.get(`${path}?keywords=a&provider=nobody`);
  if (operation.body === undefined) return;
  yield await api.post(path, '{');
  yield await api.post(path, {});
  yield await api.post(path, { text: 'a'.repeat(70_000) });
  yield await api.post(path, 'text=a', { 'content-type': 'text/plain' });
}

function documentedErrors({ path, operation }: Endpoint): string[] {
  const { responses } = document.paths[path]![operation.method.toLowerCase()]!;
  return Object.keys(responses).filter((status) => status !== '200');
}

describe('the errors that the document names are those that come', () => {
  test.each(endpoints)('$path', async (endpoint) => {
    // 503 of the store, see below.
    const seen = new Set(['503']);
    for await (const response of failAll(endpoint)) if (response.status !== 200) seen.add(`${response.status}`);
    expect(documentedErrors(endpoint)).toEqual([...seen].sort());
  });

  test('503 everywhere, where the store is gone', async () => {
    await api.services.store.close();
    for (const endpoint of endpoints) {
      await expect.poll(async () => (await ask(endpoint)).status, { message: endpoint.path }).toBe(503);
      expect(documentedErrors(endpoint)).toContain('503');
    }
  });
});
