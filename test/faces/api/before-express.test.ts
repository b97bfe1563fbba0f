import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { answerBeforeExpress } from '../../../src/faces/api/api-face.ts';
import { type Api, startApi } from './start-api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** Only the exact path is answered before Express; paths are accepted in any case. */
const throughExpress = (path: string) => path.replace('/learningobject/', '/LearningObject/');

interface Sent {
  readonly what: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
}

const requests: readonly Sent[] = [
  { what: 'a search', path: '/learningobject/v2/search-provider?provider=phet&keywords=forces' },
  { what: 'a search of all', path: '/learningobject/v2/search?keywords=forces&max=5' },
  { what: 'no key', path: '/learningobject/v2/search?keywords=forces', headers: { 'x-api-key': '' } },
  { what: 'an unknown key', path: '/learningobject/v2/search?keywords=forces', headers: { 'x-api-key': 'sk_unknown' } },
  { what: 'wrong parameters', path: '/learningobject/v2/search?keywords=forces&max=1000&level=x' },
  { what: 'no parameters', path: '/learningobject/v2/search-provider' },
];

test.each(requests)('$what is answered alike before and by Express', async ({ path, headers }) => {
  const [direct, express] = [await api.get(path, headers), await api.get(throughExpress(path), headers)];
  const describe = async (response: Response) => {
    const { 'ratelimit-remaining': remaining, ...headers } = Object.fromEntries(response.headers);
    // They follow from the time and from the id, which is another one each time.
    for (const name of ['date', 'etag', 'content-length']) delete headers[name];
    const body = (await response.text()).replace(/"(id|reference)":"[^"]*"/g, '"$1":"…"');
    return { status: response.status, hasRemaining: remaining !== undefined, headers, body };
  };
  expect(await describe(direct)).toEqual(await describe(express));
});

test('both are logged and counted, with the operation', async () => {
  api.log.length = 0;
  const path = '/learningobject/v2/search?keywords=forces';
  await (await api.get(path)).text();
  await (await api.get(throughExpress(path))).text();
  await expect.poll(() => api.log.map((line) => JSON.parse(line).res?.statusCode)).toEqual([200, 200]);
  const metrics = await (await api.get('/metrics')).text();
  expect(metrics).toMatch(/skilldock_requests_total\{operation="\/learningobject\/v2\/search",status="200"\} \d+/);
});

test('an error that a step throws is answered by Express', async () => {
  const failingStep = () => {
    throw new AppError('PARAMETERS_INVALID', 'The step failed.');
  };
  const server = createServer(answerBeforeExpress(express(), [failingStep], () => async () => undefined)).listen();
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const response = await fetch(`http://localhost:${(server.address() as AddressInfo).port}`);
  expect({ status: response.status, body: await response.text() }).toMatchObject({
    status: 400,
    body: expect.stringContaining('The step failed.'),
  });
});
