import { afterEach, expect, test } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { type Api, startApi } from './start-api.ts';

let api: Api;
afterEach(() => api.close());

test('a host that lives and is ready says so', async () => {
  api = await startApi();
  for (const path of ['/healthz', '/readyz']) {
    const response = await fetch(api.url + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
  }
});

test('a host without its store lives but is not ready', async () => {
  api = await startApi({
    isReady: () => Promise.reject(new AppError('STORE_UNAVAILABLE', 'the disk is gone')),
  });
  expect((await fetch(`${api.url}/healthz`)).status).toBe(200);
  const response = await fetch(`${api.url}/readyz`);
  expect(response.status).toBe(503);
  expect(await response.text()).not.toContain('disk');
});

test.each(['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs'])(
  '%s is there to be read only, and says so in JSON',
  async (path) => {
    api = await startApi();
    const response = await fetch(api.url + path, { method: 'POST' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect(await response.json()).toMatchObject({ statusCode: 405, code: 'METHOD_NOT_ALLOWED' });
    expect((await fetch(api.url + path, { method: 'HEAD' })).status).toBe(200);
  },
);

test('metrics have one name for an operation, however its address is written', async () => {
  api = await startApi();
  for (const path of ['/domcomp/v1/suggest', '/DomComp/V1/Suggest/'])
    await (await api.get(`${path}?keywords=a`)).text();
  const text = await (await fetch(`${api.url}/metrics`)).text();
  expect(text).toContain('skilldock_requests_total{operation="/domcomp/v1/suggest",status="200"} 2');
  expect(text).not.toContain('DomComp');
});

test('metrics count requests by operation and status, never by what people sent', async () => {
  api = await startApi();
  await (await api.get('/domcomp/v1/similar?keywords=secret')).text();
  await (await api.get('/domcomp/v1/similar')).text();
  await (await fetch(`${api.url}/domcomp/v1/similar?keywords=a`)).text();
  await (await api.get('/domcomp/v1/secret')).text();
  await (await api.get('/marketplace/type')).text();
  const text = await (await fetch(`${api.url}/metrics`)).text();
  const operation = '/domcomp/v1/similar';
  for (const status of [200, 400, 401])
    expect(text).toContain(`skilldock_requests_total{operation="${operation}",status="${status}"} 1`);
  expect(text).toContain('skilldock_requests_total{operation="unknown",status="404"} 1');
  expect(text).toContain('skilldock_requests_total{operation="/marketplace/type",status="200"} 1');
  expect(text).toContain(`skilldock_request_seconds_count{operation="${operation}"} 3`);
  expect(text).toContain('skilldock_index_entries{what="objects"} 42');
  expect(text).toContain('skilldock_index_bytes 7');
  expect(text).toContain('process_cpu_seconds_total');
  expect(text).not.toContain('secret');
});
