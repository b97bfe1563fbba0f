import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInspector } from '../../../../src/adapters/remote/inspection/inspection.ts';
import { type RunningApp, startApp } from '../../../helpers/app.ts';
import { collect, found } from './start-inspection.ts';

let app: RunningApp;
const inspector = createInspector();
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await inspector.close();
  await app.close();
});

test.each(['itself', 'its gateway'])('our own app has no deviation at %s', async (way) => {
  const key = await app.createKey();
  const marketplace = { url: `${app.url}/marketplace`, key };
  const connection = { url: app.url, apiKey: key, ...(way === 'its gateway' && { marketplace }) };
  const calls = await collect(inspector, connection, { withFeedback: true });
  expect(found(calls, 'deviation')).toEqual([]);
  // Not every provider has a licence page.
  expect(found(calls, 'note')).toEqual([
    expect.stringMatching(/^provider response\[\d+\]\.license: is absent/),
  ]);
  const ways = new Set(calls.map(({ operation }) => operation));
  expect(ways.size).toBe(9);
  expect(calls.filter(({ operation }) => operation === 'feedback').map(({ status }) => status)).toEqual([
    200, 401, 403,
  ]);
});
